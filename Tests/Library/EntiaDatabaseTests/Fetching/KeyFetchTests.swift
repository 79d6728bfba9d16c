import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Fetching by the primary key and by relationships")
struct KeyFetchTests {
  /// Returns how many rows a fetch examined; it must equal the fetch without indexes.
  private func examined<Entity: EntityType>(
    _ store: Store, _ descriptor: FetchDescriptor<Entity>
  ) -> Int {
    var work = FetchWork()
    let found = store.fetch(descriptor, work: &work)
    expectEqual(found, store.scan(descriptor))
    expectEqual(store.fetchCount(descriptor), found.count)
    return work.rowsExamined
  }

  @Test("Law 22: the ID in a predicate examines its rows, whatever the table's size")
  func primaryKey() throws {
    for count in [400, 4_000] {
      let store = try Store.large(count)
      let id = 7
      let ids = [3, 9, 3, -1]
      let entityID = Disc.EntityID(id)
      let entityIDs = [entityID, .init(8)]
      expectEqual(examined(store, .init(predicate: #Predicate<Disc> { $0.id == id })), 1)
      expectEqual(examined(store, .init(predicate: #Predicate<Disc> { 7 == $0.id })), 1)
      expectEqual(
        examined(store, .init(predicate: #Predicate<Disc> { $0.entityID == entityID })), 1)
      expectEqual(examined(store, .init(predicate: #Predicate<Disc> { ids.contains($0.id) })), 2)
      expectEqual(
        examined(store, .init(predicate: #Predicate<Disc> { entityIDs.contains($0.entityID) })), 2)
      expectEqual(
        examined(
          store, .init(predicate: #Predicate<Disc> { !$0.isLive && $0.id == id && $0.year >= 0 })),
        1)
      expectEqual(
        examined(store, .init(predicate: #Predicate<Disc> { $0.id == id || $0.id == 11 })), 2)
      expectEqual(
        examined(
          store,
          .init(
            predicate: #Predicate<Disc> { ids.contains($0.id) },
            sortBy: [SortDescriptor(\.title)], fetchLimit: 1)), 2)
      expectEqual(
        examined(
          store,
          FetchDescriptor<Disc>().joining(
            inverse: \Store.Contents.crateDiscs, #Predicate { $0.id == 5 })), 1)
    }
  }

  @Test("Law 22: the key of a relationship in a predicate examines the holders, and no others")
  func relationships() throws {
    for count in [400, 4_000] {
      let store = try Store.large(count)
      let disc = Disc.EntityID(5)
      let sequels: [Disc.EntityID?] = [5, 6]
      expectEqual(
        examined(store, .init(predicate: #Predicate<Crate> { $0.discIDs.contains(disc) })), 1)
      expectEqual(
        examined(
          store,
          .init(predicate: #Predicate<Crate> { $0.discIDs.contains(disc) && $0.label != "x" })), 1)
      expectEqual(
        examined(store, .init(predicate: #Predicate<Disc> { sequels.contains($0.sequelID) })), 2)
      #expect(
        examined(
          store,
          FetchDescriptor<Disc>().joining(
            inverse: \Store.Contents.crateDiscs, #Predicate { $0.discIDs.contains(disc) })) <= 1)
    }
  }

  @Test("Law 19: fetches by keys equal the scan after every step of a random history")
  func histories() throws {
    for seed in LawRuns(count: 3, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var store = Store()
      for step in 0..<20 {
        try StoreEdits.edit(&store, &random)
        let id = random.number(in: 0..<4)
        let disc = Disc.EntityID(random.number(in: 0..<12))
        let crate = Crate.EntityID(id)
        let optional: Disc.EntityID? = random.oneIn(3) ? nil : disc
        let predicates: [Predicate<Crate>] = [
          #Predicate { $0.id == id }, #Predicate { $0.entityID == crate },
          #Predicate { $0.discIDs.contains(disc) },
          #Predicate { $0.discIDs.contains(disc) || $0.id == id },
          #Predicate { !$0.discIDs.contains(disc) },
        ]
        for predicate in predicates {
          let descriptor = FetchDescriptor(predicate: predicate)
          expectEqual(
            store.fetch(descriptor).map(\.id), store.scan(descriptor).map(\.id),
            "seed \(seed), step \(step)")
        }
        for predicate in [
          #Predicate<Disc> { $0.sequelID == optional }, #Predicate<Disc> { $0.twinID == disc },
        ] {
          let descriptor = FetchDescriptor(predicate: predicate)
          expectEqual(
            store.fetch(descriptor).map(\.id), store.scan(descriptor).map(\.id),
            "seed \(seed), step \(step)")
        }
      }
    }
  }

  @Test("explain lists the key, and an index that would serve a scan")
  func explanations() throws {
    let store = try Store.large(400)
    func text<Entity: EntityType>(_ predicate: Predicate<Entity>) -> String {
      store.explain(FetchDescriptor(predicate: predicate)).description
    }
    let ids = [1, 2, 3]
    let disc = Disc.EntityID(5)
    expectEqual(
      text(#Predicate<Disc> { $0.id == 7 }),
      "Disc: 1 of 400 rows by the primary key (id = 7); in its order, no sort")
    expectTrue(
      text(#Predicate<Disc> { ids.contains($0.id) }).hasPrefix(
        "Disc: 3 of 400 rows by the primary key (id among 3 values); "))
    expectEqual(
      text(#Predicate<Crate> { $0.discIDs.contains(disc) }),
      "Crate: 1 of 40 rows by crateDiscs (discIDs contains 5); in its order, no sort")
    expectEqual(
      store.explain(FetchDescriptor<Disc>(predicate: #Predicate { $0.seconds == 7 })).notes,
      [
        "no index on seconds: `@Index var … : Indexes.Hash<Disc, UInt8> = .init(\\.seconds)` "
          + "would serve this"
      ])
    expectEqual(
      store.explain(FetchDescriptor<Poster>(predicate: #Predicate { $0.year > 7 })).notes,
      [
        "no index on year: `@Index var … : Indexes.Sorted<Poster, Int> = .init(\\.year)` "
          + "would serve this"
      ])
    expectEqual(
      store.explain(FetchDescriptor<Disc>(predicate: #Predicate { $0.decade == 7 })).notes,
      [
        "no index on a computed property of Disc, of type Int: "
          + "`Indexes.Hash<Disc, Int>` by the same key path would serve this"
      ])
    expectEqual(
      store.explain(FetchDescriptor<Poster>(sortBy: [SortDescriptor(\.year)])).notes,
      [
        "no index has the order of year: "
          + "`@Index var … : Indexes.Sorted<Poster, Int> = .init(\\.year)` would serve this"
      ])
    expectEqual(
      store.explain(FetchDescriptor<Disc>(predicate: #Predicate { $0.year > 0 })).notes, [])
  }

  @Test("explain advises no index that the database has, or that could not serve the fetch")
  func adviceOnChoices() throws {
    let store = try Store.large(400)
    expectEqual(
      store.explain(
        FetchDescriptor<Disc>(predicate: #Predicate { $0.year == 7 || $0.seconds == 7 })
      ).notes,
      [
        "no index on seconds: `@Index var … : Indexes.Hash<Disc, UInt8> = .init(\\.seconds)` "
          + "would serve this"
      ])
    expectEqual(
      store.explain(FetchDescriptor<Disc>(predicate: #Predicate { $0.sequelID == nil })).notes,
      [
        "no index has the rows whose sequelID is nil"
      ])
    expectEqual(
      store.explain(
        FetchDescriptor<Disc>(predicate: #Predicate { $0.id == 1 || $0.rating == nil })
      ).notes, ["no index has the rows whose rating is nil"])
  }
}
