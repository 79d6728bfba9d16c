import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaStore

@Suite("Eviction in a store")
struct StoreEvictionTests {
  private func ids(_ store: Store<Mailbox, Never>) -> [Int] {
    store.state.inbox.notes.map(\.id).sorted()
  }

  @Test("The oldest rows are evicted, in a commit that is no undo step")
  func evicting() throws {
    let store = try Store.mailbox(1...6)
    try store.commit { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 6) { $0.text = "edited" }
      }
    }
    store.evict(\.inbox, downTo: .rows(4), keeping: [.entity(Note.EntityID(2))])
    expectEqual(ids(store), [2, 5, 6])
    // Undoing the edit restores the edited row only.
    expectTrue(store.undo() && ids(store) == [2, 5, 6] && !store.canUndo)
    expectEqual(store.state.inbox.notes.find(by: 6)?.text, "")
    let version = store.core.current.version
    store.evict(\.inbox, downTo: .rows(4))
    expectEqual(store.core.current.version, version)
  }

  @Test("Undo restores a removed row beside evicted ones, and no row that was evicted")
  func undo() throws {
    let store = try Store.mailbox(1...3)
    let problems = Recorder<String>()
    let subscription = store.onProblem { problems.record("\($0)") }
    for (id, isRemoval) in [(1, false), (2, true)] {
      try store.commit("Edit \(id)") { state in
        _ = try state.inbox.performBatchUpdates { context in
          context.modifying.notes.updateIfExists(id: .init(id)) { $0.text = "edited" }
          if isRemoval { context.modifying.notes.remove(.init(id)) }
        }
      }
    }
    store.evict(\.inbox, downTo: .rows(0), keeping: [.entity(Writer.EntityID("w"))])
    expectTrue(ids(store) == [] && store.undo() && ids(store) == [2] && problems.count == 0)
    expectEqual(store.state.inbox.noteAges.receivedAt(2), at(2))
    _ = store.undo()
    expectTrue(ids(store) == [2] && problems.count == 1, "\(problems.elements)")
    expectEqual(store.state.inbox.verify(), [])
    subscription.cancel()
  }

  @Test("Rows that Observation tracks are kept")
  func tracking() throws {
    let store = try Store.mailbox(1...3)
    withObservationTracking {
      _ = store.table(Note.self, in: \.inbox).find(by: 1)
    } onChange: {
    }
    store.evict(\.inbox, downTo: .rows(0))
    expectEqual(ids(store), [1])
  }

  @Test(
    "In the background, small commits lead to the budget, beside other commits",
    .timeLimit(.minutes(15)))
  func background() async throws {
    let store = try Store.mailbox(1...2000)
    let sizes = Recorder<Int>()
    let observer = store.sinkState(queue: .passthrough) {
      sizes.record($0.primitive.inbox.notes.count)
    }
    let eviction = store.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(100), interval: .milliseconds(1)))
    while store.state.inbox.notes.count > 99 {
      store.commit { $0.name += "." }
      try store.commit { state in
        try state.inbox.performBatchUpdates { $0.modifying.notes.touch([2000], at: at(5000)) }
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    expectTrue(ids(store) == Array(1902...2000) && store.state.inbox.verify() == [])
    eviction.cancel()
    try store.receive((3000...3100).map { ($0, Double($0)) })
    try await Task.sleep(for: .milliseconds(20))
    expectEqual(store.state.inbox.notes.count, 200)
    observer.cancel()
  }

  @Test(
    "Commits between the small commits do not lead to a large one", .timeLimit(.minutes(15)))
  func contended() async throws {
    let store = try Store.mailbox(1...4000)
    let removals = Recorder<Int>()
    let observer = store.sinkState(dropsFirst: true, queue: .passthrough) { changes in
      guard let previous = changes.previous else { return }
      let (old, new) = (previous.primitive.inbox.notes.count, changes.primitive.inbox.notes.count)
      if new == old { return }
      removals.record(old - new)
      // Another commit outdates the plan each time.
      store.commit(undo: .none) { state in
        do {
          try state.inbox.performBatchUpdates { context in
            context.modifying.notes.insert(Note(id: 4000, text: "\(new)"), receivedAt: at(5000))
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    let eviction = store.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(100), interval: .milliseconds(1)))
    while store.state.inbox.notes.count > 99 { try await Task.sleep(for: .milliseconds(1)) }
    eviction.cancel()
    expectTrue(ids(store) == Array(3902...4000) && store.state.inbox.verify() == [])
    expectTrue(removals.count > 4 && (removals.elements.max() ?? 0) < 1000)
    observer.cancel()
  }

  @Test(
    "An old row that is edited during each plan does not keep the other rows",
    .timeLimit(.minutes(15)), arguments: [1, 40])
  func editedDuringPlan(id: Int) async throws {
    let store = try Store.mailbox(1...100)
    let edits = Recorder<Int>()
    let eviction = store.keepFresh(
      \.inbox,
      FreshnessPolicy(
        budget: .rows(10), interval: .seconds(600),
        keeping: {
          // The first call is for a plan, which this commit outdates; the second is for its steps.
          edits.record(id)
          if edits.count % 2 == 0 { return [] }
          store.commit(undo: .none) { state in
            do {
              _ = try state.inbox.performBatchUpdates { context in
                context.modifying.notes.updateIfExists(id: .init(id)) {
                  $0.text = "\(edits.count)"
                }
              }
            } catch {
              Issue.record(error)
            }
          }
          return []
        }))
    for _ in 0..<20_000 where store.state.inbox.notes.count > 9 {
      try await Task.sleep(for: .milliseconds(1))
    }
    eviction.cancel()
    expectTrue(ids(store) == [id] + Array(93...100) && store.state.inbox.verify() == [])
  }

  /// Carries out the next removals of a run.
  /// - Returns: The IDs of the removed notes; `nil` if a new plan is needed.
  private func evict(
    _ run: EvictionRun<Inbox>, _ count: Int, _ store: Store<Mailbox, Never>,
    keeping roots: [CollectionRoot] = []
  ) throws -> [Int]? {
    let before = ids(store)
    guard let steps = run.next(count, in: store.state.inbox, keeping: { roots }) else { return nil }
    try store.commit(undo: .none) { state in
      try state.inbox.performBatchUpdates { $0.evict(steps) }
    }
    run.noteRemoved(in: store.state.inbox)
    return before.filter { !ids(store).contains($0) }
  }

  @Test("A row that is received or referenced after the plan is skipped")
  func outdated() throws {
    let store = try Store.mailbox(1...9)
    let run = EvictionRun(store.state.inbox, downTo: .rows(4), keeping: [])
    try expectEqual(evict(run, 2, store), [1, 2])
    // Another row does not matter.
    try store.receive([(9, 20)])
    expectEqual(run.next(1, in: store.state.inbox) { [] }?.count, 1)
    expectTrue(!run.hasSkipped)
    // The row of the removal that `next` has just returned.
    try store.commit(undo: .none) { state in
      try state.inbox.performBatchUpdates { $0.modifying.notes.touch([3], at: at(30)) }
    }
    try expectEqual(evict(run, 1, store), [4])
    expectTrue(run.hasSkipped)
    try store.commit(undo: .none) { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.insert(Note(id: 10, parentID: 5))
      }
    }
    try expectEqual(evict(run, 9, store), [6])
    expectTrue(run.isEmpty)
    let other = EvictionRun(store.state.inbox, downTo: .rows(1), keeping: [])
    store.commit(undo: .none) { $0.name = "other" }
    expectEqual(other.next(1, in: store.state.inbox) { [] }?.count, 1)
    try store.receive([(11, 40)])
    let kept = CollectionRoot.entity(Note.EntityID(7))
    try expectEqual(evict(other, 9, store, keeping: [kept]), [3, 5, 8, 9, 10])
  }

  @Test("After a row was skipped, a removal that depends on other rows needs a new plan")
  func dependent() throws {
    let store = try Store.mailbox(1...4)
    try store.commit(undo: .none) { state in
      _ = try state.inbox.performBatchUpdates { context in
        // Removing the parent removes its reply, and a writer stays as long as there are notes.
        context.modifying.notes.insert(Note(id: 3, parentID: 4), receivedAt: at(3))
      }
    }
    let run = EvictionRun(store.state.inbox, downTo: .rows(0), keeping: [])
    try expectEqual(evict(run, 1, store), [1])
    try store.commit(undo: .none) { state in
      try state.inbox.performBatchUpdates { $0.modifying.notes.touch([3], at: at(30)) }
    }
    try expectEqual(evict(run, 9, store), [2])
    // The reply is younger than its parent now, and would be removed with it.
    expectTrue(run.hasSkipped && !run.isEmpty)
    try expectNil(evict(run, 9, store))
    expectEqual(ids(store), [3, 4])
  }

  @Test(
    "Old rows that are received again, oldest first, faster than a plan takes, keep no other rows",
    .timeLimit(.minutes(15)))
  func receivedOldestFirst() async throws {
    let store = try Store.mailbox(1...300)
    let plans = Recorder<Int>()
    let eviction = store.keepFresh(
      \.inbox,
      FreshnessPolicy(
        budget: .rows(21), interval: .milliseconds(1),
        keeping: {
          // The next of the oldest notes is received after each plan, before its steps are checked.
          guard store.state.inbox.notes.count > 50 else { return [] }
          plans.record(0)
          guard plans.count % 2 == 1, plans.count < 200 else { return [] }
          do {
            try store.receive([(plans.count / 2 + 1, 1000 + Double(plans.count))])
          } catch {
            Issue.record(error)
          }
          return []
        }))
    for _ in 0..<20_000 where store.state.inbox.notes.count > 20 {
      try await Task.sleep(for: .milliseconds(1))
    }
    eviction.cancel()
    expectEqual(store.state.inbox.notes.count, 20)
    expectEqual(store.state.inbox.verify(), [])
    expectTrue(plans.count < 20, "\(plans.count) plans and checks")
  }

  /// Budgets that the nine notes of a mailbox exceed by six rows.
  private static let budgets = [
    EvictionBudget.rows(4), .rows(3, of: Note.self), .bytes(4) { _ in 1 },
  ]

  private func remove(_ ids: ClosedRange<Int>, _ store: Store<Mailbox, Never>) throws {
    _ = try store.commit(undo: .none) { state in
      try state.inbox.performBatchUpdates { context in
        context.modifying.notes.remove(ids.map { .init($0) })
      }
    }
  }

  @Test("No more rows are evicted than the budget requires after removals of other commits")
  func reduced() throws {
    for budget in Self.budgets {
      let store = try Store.mailbox(1...9)
      let run = EvictionRun(store.state.inbox, downTo: budget, keeping: [])
      expectEqual(run.next(3, in: store.state.inbox) { [] }?.count, 3)
      try remove(6...9, store)
      expectEqual(run.next(3, in: store.state.inbox) { [] }?.count, 2)
      // The third removal is possible again.
      try store.receive([(10, 50), (11, 50)])
      try expectEqual(evict(run, 3, store), [1, 2, 3])
      try remove(11...11, store)
      expectTrue(run.next(3, in: store.state.inbox) { [] }?.isEmpty == true && run.isEmpty)
      expectEqual(ids(store), [4, 5, 10])
    }
  }

  @Test("An eviction ends when other commits have reduced the database to the budget")
  func reached() throws {
    for budget in Self.budgets {
      let store = try Store.mailbox(1...9)
      let run = EvictionRun(store.state.inbox, downTo: budget, keeping: [])
      let first = try #require(run.next(1, in: store.state.inbox) { [] })
      try store.commit(undo: .none) { state in
        try state.inbox.performBatchUpdates { $0.evict(first) }
      }
      run.noteRemoved(in: store.state.inbox)
      // One row more than the budget is left.
      try remove(6...9, store)
      expectEqual(run.next(1, in: store.state.inbox) { [] }?.count, 1)
      try store.receive([(10, 50)])
      try remove(4...5, store)
      expectTrue(run.next(9, in: store.state.inbox) { [] }?.isEmpty == true && run.isEmpty)
      expectEqual(ids(store), [2, 3, 10])
    }
  }

  @Test("The eviction does not retain its store", .timeLimit(.minutes(15)))
  func lifetime() async throws {
    var store: Store<Mailbox, Never>? = try Store.mailbox(1...10)
    weak let core = store?.core
    let eviction = store?.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(5), interval: .milliseconds(1)))
    store = nil
    while core != nil { try await Task.sleep(for: .milliseconds(1)) }
    withExtendedLifetime(eviction) {}
  }
}
