import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaStore

@Suite("Recorded and replaced parts")
struct ReplacementTests {
  struct State: Equatable, Sendable {
    var library = Library()
    var count = 0
  }

  typealias LibraryStore = Store<State, Never>

  /// The recorded changes of a store's library, by the numbers of authors before and after.
  private final class Recording: Sendable {
    let changes = Recorder<String>()
    let commits = Recorder<Int>()
    let ends = Recorder<Int>()
    let part: SharedPart<Library>

    init(_ store: LibraryStore) throws {
      let part = try store.recordChanges(
        of: \.library, validate: { _ in },
        onChange: { [changes] old, new, name in
          changes.record("\(name ?? "-") \(old.authors.count) \(new.authors.count)")
        },
        onCommit: { [commits] in commits.record(1) }, onEnd: { [ends] in ends.record(1) })
      self.part = try #require(part)
    }
  }

  private let store = LibraryStore(initialState: State())

  private func insert(_ id: String, _ name: String? = nil) throws {
    try store.tryCommit(name) { try Self.insert(id, &$0.library) }
  }

  private static func insert(_ id: String, _ library: inout Library) throws {
    try library.performBatchUpdates {
      _ = $0.modifying.authors.insert(Author(id: id, name: id))
    }
  }

  private func version(_ ids: String...) throws -> Library {
    var library = store.committedState.library
    for id in ids { try Self.insert(id, &library) }
    return library
  }

  @Test("Every kind of commit that changes the part is recorded, in order, once")
  func recorded() throws {
    let recording = try Recording(store)
    try insert("a", "Commit")
    store.commit("Other") { $0.count += 1 }
    store.commit("Again") { $0.count += 1 }
    store.undo()
    store.undo()
    store.undo()
    store.redo()
    store.undo(\.library)
    store.redo(\.library)
    let layer = try store.addLayer("Layer") { try Self.insert("l", &$0.library) }
    try layer.confirm()
    let draft = store.draft(\.library)
    try draft.update { try Self.insert("d", &$0) }
    try draft.save("Draft")
    #expect(throws: BatchError.aborted) {
      try store.tryCommit { state in
        try Self.insert("no", &state.library)
        throw BatchError.aborted
      }
    }
    expectEqual(
      recording.changes.elements,
      [
        "Commit 0 1", "Undo Commit 1 0", "Redo Commit 0 1", "Undo Commit 1 0", "Redo Commit 0 1",
        "Layer 1 2", "Draft 2 3",
      ])
    #expect(recording.commits.elements.count > 7)
    recording.part.observation.end()
    try insert("late")
    expectEqual(recording.changes.elements.count, 7)
  }

  @Test("A part has one recording, and may be saved besides")
  func once() throws {
    let recording = try Recording(store)
    let second = try store.recordChanges(
      of: \.library, validate: { _ in }, onChange: { _, _, _ in }, onCommit: {}, onEnd: {})
    expectNil(second)
    expectTrue(store.observeCommits(of: \.library, onCommit: {}, onEnd: {}) != nil)
    expectNil(store.observeCommits(of: \.library, onCommit: {}, onEnd: {}))
    recording.part.observation.end()
    _ = try Recording(store)
    #expect(throws: BatchError.aborted) {
      _ = try LibraryStore(initialState: State()).recordChanges(
        of: \.library, validate: { _ in throw BatchError.aborted }, onChange: { _, _, _ in },
        onCommit: {}, onEnd: {})
    }
  }

  @Test("A replacement is one commit, no undo step and not recorded; undo keeps it")
  func replaced() throws {
    let recording = try Recording(store)
    let seen = Recorder<Int>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      seen.record($0.library.authors.count)
    }
    try insert("a", "Mine")
    let theirs = try version("b", "c")
    recording.part.replace("Theirs") { _ in theirs }
    expectEqual(recording.changes.elements, ["Mine 0 1"])
    expectEqual(seen.elements, [1, 3])
    expectEqual(store.undoNames, ["Mine"])
    expectTrue(store.undo())
    expectEqual(store.state.library.authors.map(\.name).sorted(), ["b", "c"])
    expectTrue(store.redo())
    expectEqual(store.state.library.authors.map(\.name).sorted(), ["a", "b", "c"])
    expectEqual(recording.changes.elements.count, 3)
    recording.part.replace(nil) { _ in nil }
    expectEqual(seen.elements, [1, 3, 2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test("An equal replacement notifies no observer, and is the new version")
  func equal() throws {
    let recording = try Recording(store)
    try insert("a")
    var equal = Library()
    try Self.insert("a", &equal)
    let seen = Recorder<Int>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      seen.record(1)
    }
    for hasLayer in [false, true] {
      if hasLayer { _ = try store.addLayer { _ in } }
      recording.part.replace(nil) { [equal] _ in equal }
      expectTrue(store.committedState.library.snapshot.isIdentical(to: equal.snapshot))
    }
    expectTrue(seen.elements.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test("Hooks run for the other parts; they neither refuse a replacement nor change its part")
  func hooks() throws {
    let problems = Recorder<String>()
    let store = LibraryStore(
      initialState: State(),
      middleware: [
        StoreMiddleware { _, after, _ in
          after.count += 1
          if after.library.authors.count == 2 { throw BatchError.aborted }
          after.library = Library()
        }
      ])
    store.onProblem { problems.record("\($0)") }.storeWhileSourceActive()
    let recording = try Recording(store)
    var one = Library()
    try Self.insert("a", &one)
    var two = one
    try Self.insert("b", &two)
    recording.part.replace("One") { [one] _ in one }
    expectEqual(store.state, State(library: one, count: 1))
    recording.part.replace("Two") { [two] _ in two }
    expectEqual(store.state, State(library: two, count: 1))
    expectEqual(
      problems.elements, ["a refusal of the commit Two was ignored: the batch was aborted"])
    expectTrue(recording.changes.elements.isEmpty)
  }

  @Test("A replacement that changes another recorded part through a hook is recorded there")
  func otherPart() throws {
    struct Two: Equatable, Sendable {
      var first = Library()
      var second = Library()
    }
    let store = Store<Two, Never>(
      initialState: Two(),
      middleware: [StoreMiddleware { _, after, _ in after.second = after.first }])
    let recorded = Recorder<Int>()
    let first = try store.recordChanges(
      of: \.first, validate: { _ in }, onChange: { _, _, _ in recorded.record(1) }, onCommit: {},
      onEnd: {})
    let second = try store.recordChanges(
      of: \.second, validate: { _ in }, onChange: { _, _, _ in recorded.record(2) }, onCommit: {},
      onEnd: {})
    var one = Library()
    try Self.insert("a", &one)
    first?.replace(nil) { [one] _ in one }
    expectEqual(recorded.elements, [2])
    expectTrue(second != nil)
  }

  @Test("A replacement stays below optimistic layers")
  func layers() throws {
    let recording = try Recording(store)
    let layer = try store.addLayer { try Self.insert("l", &$0.library) }
    let theirs = try version("a")
    recording.part.replace(nil) { _ in theirs }
    expectEqual(store.committedState.library.authors.map(\.name), ["a"])
    expectEqual(store.state.library.authors.map(\.name), ["a", "l"])
    layer.rollBack()
    expectEqual(store.state.library.authors.map(\.name), ["a"])
  }
}
