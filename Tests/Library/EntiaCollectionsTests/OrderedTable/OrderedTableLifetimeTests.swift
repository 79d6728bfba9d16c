import EntiaTestSupport
import Synchronization
import Testing

@testable import EntiaCollections

/// Counts how many of its instances live.
final class Tracked: Sendable, Equatable {
  final class Census: Sendable {
    let living = Mutex(0)
    var count: Int { living.withLock { $0 } }
  }

  let census: Census
  init(_ census: Census) {
    self.census = census
    census.living.withLock { $0 += 1 }
  }

  deinit { census.living.withLock { $0 -= 1 } }

  static func == (a: Tracked, b: Tracked) -> Bool { a === b }
}

@Suite("PersistentOrderedTable: lifetimes")
struct OrderedTableLifetimeTests {
  struct Row: Identifiable, Equatable {
    let id: Int
    var value: Tracked
  }

  @Test("Every element is released exactly once, whatever happens to versions", arguments: 1...6)
  func nothingLeaks(seed: UInt64) {
    let census = Tracked.Census()
    do {
      var random = SplitMix(seed: seed)
      var list = IdentifiedArrayOf<Row>()
      var kept: [IdentifiedArrayOf<Row>] = []
      func fresh() -> Row {
        Row(id: Int.random(in: 0..<900, using: &random), value: Tracked(census))
      }
      for _ in 0..<4_000 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: list.updateOrInsert(fresh(), at: list.count / 2)
        case 3: list.append(fresh())
        case 4: list.remove(id: fresh().id)
        case 5: list[id: fresh().id]?.value = Tracked(census)
        case 6: list[id: fresh().id] = nil
        case 7: if !list.isEmpty { list.move(from: list.count - 1, to: list.count / 3) }
        case 8: if list.count > 40 { list.removeSubrange(10..<20) }
        case 9: list.replaceSubrange(0..<Swift.min(3, list.count), with: [fresh(), fresh()])
        case 10: if !list.isEmpty { list[0].value = Tracked(census) }
        default:
          kept.append(list)
          if kept.count > 3 { list = kept.remove(at: Int.random(in: 0..<3, using: &random)) }
        }
      }
      list.reverse()
      let all = [list] + kept
      expectEqual(census.count, Set(all.flatMap { $0.map { ObjectIdentifier($0.value) } }).count)
    }
    expectEqual(census.count, 0, "seed \(seed)")
  }
}
