import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("Bounded work")
struct BoundedWorkTests {
  /// Removes a link and returns how many keys were read for it.
  func readsOfRemoving(_ id: Int, from chain: inout Chain) throws -> Int {
    try KeyReads.counting {
      try chain.performBatchUpdates { _ = $0.modifying.links.remove(.init(id)) }
    }
  }

  @Test("Law 18: a cascade along very many links neither overflows the stack nor is quadratic")
  func longChain() throws {
    let count = shortened(100_000)
    var chain = Chain(.cascade, (0..<count).map { $0 == 0 ? nil : $0 - 1 })
    let before = chain
    #expect(try readsOfRemoving(0, from: &chain) <= 8 * count)
    expectTrue(chain.links.isEmpty && chain.snapshot.contents.next.linkedTargetIDs == [])
    expectEqual(before.links.count, count)
  }

  @Test("Law 18: a cascade around a cycle ends, and takes exactly the cycle")
  func cycles() throws {
    let count = 5_000
    // A ring, one that names itself, and a pair beside them.
    let nexts = (0..<count).map { ($0 + 1) % count } + [count, count + 2, count + 1]
    var chain = Chain(.cascade, nexts)
    #expect(try readsOfRemoving(count / 2, from: &chain) <= 8 * count)
    expectEqual(chain.links.map(\.id), [count, count + 1, count + 2])
    #expect(try readsOfRemoving(count, from: &chain) <= 8)
    expectEqual(chain.links.map(\.id), [count + 1, count + 2])
    expectEqual(chain.verify(), [])
  }

  @Test(
    "Law 18: an entity that 10,000 others reference",
    arguments: [.cascade, .nullify] as [NullableDeleteRule])
  func manyHolders(rule: NullableDeleteRule) throws {
    let count = 10_000
    var chain = Chain(rule, [nil] + [Int?](repeating: 0, count: count))
    expectEqual(chain.view(of: Link.EntityID(0))?[inverse: \.next].count, count)
    #expect(try readsOfRemoving(0, from: &chain) <= 10 * count)
    expectEqual(chain.links.count, rule == .cascade ? 0 : count)
    expectTrue(chain.links.allSatisfy { $0.next == nil })
    expectEqual(chain.verify(), [])
  }

  @Test("Law 18: the error about a removal that 10,000 holders deny is short")
  func manyDenials() throws {
    var chain = Chain(.deny, [nil] + [Int?](repeating: 0, count: 10_000))
    let before = chain
    let error = #expect(throws: BatchError.self) {
      try chain.performBatchUpdates { $0.modifying.links.remove(0) }
    }
    expectEqual(
      error?.description,
      """
      the batch was refused: Link 0 cannot be removed: it is referenced through next by Link 1, \
      Link 2, Link 3, Link 4, Link 5 and 9995 more
      """)
    expectTrue(chain.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("A plan of a cascade along 20,000 links neither overflows the stack nor is quadratic")
  func longPlan() throws {
    let count = 20_000
    let chain = Chain(.cascade, (0..<count).map { $0 == 0 ? nil : $0 - 1 })
    let reads = KeyReads.counting {
      let plan = chain.plan(deleting: Link.EntityID(0))
      expectTrue(plan.removals.count == count && plan.isAllowed)
    }
    #expect(reads <= 8 * count)
    expectEqual(chain.links.count, count)
  }

  @Test("Law 22: deleting an author with posts and comments costs them, whatever else there is")
  func authorWithPosts() throws {
    /// Author 0, its 1,000 posts, 10 comments to each, and others beside them.
    func work(others: Int) throws -> (reads: Int, nodes: Int) {
      let nexts: [Int?] =
        [nil] + (1...1_000).map { _ in 0 } + (0..<10_000).map { 1 + $0 / 10 }
        + (0..<others).map { $0 == 0 ? nil : 11_001 + $0 / 2 }
      var chain = Chain(.cascade, nexts)
      let before = chain
      var reads = 0
      let nodes = try TableWork.counting {
        reads = try readsOfRemoving(0, from: &chain)
      }
      expectTrue(chain.links.count == others && before.links.count == others + 11_001)
      return (reads, nodes.copiedNodes + nodes.visitedNodes)
    }
    let alone = try work(others: 500)
    let crowded = try work(others: 30_000)
    expectTrue(alone.reads >= 11_001 && crowded.reads == alone.reads && alone.reads <= 8 * 11_001)
    #expect(crowded.nodes <= alone.nodes + 11_001 * 3)
  }

  @Test("Laws 4, 22: what a batch costs does not grow with the rows that it does not touch")
  func workDoesNotGrow() throws {
    func work(rows: Int) throws -> (batch: Int, changes: Int) {
      var chain = Chain(.deny, (0..<rows).map { $0 == 0 ? nil : $0 - 1 })
      let before = chain
      let batch = try TableWork.counting {
        try chain.performBatchUpdates { context in
          context.modifying.links.updateIfExists(id: .init(rows / 2)) { $0.next = 0 }
          context.modifying.links.remove(.init(rows - 1))
        }
      }
      let changes = TableWork.counting {
        expectTrue(chain != before)
        expectEqual(chain.changes(since: before).count, 2)
      }
      return (batch.copiedNodes + batch.visitedNodes, changes.visitedNodes)
    }
    let small = try work(rows: 500)
    let large = try work(rows: 32_000)
    // A few levels more, and nothing in proportion to the rows.
    expectTrue(large.batch <= small.batch + 40 && large.batch <= 80)
    expectTrue(large.changes <= small.changes + 12 && large.changes <= 24)
    expectTrue(small.batch > 0 && small.changes > 0)
  }

  @Test("Law 7: with an old version held, updating again and again copies each node once")
  func memoryIsBounded() throws {
    var table = Tables.Hash((0..<2_000).map { Link(id: $0) })
    let old = table
    func updateAll(_ round: Int) -> Int {
      TableWork.counting {
        for id in 0..<2_000 { table.updateIfExists(id: .init(id)) { $0.next = .init(round) } }
      }.copiedNodes
    }
    #expect(updateAll(1) > 0)
    expectEqual((2...5).map(updateAll), [0, 0, 0, 0])
    expectTrue(old.allSatisfy { $0.next == nil } && table.allSatisfy { $0.next == 5 })
  }
}
