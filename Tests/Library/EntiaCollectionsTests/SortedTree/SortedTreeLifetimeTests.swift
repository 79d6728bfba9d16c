import EntiaTestSupport
import Testing

@testable import EntiaCollections

/// Counts how many of its objects there are.
private final class Census: @unchecked Sendable {
  // Unchecked: one test counts its own objects, on one thread.
  private(set) var living = 0

  final class Citizen: Sendable {
    let census: Census
    init(_ census: Census) {
      self.census = census
      census.living += 1
    }
    deinit { census.living -= 1 }
  }
}

private struct Resident {
  let key: Int
  let citizen: Census.Citizen
  var ballast: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) =
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

private enum ByKey: SortedElements {
  static func key(of element: Resident) -> Int { element.key }
  static func keyPrecedes(_ a: Int, _ b: Int) -> Bool { a < b }
  static func tiePrecedes(_ a: Resident, _ b: Resident) -> Bool { false }
}

@Suite("SortedTree: lifetimes")
struct SortedTreeLifetimeTests {
  private typealias Tree = SortedTree<ByKey>

  @Test(
    "An element lives as long as a version that has it", arguments: 1...5 as ClosedRange<UInt64>)
  func histories(seed: UInt64) {
    let census = Census()
    func resident(_ key: Int) -> Resident { Resident(key: key, citizen: .init(census)) }
    var random = SplitMix(seed: seed)
    do {
      var tree = Tree((0..<Int.random(in: 0..<600, using: &random)).map(resident))
      expectEqual(census.living, tree.count, "seed \(seed)")
      for step in 0..<1_500 {
        let key = Int.random(in: 0..<600, using: &random)
        if Int.random(in: 0..<10, using: &random) < (step % 500 < 250 ? 7 : 3) {
          tree.insert(resident(key))
        } else {
          tree.remove(resident(key))
        }
        if census.living != tree.count {
          expectEqual(census.living, tree.count, "seed \(seed), step \(step)")
          break
        }
      }
      let old = tree
      let others = tree.count
      for key in 0..<600 { tree.remove(resident(key)) }
      expectTrue(tree.isEmpty && census.living == others, "seed \(seed)")
      for key in 0..<600 { tree.insert(resident(key)) }
      expectEqual(census.living, others + 600, "seed \(seed)")
      _ = tree.differences(from: old)
      let upper = tree.ranks(from: .including(100), to: .unbounded)
      _ = (Array(tree.reversed()), tree == old, Array(tree[upper]))
      expectEqual(census.living, others + 600, "seed \(seed)")
      tree = old
      expectEqual(census.living, others, "seed \(seed)")
    }
    expectEqual(census.living, 0, "seed \(seed)")
  }

  @Test("What a builder leaves out and what an iterator holds are let go")
  func buildersAndIterators() {
    let census = Census()
    do {
      var keys = Array(0..<300) + [40, 41] + Array(290..<330)
      keys.append(299)
      var tree = Tree(keys.lazy.map { Resident(key: $0, citizen: .init(census)) })
      expectTrue(tree.count == 330 && census.living == 330)
      var iterator = tree.makeIterator()
      expectEqual(iterator.next()?.key, 0)
      tree.removeAll()
      // The iterator walks its own version.
      expectEqual(census.living, 330)
      expectEqual(iterator.next()?.key, 1)
    }
    expectEqual(census.living, 0)
  }
}
