import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Optimistic layers")
struct LayerTests {
  struct Post: StateType {
    var likes = 0
    var text = ""
    var tags: [String] = []
  }

  private let store = Store<Post, Never>(initialState: Post())

  @Test("A layer shows at once, and goes without a trace or becomes a commit")
  func one() throws {
    let received = Recorder<Int>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.likes) }
    let first = try store.addLayer("Like") { $0.likes += 1 }
    expectEqual(store.state.likes, 1)
    expectEqual(store.committedState.likes, 0)
    expectFalse(store.canUndo)
    expectTrue(first.rollBack())
    expectFalse(first.rollBack())
    expectFalse(first.isActive)
    let second = try store.addLayer("Like") { $0.likes += 1 }
    try second.confirm(undo: .step)
    expectEqual(store.state.likes, 1)
    expectEqual(store.committedState.likes, 1)
    expectEqual(store.undoNames, ["Like"])
    #expect(throws: StoreLayerError.ended(layer: "Like")) { try second.confirm() }
    store.undo()
    // Confirming what is shown already tells nobody.
    expectEqual(received.elements, [0, 1, 0, 1, 0])
    withExtendedLifetime(subscription) {}
  }

  @Test("Commits go beneath, and the layers come on top again")
  func replay() throws {
    let exclaim = try store.addLayer("Exclaim") { $0.text += "!" }
    store.commit("Write") { $0.text = "hello" }
    expectEqual(store.text, "hello!")
    store.commit("Write") { $0.text += " you" }
    expectEqual(store.text, "hello you!")
    expectTrue(store.undo())
    expectEqual(store.text, "hello!")
    exclaim.rollBack()
    expectEqual(store.text, "hello")
    expectTrue(store.redo())
    expectEqual(store.text, "hello you")
  }

  @Test("What the server made of it takes a layer's place")
  func other() throws {
    let layer = try store.addLayer("Tag") { $0.tags.append("draft") }
    let above = try store.addLayer("Like") { $0.likes += 1 }
    try layer.confirm { $0.tags.append("final") }
    expectEqual(store.state, Post(likes: 1, tags: ["final"]))
    expectEqual(store.layerNames, ["Like"])
    above.rollBack()
    expectEqual(store.state, Post(tags: ["final"]))
  }

  @Test("A refused confirmation leaves the layer, and says why")
  func refused() throws {
    let store = Store<Post, Never>(
      initialState: Post(),
      middleware: [
        StoreMiddleware { _, after, _ in if after.likes > 1 { throw Refused(reason: "too many") } }
      ])
    let layer = try store.addLayer { $0.likes = 2 }
    #expect(throws: Refused(reason: "too many")) { try layer.confirm() }
    #expect(throws: Refused(reason: "lost")) {
      try layer.confirm { _ in throw Refused(reason: "lost") }
    }
    expectTrue(layer.isActive)
    expectEqual(store.state.likes, 2)
    expectEqual(store.committedState.likes, 0)
    layer.rollBack()
    expectEqual(store.state.likes, 0)
  }

  @Test("A layer that no longer fits is passed over and reported, until it fits again")
  func passedOver() throws {
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    store.commit { $0.tags = ["a"] }
    let layer = try store.addLayer("Mark") { post in
      guard !post.tags.isEmpty else { throw Refused(reason: "no tag") }
      post.tags[0] += "*"
    }
    #expect(throws: Refused(reason: "no")) {
      try store.addLayer { _ in throw Refused(reason: "no") }
    }
    expectEqual(store.tags, ["a*"])
    store.commit { $0.tags = [] }
    expectTrue(store.tags.isEmpty)
    expectEqual(problems.elements, [#"the layer Mark was ignored: Refused(reason: "no tag")"#])
    store.commit { $0.tags = ["b"] }
    expectEqual(store.tags, ["b*"])
    expectTrue(layer.isActive)
  }

  @Test("An edit is shown while work is under way, and what the work gave is committed")
  func work() async throws {
    let store = store
    let result = try await store.withLayer("Like") {
      $0.likes += 1
    } until: {
      expectEqual(store.state.likes, 1)
      return 41
    } confirm: {
      $0.likes = $1
    }
    expectEqual(result, 41)
    expectEqual(store.state.likes, 41)
    await #expect(throws: Refused()) {
      try await store.withLayer("Like") {
        $0.likes += 1
      } until: {
        expectEqual(store.state.likes, 42)
        throw Refused()
      } confirm: { _, _ in
      }
    }
    expectEqual(store.state.likes, 41)
  }

  private let insert: @Sendable (Int, Reading.Author.EntityID, inout Reading.State) throws -> Void =
    {
      id, author, state in
      try state.library.performBatchUpdates { context in
        _ = context.modifying.books.insert(Reading.Book(id: id, title: "New", authorID: author))
      }
    }

  @Test("A layer that names what was removed since is not confirmed, and is passed over")
  func lostTarget() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let insert = insert
    let layer = try store.addLayer("Write") { state in
      state.searchText = "new"
      try insert(7, 2, &state)
    }
    expectTrue(store.state.library.books.count == 4 && store.searchText == "new")
    try store.commit { state in
      try state.library.performBatchUpdates { _ = $0.modifying.authors.remove(2) }
    }
    let reason = "the batch was refused: Book 7: bookAuthor requires Author 2, which does not exist"
    expectTrue(store.state.library.books.count == 3 && store.searchText == "")
    expectEqual(problems.elements, ["the layer Write was ignored: \(reason)"])
    let committed = store.committedState
    let error = #expect(throws: BatchError.self) { try layer.confirm() }
    expectEqual(error?.description, reason)
    let other = #expect(throws: BatchError.self) { try layer.confirm { try insert(8, 2, &$0) } }
    expectEqual(
      other?.description,
      "the batch was refused: Book 8: bookAuthor requires Author 2, which does not exist")
    expectTrue(layer.isActive && store.committedState == committed)
    // The author is back, and the layer fits again.
    store.undo()
    expectEqual(store.searchText, "new")
    try layer.confirm()
    expectEqual(store.committedState.library.books.count, 4)
    expectEqual(store.committedState.library.verify(), [])
  }

  @Test(
    "An undo keeps what a confirmed layer changed outside databases, though a target is missing",
    arguments: [true, false])
  func confirmedOutsideDatabases(isRegistered: Bool) throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    if isRegistered { _ = store.entity(Reading.Author.EntityID(1), in: \.library) }
    let problems = Recorder<String>()
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let insert = insert
    try store.commit("Author") { state in
      try state.library.performBatchUpdates {
        _ = $0.modifying.authors.insert(Reading.Author(id: 7, name: "Eva"))
      }
    }
    let layer = try store.addLayer("Write") { state in
      state.searchText = "new"
      try insert(7, 7, &state)
    }
    try layer.confirm()
    try store.commit(undo: .none) { state in
      try state.library.performBatchUpdates { _ = $0.modifying.books.remove(7) }
    }
    expectTrue(store.undo() && store.state.library.authors.count == 2)
    expectEqual(store.searchText, isRegistered ? "new" : "")
    expectEqual(problems.count, isRegistered ? 0 : 1)
    expectEqual(store.state.library.verify(), [])
  }

  @Test("A layer may name what was missing when it was added, as any batch may")
  func missingTarget() throws {
    let store = Store<Reading.State, Never>(initialState: try .sample())
    let insert = insert
    let layer = try store.addLayer { try insert(7, 9, &$0) }
    store.commit { $0.searchText = "x" }
    expectEqual(store.state.library.books.count, 4)
    try layer.confirm()
    expectEqual(store.committedState.library.books.count, 4)
  }

  @Test("Databases are found wherever a state has them")
  func nestedDatabases() throws {
    struct Shelves: Equatable, Sendable {
      var named: [String: Reading.Library]
      var optional: Reading.Library?
      var libraries: [Reading.Library]
    }
    let sample = try Reading.State.sample()
    let edits: [@Sendable (inout Shelves, (inout Reading.Library) throws -> Void) throws -> Void] =
      [
        { try $1(&$0.named["b", default: Reading.Library()]) },
        { shelves, edit in
          guard var library = shelves.optional else { return }
          try edit(&library)
          shelves.optional = library
        },
        { try $1(&$0.libraries[1]) },
      ]
    for edit in edits {
      let store = Store<Shelves, Never>(
        initialState: Shelves(
          named: ["a": sample.library, "b": sample.library],
          optional: sample.library, libraries: [sample.library, sample.library]))
      let layer = try store.addLayer { shelves in
        try edit(&shelves) { library in
          try library.performBatchUpdates { context in
            _ = context.modifying.books.insert(Reading.Book(id: 7, title: "New", authorID: 2))
          }
        }
      }
      try store.commit { shelves in
        try edit(&shelves) { library in
          try library.performBatchUpdates { _ = $0.modifying.authors.remove(2) }
        }
      }
      let committed = store.committedState
      #expect(throws: BatchError.self) { try layer.confirm() }
      expectEqual(store.committedState, committed)
    }
  }

  /// A committed edit in the model.
  private struct Entry {
    let edit: Int
    let isStep: Bool
    var isUndone = false
  }

  /// What happened, kept as a list: the state a store shows must be the committed edits in their
  /// order, without those that are undone, and then those of the layers in theirs.
  @Test(
    "Laws 23 and 25: any history of commits, undo, redo and layers equals its replay",
    arguments: 0..<scaled(20))
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<[Int], Never>(initialState: [])
    let received = Recorder<[Int]>()
    let subscription = store.sinkState(queue: .passthrough) { received.record($0.primitive) }
    var log: [Entry] = []
    var layers: [(layer: StoreLayer<[Int]>, edit: Int)] = []
    @Sendable func edit(_ list: inout [Int], _ number: Int) {
      // Depends on what is there, so that the order matters.
      if let index = list.firstIndex(of: number) {
        list.remove(at: index)
      } else {
        list.insert(number, at: list.count / 2)
      }
    }
    func note(_ number: Int, isStep: Bool) {
      if isStep { log.removeAll(where: \.isUndone) }
      log.append(Entry(edit: number, isStep: isStep))
    }
    for _ in 0..<60 {
      let number = Int.random(in: 0..<6, using: &random)
      let isStep = Bool.random(using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        store.commit(undo: isStep ? .step : .none) { edit(&$0, number) }
        note(number, isStep: isStep)
      case 2, 3:
        layers.append((try store.addLayer("\(number)") { edit(&$0, number) }, number))
      case 4:
        guard let place = layers.indices.randomElement(using: &random) else { continue }
        try layers[place].layer.confirm(undo: isStep ? .step : .none)
        note(layers.remove(at: place).edit, isStep: isStep)
      case 5:
        guard let place = layers.indices.randomElement(using: &random) else { continue }
        expectTrue(layers.remove(at: place).layer.rollBack())
      case 6:
        // Redone in the order in which they were undone, the last one first: the first in the log.
        let next = log.firstIndex { $0.isStep && $0.isUndone }
        expectEqual(store.redo(), next != nil)
        if let next { log[next].isUndone = false }
      default:
        let last = log.lastIndex { $0.isStep && !$0.isUndone }
        expectEqual(store.undo(), last != nil)
        if let last { log[last].isUndone = true }
      }
      var committed: [Int] = []
      for entry in log where !entry.isUndone { edit(&committed, entry.edit) }
      var shown = committed
      for layer in layers { edit(&shown, layer.edit) }
      expectEqual(store.state, shown, "seed \(seed)")
      expectEqual(store.committedState, committed, "seed \(seed)")
      expectEqual(received.last, shown, "seed \(seed)")
    }
    let states = received.elements
    expectTrue(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
    withExtendedLifetime(subscription) {}
  }
}
