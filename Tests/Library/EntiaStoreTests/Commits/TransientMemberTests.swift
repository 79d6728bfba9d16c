import EntiaDatabase
import EntiaLaws
import EntiaStore
import Testing

@Suite("Transient members in a store")
struct TransientMemberTests {
  typealias State = Flags.State
  typealias Part = any WritableKeyPath<State, Flags.Library> & Sendable

  static let parts: [Part] = [\.library, \.part.other]
  static let seeds: [UInt64] = (0..<scaled(40)).map { UInt64($0) &* 7919 &+ 1 }

  /// A store of a sample. Pointers into both databases register them, unless this is prevented.
  static func store(isRegistered: Bool = true) -> Store<State, Never> {
    let store = Store<State, Never>(initialState: .sample())
    if isRegistered {
      for path in parts { _ = store.ref(Flags.Note.EntityID(0), in: path) }
    }
    return store
  }

  @Test("Law 3: a commit of transient members is stored, and is neither a change nor an undo step")
  func commit() {
    let store = Self.store()
    let states = Recorder<State>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      states.record($0.primitive)
    }
    let before = store.state
    store.commit { state in state.library.edit(1) { $0.flag = 7 } }
    #expect(store.state.library.notes[1]?.flag == 7)
    #expect(before.library.notes[1]?.flag == 0)
    #expect(store.state == before && states.count == 0 && !store.canUndo)
    store.commit { $0.text = "b" }
    #expect(states.last?.library.notes[1]?.flag == 7)
    store.undo()
    #expect(store.state.text == "a" && store.state.library.notes[1]?.flag == 7)
    withExtendedLifetime(subscription) {}
  }

  @Test("A row beside the databases is stored too")
  func looseRow() {
    var state = State.sample()
    state.selected = Flags.Note(id: 9, title: 0)
    let store = Store<State, Never>(initialState: state)
    store.commit { $0.selected?.flag = 3 }
    #expect(store.state.selected?.flag == 3)
  }

  @Test("Commits with middleware, nested commits, pointers and drafts store them")
  func otherCommits() throws {
    let store = Self.store()
    let middleware = store.add(
      middleware: StoreMiddleware { before, state, _ in if state.text == "no" { state = before } })
    store.commit { state in state.library.edit(1) { $0.flag = 1 } }
    #expect(store.state.library.notes[1]?.flag == 1)
    store.commit { state in
      state.library.edit(1) { $0.flag = 2 }
      state.text = "no"
    }
    #expect(store.state.text == "a")
    middleware.cancel()
    store.commit { state in
      state.library.edit(2) { $0.flag = 4 }
      state.library.edit(3) { $0.flag = 5 }
      state.library.edit(2) { $0.title = 1 }
    }
    #expect(store.state.library.notes[2]?.flag == 4 && store.state.library.notes[3]?.flag == 5)
    let ref = store.ref(Flags.Note.EntityID(0), in: \.library)
    ref.value?.flag = 6
    #expect(store.state.library.notes[0]?.flag == 6 && ref.value?.flag == 6)
    ref.value?.title = 3
    #expect(store.state.library.notes[0]?.flag == 6)
    ref[\Flags.Note.flag].value = 7
    #expect(ref[\Flags.Note.flag].value == 7 && store.state.library.notes[0]?.title == 3)
    let draft = store.draft(\.library)
    draft.update { $0.edit(1) { $0.title = 5 } }
    store.commit { state in state.library.edit(2) { $0.flag = 8 } }
    try draft.save()
    #expect(store.state.library.notes[1]?.title == 5)
    #expect(store.state.library.notes[2]?.flag == 8)
    let partDraft = store.draft(\.part)
    partDraft.update { $0.isOpen = true }
    store.commit { state in state.part.other.edit(2) { $0.flag = 9 } }
    try partDraft.save()
    #expect(store.state.part.isOpen && store.state.part.other.notes[2]?.flag == 9)
  }

  @Test("A layer shows the members that it sets until it is rolled back")
  func layer() throws {
    let store = Store<State, Never>(initialState: .sample())
    let layer = try store.addLayer { state in state.library.edit(1) { $0.flag = 7 } }
    #expect(store.state.library.notes[1]?.flag == 7)
    store.commit { state in state.library.edit(2) { $0.flag = 8 } }
    #expect(store.state.library.notes[1]?.flag == 7 && store.state.library.notes[2]?.flag == 8)
    layer.rollBack()
    #expect(store.state.library.notes[1]?.flag == 0 && store.state.library.notes[2]?.flag == 8)
  }

  @Test("A history of other values restores those of the version")
  func historyOfValues() {
    var history = History(initialValue: State.sample())
    history.edit { $0.text = "b" }
    history.edit { state in state.library.edit(1) { $0.flag = 7 } }
    #expect(history.value.library.notes[1]?.flag == 7 && history.undoCount == 1)
    history.undo()
    #expect(history.value.text == "a" && history.value.library.notes[1]?.flag == 0)
    history.redo()
    #expect(history.value.text == "b" && history.value.library.notes[1]?.flag == 7)
  }

  @Test("A history of databases keeps them, also of databases that may be missing")
  func histories() {
    var history = History(initialValue: State.sample().library)
    history.edit { library in library.edit(1) { $0.title = 1 } }
    history.edit { library in library.edit(2) { $0.flag = 7 } }
    history.undo()
    #expect(history.value.notes[1]?.title == 0 && history.value.notes[2]?.flag == 7)
    var optional: History<Flags.Library?> = History(initialValue: nil)
    optional.value = history.value
    optional.edit { library in library?.edit(1) { $0.title = 1 } }
    optional.edit { library in library?.edit(2) { $0.flag = 8 } }
    optional.undo()
    #expect(optional.value?.notes[1]?.title == 0 && optional.value?.notes[2]?.flag == 8)
    optional.undo()
    #expect(optional.value == nil)
    optional.redo()
    #expect(optional.value?.notes[2]?.flag == 8)
  }

  @Test("A state that is a database keeps them at an undo")
  func wholeState() {
    let store = Store<Flags.Library, Never>(initialState: State.sample().library)
    store.commit { library in library.edit(1) { $0.title = 1 } }
    store.commit { library in library.edit(2) { $0.flag = 7 } }
    store.undo()
    #expect(store.state.notes[1]?.title == 0 && store.state.notes[2]?.flag == 7)
    store.redo()
    #expect(store.state.notes[1]?.title == 1 && store.state.notes[2]?.flag == 7)
  }

  @Test("The undo of a draft of a database keeps them, that of another draft restores them")
  func undoOfDrafts() {
    let store = Self.store()
    let draft = store.draft(\.library)
    draft.update { $0.edit(1) { $0.title = 1 } }
    draft.update { $0.edit(2) { $0.flag = 7 } }
    draft.undo()
    #expect(draft.value.notes[1]?.title == 0 && draft.value.notes[2]?.flag == 7)
    let partDraft = store.draft(\.part)
    partDraft.update { $0.isOpen = true }
    partDraft.update { $0.other.edit(2) { $0.flag = 7 } }
    partDraft.undo()
    #expect(!partDraft.value.isOpen && partDraft.value.other.notes[2]?.flag == 0)
  }

  @Test("An undo restores them where the store has not been passed the database's key path")
  func unregistered() {
    let store = Self.store(isRegistered: false)
    store.commit { $0.text = "b" }
    store.commit { state in state.part.other.edit(1) { $0.flag = 7 } }
    store.undo()
    #expect(store.state.part.other.notes[1]?.flag == 0)
    store.redo()
    #expect(store.state.text == "b" && store.state.part.other.notes[1]?.flag == 7)
    _ = store.ref(Flags.Note.EntityID(0), in: \.part.other)
    store.undo()
    #expect(store.state.text == "a" && store.state.part.other.notes[1]?.flag == 7)
  }

  /// A reading of all rows, by database and ID.
  private func rows(_ state: State) -> [[Int: Flags.Note]] {
    Self.parts.map { path in
      Dictionary(uniqueKeysWithValues: state[keyPath: path].notes.map { ($0.id, $0) })
    }
  }

  @Test(
    "Law 25: Only writes of a row and undo without its key path change its transient members",
    arguments: seeds, [true, false])
  func histories(seed: UInt64, isRegistered: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let store = Self.store(isRegistered: isRegistered)
    // The members that each row has had, by database and ID.
    var had = Self.parts.map { _ in [Int: Set<Int>]() }
    let states = Recorder<State>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      states.record($0.primitive)
    }
    var layers: [StoreLayer<State>] = []
    var drafts: [EditingDraft<Flags.Library>] = []
    for step in 0..<50 {
      let context = "seed \(seed), step \(step)"
      let (before, count, steps) = (store.state, states.count, store.undoNames.count)
      let hasLayers = !layers.isEmpty
      let path = Self.parts[random.number(in: 0..<2)]
      let (id, title, flag) = (
        random.number(in: 0..<5), random.number(in: 0..<3), random.number(in: 1..<1000)
      )
      var written: Int?
      // Drafts and the undo of a database register it.
      let operations = isRegistered ? Array(0..<14) : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12]
      let operation = operations[random.number(in: 0..<operations.count)]
      switch operation {
      case 0..<3:
        store.commit { state in state[keyPath: path].edit(id) { $0.flag = flag } }
        written = flag
        #expect(store.state == before && states.count == count && store.undoNames.count == steps)
        #expect(
          store.state[keyPath: path].notes[.init(id)].map(\.flag) ?? flag == flag, "\(context)")
      case 3:
        store.commit { state in state[keyPath: path].edit(id) { $0.title = title } }
      case 4:
        store.commit(undo: .none) { state in state[keyPath: path].edit(id) { $0.title = title } }
      case 5: store.commit { $0.number &+= 1 }
      case 6:
        store.commit(undo: .none) { state in state[keyPath: path].edit(id) { $0.flag = flag } }
        written = flag
      case 7, 8: store.undo()
      case 9: store.redo()
      case 10: if random.oneIn(2) { store.undo(path) } else { store.redo(path) }
      case 11:
        layers.append(
          try store.addLayer { state in state[keyPath: path].edit(id) { $0.title = title } })
      case 12:
        if let layer = layers.popLast() {
          if random.oneIn(2) { layer.rollBack() } else { try layer.confirm() }
        }
      default:
        if let draft = drafts.popLast(), random.oneIn(2) {
          draft.update { $0.edit(id) { $0.title = title } }
          do { try draft.save() } catch { #expect(error is MergeError, "\(context)") }
        } else {
          drafts.append(store.draft(path))
        }
      }
      for (number, rows) in rows(store.state).enumerated() {
        for (key, row) in rows where written == row.flag {
          had[number][key, default: []].insert(row.flag)
        }
      }
      // A layer may give an equal row to another one that an undo has restored.
      if operation > 6, hasLayers { continue }
      for (number, (old, new)) in zip(rows(before), rows(store.state)).enumerated() {
        for (key, row) in new where row == old[key] {
          let isWritten = written != nil && key == id && Self.parts[number] == path
          if !isRegistered, (7...9).contains(operation) {
            #expect(row.flag == 0 || had[number][key]?.contains(row.flag) == true, "\(context)")
          } else {
            #expect(row.flag == (isWritten ? written : old[key]?.flag), "\(context)")
          }
        }
      }
    }
    withExtendedLifetime(subscription) {}
  }
}
