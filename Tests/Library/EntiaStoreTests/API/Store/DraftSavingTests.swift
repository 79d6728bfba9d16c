import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@Suite("Saving drafts beside observers, layers and other edits")
struct DraftSavingTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  @Test("An observer of the store may wait for a thread that edits the draft")
  func otherThread() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let draft = store.draft(\.searchText)
    let waited = Recorder<DispatchTimeoutResult>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        draft.update { $0 += "!" }
        done.signal()
      }
      waited.record(done.wait(timeout: .now() + 60))
    }
    draft.update { $0 = "draft" }
    try draft.save()
    expectEqual(waited.elements, [.success])
    expectTrue(
      store.state.searchText == "draft" && draft.value == "draft!" && draft.base == "draft")
    subscription.cancel()
    try draft.save()
    expectTrue(store.state.searchText == "draft!" && !draft.hasChanges)
  }

  @Test("A save is one commit, and keeps what an observer edits in the draft meanwhile")
  func observerEdits() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let draft = store.draft(\.library)
    let received = Recorder<String?>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      received.record(state.commitName)
      if received.count == 1 { draft.ref[entity: Book.EntityID(2)][\.title].value = "Later" }
    }
    store.ref(Book.EntityID(3), in: \.library)[\.title].value = "Store"
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Draft"
    try draft.save("Save")
    expectEqual(received.elements, [nil, "Save"])
    expectEqual(store.state.library.books.map(\.title), ["Draft", "Later", "Store"])
    subscription.cancel()

    let other = Recorder<String?>()
    let editing = store.sinkState(dropsFirst: true, queue: .passthrough) { state in
      other.record(state.commitName)
      if other.count == 1 { draft.ref[entity: Book.EntityID(2)][\.title].value = "Meanwhile" }
    }
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Again"
    try draft.save("Save")
    expectEqual(other.elements, ["Save"])
    expectEqual(store.state.library.books.map(\.title), ["Again", "Later", "Store"])
    expectTrue(
      draft.value.books.map(\.title) == ["Again", "Meanwhile", "Store"] && draft.hasChanges)
    try draft.save()
    expectEqual(store.state.library.books.map(\.title), ["Again", "Meanwhile", "Store"])
    expectFalse(draft.hasChanges)
    editing.cancel()
  }

  @Test("An edit during a save that contradicts the store is a conflict of the next save")
  func conflictMeanwhile() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let draft = store.draft(\.library)
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Draft"
    store.ref(Book.EntityID(2), in: \.library)[\.title].value = "Store"
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      draft.ref[entity: Book.EntityID(2)][\.title].value = "Meanwhile"
    }
    try draft.save()
    subscription.cancel()
    expectEqual(store.state.library.books.map(\.title), ["Draft", "Store", "Book 3"])
    expectEqual(draft.value.books.map(\.title), ["Draft", "Meanwhile", "Book 3"])
    let error = #expect(throws: MergeError.self) { try draft.save() }
    expectEqual(error?.conflicts.map(\.reason), [.edited])
    expectEqual(draft.value.books.map(\.title), ["Draft", "Meanwhile", "Book 3"])
  }

  @Test("A draft begins with the committed state, without layers")
  func layers() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let layer = try store.addLayer { $0.searchText = "layer" }
    let draft = store.draft(\.searchText)
    expectTrue(draft.value == "" && !draft.isOutdated && !draft.hasChanges)
    draft.update { $0 = "draft" }
    try draft.save()
    expectTrue(store.committedState.searchText == "draft" && !draft.isOutdated)
    draft.discard()
    expectEqual(draft.value, "draft")
    layer.rollBack()
    expectEqual(store.state.searchText, "draft")
  }

  @Test("A draft continues with the state that a middleware made of its save")
  func middleware() throws {
    let store = Store<Reading.State, Never>(
      initialState: try .sample(),
      middleware: [
        StoreMiddleware { _, after, _ in after.searchText = after.searchText.lowercased() }
      ])
    let draft = store.draft(\.searchText)
    draft.update { $0 = "DRAFT" }
    try draft.save()
    expectTrue(draft.value == "draft" && !draft.isOutdated && !draft.hasChanges)
    draft.update { $0 += " B" }
    try draft.save()
    expectEqual(store.state.searchText, "draft b")
  }
}
