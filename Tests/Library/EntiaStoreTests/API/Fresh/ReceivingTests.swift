import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

/// The state of an app with a cache.
struct Mailbox: Equatable, Sendable {
  var inbox = Inbox()
  var name = ""
}

func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

extension Store<Mailbox, Never> {
  /// A store with notes that were received one second after another.
  static func mailbox(_ ids: ClosedRange<Int> = 1...4) throws -> Store {
    let store = Store(initialState: Mailbox())
    try store.receive(ids.map { ($0, Double($0)) })
    return store
  }

  /// Inserts notes that are received at times, in a commit that is no undo step.
  func receive(_ notes: [(id: Int, time: Double)]) throws {
    try commit(undo: .none) { state in
      try state.inbox.performBatchUpdates { context in
        context.modifying.writers.insert(Writer(id: "w"), receivedAt: at(0))
        for (id, time) in notes {
          context.modifying.notes.insert(Note(id: id), receivedAt: at(time))
        }
      }
    }
  }

  func answer(_ request: NoteRequest, _ ids: [Int], at time: Double) throws {
    try commit(undo: .none) { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.answers.receive(
          ids.map { Note.EntityID($0) }, for: request, at: at(time))
      }
    }
  }
}

@Suite("Ages and answers in a store")
struct ReceivingTests {
  @Test("A commit that only records times is kept; it can be undone; the rows are equal")
  func onlyTimes() throws {
    let store = try Store.mailbox()
    let before = store.state
    try store.commit { state in
      try state.inbox.performBatchUpdates { $0.modifying.notes.touch([1], at: at(30)) }
    }
    expectTrue(store.state == before && store.state.inbox.noteAges.receivedAt(1) == at(30))
    expectTrue(store.undo() && store.state.inbox.noteAges.receivedAt(1) == at(1))
    expectTrue(store.redo() && store.state.inbox.noteAges.receivedAt(1) == at(30))
  }

  @Test("Undoing an edit keeps what was received since")
  func undo() throws {
    let store = try Store.mailbox()
    try store.commit { state in
      try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 1) { $0.text = "edited" }
      }
    }
    try store.receive([(2, 20), (9, 21)])
    expectTrue(store.undo())
    let inbox = store.state.inbox
    expectTrue(inbox.notes.find(by: 1)?.text == "" && inbox.noteAges.receivedAt(1) == at(1))
    expectTrue(inbox.noteAges.receivedAt(2) == at(20) && inbox.noteAges.receivedAt(9) == at(21))
    expectEqual(inbox.verify(), [])
  }

  @Test("What is received under a layer is visible above it, and a draft's edit is not fresh")
  func layersAndDrafts() throws {
    let store = try Store.mailbox()
    let layer = try store.addLayer("Edit") { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 1) { $0.text = "optimistic" }
      }
    }
    try store.receive([(2, 20)])
    expectEqual(store.state.inbox.noteAges.receivedAt(2), at(20))
    expectEqual(store.state.inbox.notes.find(by: 1)?.text, "optimistic")
    try layer.confirm()
    expectEqual(store.state.inbox.noteAges.receivedAt(1), at(1))
    let draft = store.draft(\.inbox)
    try draft.update { inbox in
      _ = try inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 3) { $0.text = "draft" }
      }
    }
    try store.receive([(4, 40)])
    _ = try draft.save()
    let inbox = store.state.inbox
    expectTrue(inbox.notes.find(by: 3)?.text == "draft" && inbox.noteAges.receivedAt(3) == at(3))
    expectTrue(inbox.noteAges.receivedAt(4) == at(40) && inbox.verify() == [])
  }

  @Test("A live query over an answer follows the answer and its rows, and nothing else")
  func answers() throws {
    let store = try Store.mailbox()
    let query = store.query(NoteRequest.all, of: Note.self, in: \.inbox)
    expectEqual(query.value, [])
    let seen = Recorder<[Int]>()
    let subscription = query.sinkState(queue: .passthrough) { seen.record($0.primitive.map(\.id)) }
    try store.answer(.all, [3, 1], at: 10)
    try store.answer(.by("w"), [2], at: 10)
    try store.answer(.all, [3, 1], at: 20)
    try store.commit { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 2) { $0.text = "other" }
      }
    }
    try store.commit { state in
      _ = try state.inbox.performBatchUpdates { $0.modifying.notes.remove(3) }
    }
    expectTrue(seen.elements == [[], [3, 1], [1]] && query.value.map(\.id) == [1])
    subscription.cancel()
  }

  @Test(
    "Stale are observed requests whose answer is missing, old or invalidated",
    .timeLimit(.minutes(15)))
  func stale() async throws {
    let store = try Store.mailbox()
    let clock = Clock(at(10))
    let all = store.query(NoteRequest.all, of: Note.self, in: \.inbox)
    let other = store.query(NoteRequest.by("x"), of: Note.self, in: \.inbox)
    let subscription = all.sinkState(queue: .passthrough) { _ in }
    var requests = store.stale(
      NoteRequest.self, of: Note.self, in: \.inbox, within: .seconds(60), every: .milliseconds(1),
      now: { clock.value }
    ).makeAsyncIterator()
    await expectEqual(requests.next(), .all)
    try store.answer(.all, [1], at: 10)
    clock.value = at(70)
    await expectEqual(requests.next(), .all)
    try store.answer(.all, [1], at: 70)
    try store.commit { state in
      _ = try state.inbox.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
    }
    await expectEqual(requests.next(), .all)
    // No answer came: it is stale again after the duration.
    clock.value = at(131)
    await expectEqual(requests.next(), .all)
    withExtendedLifetime((subscription, other)) {}
  }
}

/// A clock that is set by hand.
private final class Clock: Sendable {
  private let contents: Mutex<Date>

  init(_ value: Date) { contents = Mutex(value) }

  var value: Date {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}
