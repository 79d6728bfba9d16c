import EntiaTestSupport
import Testing

@testable import EntiaCollections

// Nodes are held by raw pointers and changed in place once they are unique, so that a wrong count
// or a change of a shared node shows here under the thread sanitizer.
@Suite("PersistentTable: concurrency")
struct TableConcurrencyTests {
  struct Row: Equatable, Sendable {
    let key: ProofKey
    var text: String
    var number: Int
  }

  enum Rows: KeyedElements {
    static func key(of element: Row) -> ProofKey { element.key }
  }

  typealias Table = PersistentTable<Rows>

  static let count = 600

  static func row(_ value: Int, _ number: Int, _ quality: HashQuality) -> Row {
    Row(
      key: ProofKey(value, quality), text: "a text too long to be kept inline, \(number)",
      number: number)
  }

  /// Changes a table in every way, and keeps older versions for a while.
  static func mutate(_ shared: Table, task: Int, steps: Int, _ quality: HashQuality) -> Table {
    var random = SplitMix(seed: UInt64(task))
    var table = shared
    var older: [Table] = []
    for step in 0..<steps {
      let value = Int.random(in: 0..<count * 5 / 4, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: table.updateOrInsert(row(value, step, quality))
      case 3..<5: table.update(ProofKey(value, quality)) { $0.number += 1 }
      case 5..<9: table.remove(ProofKey(value, quality))
      default:
        if older.count == 3 { table = older.removeFirst() }
        older.append(table)
        if step % 7 == 0 { table = shared }
      }
    }
    return table
  }

  /// Reads a version in every way.
  /// - Returns: whether all of it is as it was made.
  static func read(_ table: Table, _ other: Table, _ quality: HashQuality) -> Bool {
    var sum = 0
    for row in table { sum += row.number }
    func add(_ row: Row) { sum += row.number }
    table.forEach(add)
    var found = 0
    for value in 0..<count where table[ProofKey(value, quality)]?.number == value { found += 1 }
    return sum == count * (count - 1) && found == count && table != other
      && table.differences(from: other).count == 1
  }

  @Test(
    "Law 2: a version reads the same from every thread, whatever happens to its copies",
    arguments: [HashQuality.good, .fewTags])
  func readersAndWriters(quality: HashQuality) async throws {
    let rounds = 2 * (try TestRuns.scale)
    let steps = TestRuns.isOptimized ? 3_000 : 200
    for round in 0..<rounds {
      let table = Table((0..<Self.count).map { Self.row($0, $0, quality) })
      var other = table
      other.update(ProofKey(round, quality)) { $0.number = -1 }
      let (shared, changed) = (table, other)
      let failures = await withTaskGroup(of: Bool.self) { group in
        for task in 0..<4 {
          group.addTask {
            let result = Self.mutate(shared, task: task, steps: steps, quality)
            return result.invariantViolations() == [] && result.structureProblem() == nil
          }
          group.addTask {
            (0..<steps / 100).allSatisfy { _ in Self.read(shared, changed, quality) }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
      }
      expectEqual(failures, 0, "round \(round)")
      expectTrue(Self.read(table, other, quality), "round \(round)")
      expectEqual(table.invariantViolations(), [], "round \(round)")
    }
  }

  @Test("Versions handed from task to task are changed in place by the last one that holds them")
  func handing() async throws {
    let start = Table((0..<Self.count).map { Self.row($0, 0, .good) })
    var table = start
    for round in 0..<(8 * (try TestRuns.scale)) {
      let sent = table
      // Both begin with all shared, and each lets its version go while the other goes on.
      async let left = Self.increment(sent, from: 0)
      async let right = Self.increment(sent, from: 1)
      let (a, b) = await (left, right)
      expectEqual(a.differences(from: sent).count, Self.count / 2)
      expectEqual(b.differences(from: a).count, Self.count)
      table = round % 2 == 0 ? a : b
    }
    expectEqual(table.reduce(0) { $0 + $1.number }, Self.count / 2 * 8 * (try TestRuns.scale))
    expectTrue(start.allSatisfy { $0.number == 0 })
  }

  private static func increment(_ table: Table, from first: Int) async -> Table {
    var table = table
    for value in stride(from: first, to: count, by: 2) {
      table.update(ProofKey(value, .good)) { $0.number += 1 }
      if value % 100 < 2 { await Task.yield() }
    }
    return table
  }
}
