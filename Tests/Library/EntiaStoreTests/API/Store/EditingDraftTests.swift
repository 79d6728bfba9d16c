import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Editing drafts")
struct EditingDraftTests {
  typealias Author = Reading.Author
  typealias Book = Reading.Book

  private func makeStore() throws -> Store<Reading.State, Never> {
    Store(initialState: try .sample())
  }

  @Test("A draft is edited apart, and saved as one commit")
  func save() throws {
    let store = try makeStore()
    let draft = store.draft(\.library)
    expectTrue(!draft.hasChanges && !draft.isOutdated)
    let title = draft.ref[entity: Book.EntityID(1)][\.title]
    title.value = "Draft"
    draft.ref[entity: Book.EntityID(2)].value = nil
    expectTrue(draft.hasChanges && draft.value.books.count == 2)
    expectEqual(store.state.library.books.count, 3)
    expectTrue(draft.undo() && draft.value.books.count == 3 && draft.redo())
    let names = Recorder<String?>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      names.record($0.commitName)
    }
    try expectTrue(draft.save("Edit books").isEmpty)
    expectEqual(names.elements, ["Edit books"])
    expectEqual(store.state.library.books.map(\.title), ["Draft", "Book 3"])
    expectTrue(!draft.hasChanges && !draft.undo())
    title.value = "More"
    try draft.save()
    expectEqual(store.state.library.books.map(\.title), ["More", "Book 3"])
    store.undo()
    store.undo()
    expectEqual(store.state.library, (try Reading.State.sample()).library)
    subscription.cancel()
  }

  @Test("What the store changed meanwhile is merged, entity by entity")
  func merge() throws {
    let store = try makeStore()
    let draft = store.draft(\.library)
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Draft"
    store.ref(Book.EntityID(2), in: \.library)[\.title].value = "Store"
    expectTrue(draft.isOutdated)
    try draft.save()
    expectEqual(store.state.library.books.map(\.title), ["Draft", "Store", "Book 3"])
    expectTrue(draft.value == store.state.library && !draft.hasChanges && !draft.isOutdated)
  }

  @Test("A conflict is reported, and neither side is overwritten")
  func conflict() throws {
    let store = try makeStore()
    let draft = store.draft(\.library)
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Draft"
    draft.ref[entity: Book.EntityID(3)][\.title].value = "Fine"
    store.ref(Book.EntityID(1), in: \.library)[\.title].value = "Store"
    let (before, scratch) = (store.state, draft.value)
    let error = #expect(throws: MergeError.self) { try draft.save() }
    expectEqual(error?.conflicts.map(\.reason), [.edited])
    let message = error.map { "\($0)" } ?? ""
    expectTrue(message.contains("Book 1") && message.contains("\"Draft\""))
    expectTrue(store.state == before && draft.value == scratch && draft.hasChanges)
    expectEqual(draft.base, (try Reading.State.sample()).library)
    draft.discard()
    expectTrue(draft.value == store.state.library && !draft.hasChanges && !draft.isOutdated)
    expectFalse(draft.undo())
  }

  @Test("Rules resolve conflicts, and the result of the save lists them")
  func rules() throws {
    let store = try makeStore()
    var merge = ThreeWayMerge<Reading.Library>(otherwise: .mine)
    merge.mergeFields(of: Author.self, \.name, \.email)
    let draft = store.draft(\.library, merge: merge)
    draft.ref[entity: Author.EntityID(1)][\.name].value = "Draft"
    draft.ref[entity: Book.EntityID(1)][\.title].value = "Draft"
    store.ref(Author.EntityID(1), in: \.library)[\.email].value = "a@b.c"
    store.ref(Book.EntityID(1), in: \.library)[\.title].value = "Store"
    let conflicts = try draft.save()
    expectEqual(conflicts.map(\.outcome), [.mine], "in a draft, mine is the draft")
    expectEqual(
      conflicts.map { $0.fields.map { [$0.mine, $0.theirs] } }, [[["\"Draft\"", "\"Store\""]]])
    expectEqual(
      store.state.library.authors.find(by: 1), Author(id: 1, name: "Draft", email: "a@b.c"))
    expectEqual(store.state.library.books.find(by: 1)?.title, "Draft")
  }

  @Test("A row that one side of a draft removed is mine or theirs as the rule has it")
  func sides() throws {
    for (choice, removesInDraft, remains) in [
      (MergeChoice.mine, true, false), (.theirs, true, true), (.mine, false, true),
      (.theirs, false, false),
    ] {
      let store = try makeStore()
      let draft = store.draft(\.library, merge: ThreeWayMerge(otherwise: choice))
      let book = Book.EntityID(1)
      if removesInDraft {
        draft.ref[entity: book].value = nil
        store.ref(book, in: \.library)[\.title].value = "Store"
      } else {
        draft.ref[entity: book][\.title].value = "Draft"
        store.ref(book, in: \.library).value = nil
      }
      let conflicts = try draft.save()
      expectEqual(conflicts.map(\.reason), [removesInDraft ? .removedInMine : .removedInTheirs])
      expectEqual(store.state.library.books.contains(book), remains)
      expectEqual(store.state.library.verify(), [])
    }
  }

  @Test("What the database refuses is thrown, and the draft keeps its edits")
  func refused() throws {
    let store = try makeStore()
    let draft = store.draft(\.library)
    draft.ref[entity: Author.EntityID(2)].value = nil
    store.ref(Book.EntityID(3), in: \.library).value?.authorID = 2
    let before = store.state
    #expect(throws: (any Error).self) { try draft.save() }
    expectTrue(store.state == before && draft.hasChanges && draft.value.authors.count == 1)
  }

  @Test("A part that is no database is saved as a whole, unless the store changed it too")
  func plain() throws {
    let store = try makeStore()
    let draft = store.draft(\.searchText)
    draft.update { $0 = "draft" }
    store.ref(Book.EntityID(3), in: \.library)[\.title].value = "elsewhere"
    try draft.save()
    expectEqual(store.state.searchText, "draft")
    expectEqual(store.state.library.books.find(by: 3)?.title, "elsewhere")
    draft.update { $0 = "mine" }
    store.commit { $0.searchText = "theirs" }
    let error = #expect(throws: DraftConflict.self) { try draft.save() }
    expectEqual(
      error?.description,
      "the draft of String cannot be saved: draft became theirs in the store and mine in the "
        + "draft")
    expectTrue(store.state.searchText == "theirs" && draft.value == "mine")
    store.commit { $0.searchText = "mine" }
    try draft.save()
    expectTrue(!draft.hasChanges && store.state.searchText == "mine")
  }

  @Test("An edit that throws leaves the draft as it was; observers of a draft are notified")
  func edits() throws {
    let store = try makeStore()
    let draft = store.draft(\.searchText)
    let received = Recorder<String>()
    let subscription = draft.ref.addObserver { received.record($0) }
    #expect(throws: Refused()) {
      try draft.update { text in
        text = "lost"
        throw Refused()
      }
    }
    draft.ref.value = "kept"
    draft.discard()
    expectTrue(received.elements == ["kept", ""] && store.state.searchText == "")
    subscription.cancel()
  }
}
