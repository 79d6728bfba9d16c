import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Joins against a model")
struct JoinModelTests {
  @Test("Any, all, none and counts of related rows agree with filters over plain arrays")
  func quantifiers() throws {
    for seed in LawRuns(count: 3, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var store = Store()
      for step in 0..<20 {
        try StoreEdits.edit(&store, &random)
        let year = random.number(in: -3..<4)
        let discs = Dictionary(uniqueKeysWithValues: store.discs.map { ($0.id, $0) })
        let cases: [(JoinQuantifier, (Int, Int) -> Bool)] = [
          (.any, { matches, _ in matches > 0 }), (.all, { $0 == $1 }), (.none, { m, _ in m == 0 }),
          (.atLeast(2), { m, _ in m >= 2 }), (.atMost(1), { m, _ in m <= 1 }),
          (.exactly(1), { m, _ in m == 1 }),
        ]
        for (quantifier, holds) in cases {
          let place = "seed \(seed), step \(step): \(quantifier)"
          let crates = store.fetch(
            FetchDescriptor<Crate>().joining(
              \Store.Contents.crateDiscs, #Predicate { $0.year > year }, matching: quantifier))
          let expected = store.snapshot.contents.crates.filter { crate in
            let named = Set(crate.discIDs).compactMap { discs[$0.raw] }
            return holds(named.count { $0.year > year }, named.count)
          }
          expectEqual(crates.map(\.id), expected.map(\.id), "\(place)")
          let prequels = store.fetch(
            FetchDescriptor<Disc>().joining(
              inverse: \Store.discSequel, #Predicate { $0.year > year }, matching: quantifier))
          let found = store.discs.filter { disc in
            let holders = store.discs.filter { $0.sequelID == disc.entityID }
            return holds(holders.count { $0.year > year }, holders.count)
          }
          expectEqual(prequels.map(\.id), found.map(\.id), "\(place)")
        }
      }
    }
  }

  @Test("A nested join by a relationship of another database matches nothing, scanned or not")
  func foreign() throws {
    let store = try Store.large(40)
    let inner = FetchDescriptor<Disc>().joining(
      \OtherContents.discSequel, #Predicate { $0.year >= 0 })
    for quantifier in [JoinQuantifier.any, .atLeast(1)] {
      let outer = FetchDescriptor<Disc>().joining(
        \Store.Contents.discSequel, inner, matching: quantifier)
      expectTrue(store.fetch(outer) == [] && store.scan(outer) == [])
    }
    let none = FetchDescriptor<Disc>().joining(
      \Store.Contents.discSequel, inner, matching: .none)
    expectTrue(store.fetch(none).count == 40 && store.scan(none).count == 40)
  }

  /// The contents of another storage.
  struct OtherContents: StorageContents {
    var discSequel = ToOne<Disc, Disc>(\.sequelID, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {}
  }

  @Test("Law 22: two hops from an indexed field examine only the rows that they lead to")
  func hops() throws {
    for count in [400, 4_000] {
      let store = try Store.large(count)
      var work = FetchWork()
      let found = store.fetch(
        FetchDescriptor<Disc>().joining(
          \Store.discSequel,
          FetchDescriptor().joining(inverse: \Store.Contents.crateDiscs, #Predicate { $0.id == 7 })),
        work: &work)
      expectEqual(found.map(\.id), [6])
      expectTrue(work.rowsExamined == 1 && work.relatedRowsExamined <= 5)
    }
  }
}
