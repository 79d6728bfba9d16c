import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaStore

/// Something that reads or edits the notes 2 and 4 of a store, and keeps them from eviction.
enum RowKeeping: CaseIterable, Sendable {
  case handle, entity, entities, query, counted, answer, related, inverse, layer, equalLayer, draft
  case wholeDraft, tracked, window, joined, joinedWithout

  /// Whether the value can be observed.
  var isObservable: Bool {
    switch self {
    case .layer, .equalLayer, .draft, .wholeDraft, .tracked: false
    default: true
    }
  }

  /// Returns the object that keeps the rows, with its subscriptions.
  func keeper(in store: Store<Mailbox, Never>, isObserved: Bool) throws -> [Any] {
    func observed<Value: StateObservable>(_ value: Value) -> [Any] {
      isObserved ? [value.sinkState(queue: .passthrough) { _ in }] : [value]
    }
    let ids: [Note.EntityID] = [2, 4]
    switch self {
    case .handle:
      return ids.compactMap { store.handle(of: $0, in: \.inbox) }.flatMap { observed($0) }
    case .entity: return ids.flatMap { observed(store.entity($0, in: \.inbox)) }
    case .entities: return observed(store.entities(ids, in: \.inbox))
    case .query:
      return observed(store.query(FetchDescriptor<Note> { $0.text == "kept" }, in: \.inbox))
    case .counted:
      let query = store.query(FetchDescriptor<Note> { $0.text == "kept" }, in: \.inbox)
      return observed(query.derived(.map(\.count)))
    case .answer:
      try store.answer(.all, [4, 2], at: 10)
      return observed(store.query(NoteRequest.all, of: Note.self, in: \.inbox))
    case .related: return observed(store.related(ids[1], \Inbox.Contents.noteParent, in: \.inbox))
    case .inverse:
      return observed(store.related(ids[0], inverse: \Inbox.Contents.noteParent, in: \.inbox))
    case .layer:
      return [try store.addLayer("Reply") { try $0.edit() }]
    case .equalLayer:
      // The rows already have the values.
      return [
        try store.addLayer("Reply") { state in
          try state.inbox.performBatchUpdates { context in
            _ = context.modifying.notes.updateIfExists(id: 4) { $0.parentID = 2 }
          }
        }
      ]
    case .window:
      // Only the note 2 is in the result; the note 4 is before it.
      return observed(
        store.query(
          FetchDescriptor<Note>(
            sortBy: [SortDescriptor(\.id, order: .reverse)], fetchLimit: 1, fetchOffset: 1
          ) { $0.text == "kept" }, in: \.inbox))
    case .joined:
      // The note 2 has a reply, which is the note 4.
      return observed(
        store.query(
          FetchDescriptor<Note>().joining(
            inverse: \Inbox.Contents.noteParent, matching: .atLeast(1)), in: \.inbox))
    case .joinedWithout:
      // The result is empty. Without its reply, the note 2 would be in it.
      return observed(
        store.query(
          FetchDescriptor<Note> { $0.text == "kept" && $0.id < 3 }
            .joining(inverse: \Inbox.Contents.noteParent, matching: .none), in: \.inbox))
    case .draft:
      let draft = store.draft(\.inbox)
      try draft.update { try $0.edit() }
      return [draft]
    case .wholeDraft:
      let draft = store.draft(\.self)
      try draft.update { try $0.edit() }
      return [draft]
    case .tracked:
      withObservationTracking {
        for id in ids { _ = store.table(Note.self, in: \.inbox).find(by: id) }
      } onChange: {
      }
      return []
    }
  }
}

extension Mailbox {
  /// Changes the notes 2 and 4.
  fileprivate mutating func edit() throws { try inbox.edit() }
}

extension Inbox {
  fileprivate mutating func edit() throws {
    try performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: 2) { $0.text = "edited" }
      context.modifying.notes.updateIfExists(id: 4) { $0.text = "edited" }
    }
  }
}

@Suite("Rows that a store keeps from eviction")
struct KeptRowsTests {
  /// A store with the notes 1 to 6, of which 4 is a reply to 2.
  private func store() throws -> Store<Mailbox, Never> {
    let store = try Store.mailbox(1...6)
    try store.commit(undo: .none) { state in
      _ = try state.inbox.performBatchUpdates { context in
        context.modifying.notes.updateIfExists(id: 2) { $0.text = "kept" }
        context.modifying.notes.updateIfExists(id: 4) {
          $0.text = "kept"
          $0.parentID = 2
        }
      }
    }
    return store
  }

  private func ids(_ store: Store<Mailbox, Never>) -> [Int] {
    store.state.inbox.notes.map(\.id).sorted()
  }

  @Test(
    "Each reader and editor keeps its rows while it exists, observed or not",
    arguments: RowKeeping.allCases, [false, true])
  func evict(keeping: RowKeeping, isObserved: Bool) throws {
    if isObserved, !keeping.isObservable { return }
    let store = try store()
    var keepers = try keeping.keeper(in: store, isObserved: isObserved)
    store.evict(\.inbox, downTo: .rows(0))
    expectEqual(ids(store), [2, 4])
    if keeping == .tracked { return }
    for case let subscription as StoreSubscription in keepers { subscription.cancel() }
    for case let layer as StoreLayer<Mailbox> in keepers { layer.rollBack() }
    keepers = []
    store.evict(\.inbox, downTo: .rows(0))
    expectTrue(ids(store) == [] && store.state.inbox.verify() == [])
  }

  @Test(
    "The same in the background", .timeLimit(.minutes(15)),
    arguments: RowKeeping.allCases, [false, true])
  func keepFresh(keeping: RowKeeping, isObserved: Bool) async throws {
    if isObserved, !keeping.isObservable { return }
    let store = try store()
    let keepers = try keeping.keeper(in: store, isObserved: isObserved)
    let eviction = store.keepFresh(
      \.inbox, FreshnessPolicy(budget: .rows(0), interval: .milliseconds(1)))
    while ids(store).count > 2 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(5))
    expectEqual(ids(store), [2, 4])
    eviction.cancel()
    withExtendedLifetime(keepers) {}
  }

  @Test("Drafts of other parts, and drafts without changes, keep nothing")
  func drafts() throws {
    let store = try store()
    let other = store.draft(\.name)
    other.update { $0 = "new" }
    let unchanged = store.draft(\.inbox)
    store.evict(\.inbox, downTo: .rows(1))
    expectEqual(ids(store), [])
    try other.save()
    expectEqual(store.state.name, "new")
    withExtendedLifetime(unchanged) {}
  }

  @Test("A draft can be saved after an eviction, and its rows are evicted then")
  func saving() throws {
    let store = try store()
    let draft = store.draft(\.inbox)
    try draft.update { try $0.edit() }
    store.evict(\.inbox, downTo: .rows(0))
    try draft.save()
    expectEqual(store.state.inbox.notes.map(\.text), ["edited", "edited"])
    store.evict(\.inbox, downTo: .rows(0))
    expectEqual(ids(store), [])
  }
}

@Suite("A cache that appears later")
struct LateCacheTests {
  private struct Optionals: Equatable, Sendable {
    var inbox: Inbox?
    var others: [String: Inbox] = [:]
  }

  @Test("A commit that only records times is kept in a database that appeared later")
  func late() throws {
    let store = Store<Optionals, Never>(initialState: Optionals())
    var inbox = Inbox()
    try inbox.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w"))
      context.modifying.notes.insert(Note(id: 1), receivedAt: at(1))
    }
    store.commit { [inbox] state in
      state.inbox = inbox
      state.others["a"] = inbox
    }
    let before = store.state
    try store.commit { state in
      _ = try state.inbox?.performBatchUpdates { $0.modifying.notes.touch([1], at: at(2)) }
    }
    expectTrue(store.state.inbox?.noteAges.receivedAt(1) == at(2) && store.state == before)
    try store.commit { state in
      _ = try state.others["a"]?.performBatchUpdates { $0.modifying.notes.touch([1], at: at(3)) }
    }
    expectEqual(store.state.others["a"]?.noteAges.receivedAt(1), at(3))
    let version = store.core.current.version
    store.commit { _ in }
    expectEqual(store.core.current.version, version)
  }

  @Test("A state that cannot have other databases is compared as before")
  func fixed() {
    struct Plain: Equatable, Sendable {
      var name: String? = nil
      var numbers: [Int] = []
      var selected: Note.EntityID? = nil
      var inbox = Library()
    }
    expectFalse(StateDatabases(of: Plain()).canVary)
    expectTrue(StateDatabases(of: Optionals()).canVary)
  }
}
