import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// A key that says whether its hash is that of all colliding keys; comparisons are counted.
private struct CountingKey: TableKey {
  let value: Int
  let collides: Bool

  func tableHash(seed: UInt64) -> UInt64 { (collides ? HashQuality.equal : .good).hash(value) }

  static func == (a: Self, b: Self) -> Bool {
    Comparisons.note()
    return a.value == b.value && a.collides == b.collides
  }

  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

@Suite("PersistentTable: colliding keys")
struct TableCollisionTests {
  private typealias Table = PersistentTable<SelfKeyed<CountingKey>>
  private let count = TestRuns.isOptimized ? 2_000 : 400

  private func colliding(_ value: Int) -> CountingKey { CountingKey(value: value, collides: true) }
  private func other(_ value: Int) -> CountingKey { CountingKey(value: value, collides: false) }

  @Test("Inserting n keys of one hash compares each pair once, and no operation more than n keys")
  func comparisonsAreBounded() {
    var table = Table()
    let inserting = Comparisons.counting {
      for value in 0..<count { table.updateOrInsert(colliding(value)) }
    }
    expectEqual(inserting, count * (count - 1) / 2)
    for value in stride(from: 0, to: count, by: count / 10) {
      #expect(Comparisons.counting { _ = table[colliding(value)] } <= count)
      #expect(Comparisons.counting { table.update(colliding(value)) { $0 = $0 } } <= count)
      #expect(Comparisons.counting { table.replace(colliding(value)) } <= count)
      // The last row is told from its equal by one more comparison.
      #expect(Comparisons.counting { table.insert(colliding(value)) } <= count + 1)
      let old = table
      #expect(Comparisons.counting { table.remove(colliding(value)) } <= count)
      #expect(Comparisons.counting { _ = table.differences(from: old) } <= 2 * count)
      #expect(Comparisons.counting { table.updateOrInsert(colliding(value)) } <= count)
    }
    #expect(Comparisons.counting { _ = table.contains(colliding(count)) } <= count)
    expectEqual(table.count, count)
  }

  @Test("Comparing forks of a table whose keys collide compares the keys that changed, no others")
  func comparingIsBounded() {
    let table = Table((0..<count).map(colliding))
    var fork = table
    for value in 0..<3 { fork.remove(colliding(value)) }
    // Beside looking for what is gone, what lies in one page with it is compared.
    let near = 3 * PageHandle<CountingKey>.capacity
    #expect(Comparisons.counting { _ = fork.differences(from: table) } <= 3 * count + near)
    expectEqual(Comparisons.counting { _ = fork == table }, 0)
    for value in 0..<3 { fork.updateOrInsert(colliding(value)) }
    var areEqual = false
    #expect(Comparisons.counting { areEqual = fork == table } <= 3 * count + 2 * near)
    expectTrue(areEqual)
  }

  @Test("Keys that do not collide are found as if the others were not there")
  func othersAreUnaffected() {
    var table = Table((0..<count).map(colliding))
    let inserting = Comparisons.counting {
      for value in 0..<count { table.updateOrInsert(other(value)) }
    }
    // Two different keys have equal tags once in four billion.
    #expect(inserting <= 2)
    let finding = Comparisons.counting {
      for value in 0..<count where table[other(value)] == nil { Issue.record("lost \(value)") }
    }
    expectTrue((count...count + 2).contains(finding))
    let removing = Comparisons.counting {
      for value in 0..<count { table.remove(other(value)) }
    }
    expectTrue((count...count + 2).contains(removing))
    expectEqual(table.count, count)
    expectEqual(table.invariantViolations(), [])
  }

  @Test("Compaction finds a row among colliding ones without comparing keys")
  func compactionComparesNothing() {
    var table = Table((0..<600).map(colliding))
    // From the first on, each is found at once.
    let removing = Comparisons.counting {
      for value in 0..<590 { table.remove(colliding(value)) }
    }
    #expect(table.nextSlot < 600)
    #expect(removing <= 590 * 600 / 2)
    expectEqual(Array(table), (590..<600).map(colliding))
    expectTrue(table.invariantViolations() == [] && table.structureProblem() == nil)
  }
}
