import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Eviction")
struct EvictionTests {
  /// Notes 1...6 of two writers, note 6 a reply to note 1, received one second after another.
  private func sample() throws -> Inbox {
    var inbox = Inbox()
    try inbox.performBatchUpdates { context in
      context.modifying.writers.insert(["w", "x"].map { Writer(id: $0) }, receivedAt: at(0))
      for id in 1...6 {
        context.modifying.notes.insert(
          Note(id: id, text: "note", writerID: id == 3 ? "x" : "w", parentID: id == 6 ? 1 : nil),
          receivedAt: at(Double(id)))
      }
    }
    return inbox
  }

  @Test("A plan lists the oldest rows, with those that go with them, and a batch removes these")
  func oldest() throws {
    var inbox = try sample()
    let plan = inbox.plan(evictingDownTo: .rows(5))
    // The writers are older, but the rule of their notes denies that they go first.
    expectEqual(
      plan.description,
      """
      evicts from 8 to 5
      removes 3:
        Note 1
        Note 6, whose noteParent references Note 1
        Note 2
      """)
    expectTrue(plan.isWithinBudget && plan.size == 8 && plan.remainingSize == 5 && !plan.isEmpty)
    let before = inbox
    try inbox.performBatchUpdates { try $0.remove(plan) }
    expectTrue(inbox.changes(since: before) == plan.changes && inbox.verify() == [])
    expectTrue(inbox.noteAges.ids().map(\.raw) == [3, 4, 5] && before.notes.count == 6)
    expectTrue(inbox.plan(evictingDownTo: .rows(5)).isEmpty)
  }

  @Test("Law 47: roots, what they reach, held IDs and answers that are new enough are kept")
  func kept() throws {
    var inbox = try sample()
    try inbox.performBatchUpdates { context in
      context.modifying.answers.receive([2], for: .all, at: at(20))
      context.modifying.answers.receive([4], for: .by("w"), at: at(10))
      context.modifying.pinned.append(3)
    }
    let plan = inbox.plan(
      evictingDownTo: .rows(0), keeping: [.responses(newerThan: at(20)), .entity(Note.EntityID(6))])
    expectEqual(
      plan.description,
      """
      evicts from 8 to 6, because the rest is kept
      removes 2:
        Note 4
        Note 5
      """)
    expectFalse(plan.isWithinBudget)
    try inbox.performBatchUpdates { try $0.remove(plan) }
    expectTrue(inbox.notes.map(\.id).sorted() == [1, 2, 3, 6] && inbox.writers.count == 2)
    expectEqual(inbox.answers[.by("w")]?.isInvalidated, true)
    expectTrue(inbox.answers[.by("w")]?.ids() == [] && inbox.answers[.all]?.isInvalidated == false)
    let all = inbox.plan(evictingDownTo: .rows(0), keepingHeld: false)
    expectTrue(all.remainingSize == 2 && all.removals.count == 4)
    expectEqual(inbox.verify(), [])
  }

  @Test("A row whose removal would remove a kept row stays")
  func cascade() throws {
    let inbox = try sample()
    let plan = inbox.plan(
      evictingDownTo: .rows(0, of: Note.self), keeping: [.entity(Note.EntityID(6))])
    expectEqual(plan.changes.notes.removed.map(\.id).sorted(), [2, 3, 4, 5])
    expectTrue(plan.changes.writers.isEmpty && plan.remainingSize == 2)
  }

  @Test("A row whose holders are removed before it is removed, too")
  func denial() throws {
    var inbox = try sample()
    try inbox.performBatchUpdates { $0.modifying.writers.touch(["w", "x"], at: at(30)) }
    let plan = inbox.plan(evictingDownTo: .rows(0))
    expectTrue(plan.isWithinBudget && plan.removals.count == 8)
    try inbox.performBatchUpdates { try $0.remove(plan) }
    expectTrue(inbox.notes.isEmpty && inbox.writers.isEmpty && inbox.verify() == [])
  }

  @Test("Rows of unknown age are first where the table has times, and stay where it has none")
  func unknown() throws {
    var inbox = try sample()
    try inbox.performBatchUpdates { $0.modifying.notes.insert(Note(id: 7)) }
    expectEqual(inbox.plan(evictingDownTo: .rows(8)).removals.map(\.description), ["Note 7"])
    var plain = Inbox()
    try plain.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w"))
      context.modifying.notes.insert((1...5).map { Note(id: $0) })
    }
    expectTrue(plain.plan(evictingDownTo: .rows(0)).isEmpty)
  }

  @Test("A budget in bytes counts strings and lists, or what a closure returns")
  func bytes() throws {
    let inbox = try sample()
    let row = EvictionBudget.estimatedBytes(of: Note(id: 1, text: "1234"))
    expectEqual(row, MemoryLayout<Note>.stride + 4 + 1)
    let plan = inbox.plan(evictingDownTo: .bytes(70) { $0 is Note ? 10 : 25 })
    expectTrue(plan.size == 110 && plan.remainingSize == 70)
    expectEqual(plan.removals.map(\.description).count, 4)
    expectTrue(inbox.plan(evictingDownTo: .bytes(.max)).isEmpty)
    expectTrue(inbox.plan(evictingDownTo: .bytes(.max) { _ in .max }).isEmpty)
    expectTrue(inbox.plan(evictingDownTo: .bytes(0) { _ in .min }).isEmpty)
  }

  @Test("A plan for another version is refused, and nothing is removed")
  func stale() throws {
    var inbox = try sample()
    let plan = inbox.plan(evictingDownTo: .rows(5))
    let before = inbox
    try inbox.performBatchUpdates { $0.modifying.notes.touch([1], at: at(40)) }
    let error = #expect(throws: EvictionError.self) {
      try inbox.performBatchUpdates { try $0.remove(plan) }
    }
    expectEqual(
      error?.description,
      """
      the eviction was planned for another version of Inbox, in which other rows may be kept; \
      create a new plan
      """)
    expectTrue(inbox == before && inbox.noteAges.receivedAt(1) == at(40))
  }
}
