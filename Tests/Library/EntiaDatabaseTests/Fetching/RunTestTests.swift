import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Tests of adjacent rows")
struct RunTestTests {
  /// Compares the bits for runs of every length with the rows that `evaluate` accepts.
  private func check(_ predicate: Predicate<Disc>, _ discs: [Disc], _ name: String) -> RunTest? {
    let compiled = CompiledPredicate(predicate)
    guard let test = compiled.runTest else { return nil }
    discs.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return }
      var start = 0
      for count in [1, 2, 31, 63, 64] where start + count <= rows.count {
        let bits = test.matches(base + start, MemoryLayout<Disc>.stride, count)
        expectEqual(bits & ~RunTest.all(count), 0, "\(name): a bit behind the run")
        for offset in 0..<count {
          let isAccepted = PredicateTests.evaluate(predicate, rows[start + offset])
          let bit = bits & (1 << UInt64(offset)) != 0
          if test.isExact {
            expectEqual(bit, isAccepted, "\(name): \(rows[start + offset])")
          } else {
            expectTrue(bit || !isAccepted, "\(name): \(rows[start + offset])")
          }
        }
        start += count
      }
    }
    return test
  }

  @Test("The bits of a run are the rows that evaluate accepts, or include them")
  func samples() {
    var random = SeededGenerator(seed: 5)
    let discs = (0..<170).map { Disc.random(id: $0, &random) }
    var exact: [String] = []
    var others: [String] = []
    for (name, predicate) in PredicateTests.samples() {
      guard let test = check(predicate, discs, name) else { continue }
      if test.isExact { exact.append(name) } else { others.append(name) }
    }
    // Otherwise rows are tested one at a time.
    expectTrue(
      Set(exact).isSuperset(of: [
        "field", "equal", "turned", "not equal", "less", "at most", "at least", "nested",
        "and", "or", "not", "not or", "optional double", "captured path", "range", "closed range",
        "text range",
      ]))
    expectTrue(others.contains("forced second"))
  }

  @Test("The bits of a run are those of random predicates, whatever their nesting")
  func randomPredicates() {
    var (exact, others) = (0, 0)
    for seed in 0..<UInt64(300) {
      var random = SeededGenerator(seed: seed)
      let discs = (0..<66).map { Disc.random(id: $0, &random) }
      guard let test = check(RandomPredicate.make(&random), discs, "seed \(seed)") else { continue }
      if test.isExact { exact += 1 } else { others += 1 }
    }
    expectTrue(exact > 20 && others > 20)
  }

  @Test("Law 19: a fetch finds and counts the same rows in tables with long runs and with gaps")
  func tables() throws {
    for seed in LawRuns(count: 4, corpus: []).seeds {
      var random = SeededGenerator(seed: seed)
      var library = Marks()
      let size = random.number(in: 0..<400)
      try library.performBatchUpdates { context in
        for id in 0..<size {
          context.modifying.marks.insert(Mark(id: id, isSet: random.oneIn(2)))
          context.modifying.ordered.insert(Bit(id: id, isSet: random.oneIn(3)))
        }
        for id in 0..<size where random.oneIn(seed % 2 == 0 ? 2 : 20) {
          context.modifying.marks.remove(.init(id))
          context.modifying.ordered.remove(.init(id))
        }
      }
      let limit = random.number(in: 0..<400)
      compare(library, FetchDescriptor<Mark>(predicate: #Predicate { $0.isSet }), seed) { $0.isSet }
      compare(library, FetchDescriptor<Bit>(predicate: #Predicate { !$0.isSet }), seed) {
        !$0.isSet
      }
      compare(
        library, FetchDescriptor<Bit>(predicate: #Predicate { $0.isSet && $0.half < limit }), seed
      ) { $0.isSet && $0.half < limit }
      compare(
        library,
        FetchDescriptor<Mark>(
          predicate: #Predicate { $0.isSet || $0.id < limit }, fetchLimit: 70, fetchOffset: 3),
        seed
      ) { $0.isSet || $0.id < limit }
    }
  }

  /// Compares a fetch, its count and its first row with a filter of the table.
  private func compare<Entity: EntityType & Equatable>(
    _ library: Marks, _ descriptor: FetchDescriptor<Entity>, _ seed: UInt64,
    _ isAccepted: (Entity) -> Bool
  ) {
    var all: [Entity] = []
    library.enumerate(FetchDescriptor<Entity>()) { row, _ in all.append(row) }
    let expected = Array(
      all.filter(isAccepted).dropFirst(descriptor.fetchOffset ?? 0)
        .prefix(descriptor.fetchLimit ?? .max))
    expectEqual(library.fetch(descriptor), expected, "seed \(seed)")
    expectEqual(library.fetchCount(descriptor), expected.count, "seed \(seed)")
    expectEqual(library.first(descriptor), expected.first, "seed \(seed)")
    var none = descriptor
    none.fetchLimit = 0
    expectEqual(library.fetchCount(none), 0)
  }
}

/// Small rows, so that a page of the table has many of them.
private struct Mark: EntityType, Identifiable {
  let id: Int
  var isSet: Bool
}

private struct Bit: EntityType, Identifiable {
  let id: Int
  var isSet: Bool
  /// Not stored, so that a condition on it has no test of a run.
  var half: Int { id / 2 }
}

private struct Marks: NormalizedStorageType {
  struct Contents: StorageContents {
    var marks = Tables.Hash<Mark>()
    var ordered = Tables.Ordered<Bit>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("marks", \.marks)
      visitor.table("ordered", \.ordered)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}
