import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Transient members in a store")
struct TransientMemberTests {
  private func flag(_ store: Store<Flags.State, Never>, _ id: Int) -> Int? {
    store.state.library.notes[Flags.Note.EntityID(id)]?.flag
  }

  @Test("Law 3: a commit of transient members notifies, and is an undo step")
  func commit() {
    let store = Store<Flags.State, Never>(initialState: .sample())
    let states = Recorder<Flags.State>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      states.record($0.primitive)
    }
    let before = store.state
    store.commit { state in state.library.edit(1) { $0.flag = 7 } }
    expectTrue(flag(store, 1) == 7 && store.state != before && states.count == 1)
    store.commit { $0.text = "b" }
    store.undo()
    expectTrue(store.state.text == "a" && flag(store, 1) == 7)
    store.undo()
    expectEqual(store.state, before)
    store.redo()
    expectTrue(flag(store, 1) == 7 && states.count == 5)
    withExtendedLifetime(subscription) {}
  }

  @Test("Conflicts name those that differ")
  func conflicts() throws {
    let base = Flags.State.sample().library
    let versions = (5...6).map { number in
      var library = base
      library.performBatchUpdates { context in
        var note = Flags.Note(id: 9, title: 1)
        note.flag = number
        context.modifying.notes.insert(note)
      }
      library.edit(0) { $0.flag = number }
      return library
    }
    let error = #expect(throws: MergeError.self) {
      try versions[0].merging(versions[1], base: base)
    }
    expectEqual(error?.conflicts.map(\.members), [["storedFlag"], ["storedFlag"]])
  }

  @Test("Pointers, drafts and layers have them")
  func otherWrites() throws {
    let store = Store<Flags.State, Never>(initialState: .sample())
    let ref = store.ref(Flags.Note.EntityID(0), in: \.library)
    ref.value?.flag = 6
    expectTrue(ref.value?.flag == 6 && store.canUndo)
    ref[\Flags.Note.flag].value = 7
    expectTrue(ref[\Flags.Note.flag].value == 7 && flag(store, 0) == 7)
    let draft = store.draft(\.library)
    draft.update { $0.edit(1) { $0.title = 5 } }
    draft.update { $0.edit(2) { $0.flag = 3 } }
    store.commit { state in state.library.edit(1) { $0.flag = 8 } }
    try draft.save()
    expectTrue(store.state.library.notes[1]?.title == 5 && flag(store, 1) == 8)
    expectEqual(flag(store, 2), 3)
    let layer = try store.addLayer { state in state.library.edit(3) { $0.flag = 9 } }
    expectEqual(flag(store, 3), 9)
    layer.rollBack()
    expectEqual(flag(store, 3), 0)
  }
}
