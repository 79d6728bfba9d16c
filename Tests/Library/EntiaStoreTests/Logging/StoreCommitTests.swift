import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("The parts that a commit changed")
struct StoreCommitTests {
  struct State: StateType {
    var library = Reading.Library()
    var other: Reading.Library?
    var number = 0
  }

  private let commits = Recorder<StoreCommit>()

  private func makeStore() throws -> Store<State, Never> {
    let start = try Reading.State.sample().library
    return Store(
      initialState: State(library: start),
      logger: StoreLogger { [commits] entry in
        if case .committed(let commit) = entry { commits.record(commit) }
      })
  }

  @Test("An optional database that appears or disappears has all its rows")
  func optional() throws {
    let store = try makeStore()
    store.commit { $0.other = $0.library }
    expectEqual(commits.last?.parts.map(\.description), ["other (5 rows)"])
    expectEqual(commits.last?.parts.map(\.details), ["Author: 2 inserted\nBook: 3 inserted"])
    expectEqual(commits.last?.changedRows, 5)
    try store.commit { state in
      state.number = 1
      try state.other?.performBatchUpdates { $0.modifying.books[1]?.title = "new" }
    }
    expectEqual(commits.last?.parts.map(\.description), ["other (1 row)", "number"])
    store.commit { $0.other = nil }
    expectEqual(commits.last?.parts.map(\.description), ["other (5 rows)"])
    expectEqual(commits.last?.parts.map(\.details), ["Author: 2 removed\nBook: 3 removed"])
    store.undo()
    expectEqual(commits.last?.parts.map(\.description), ["other (5 rows)"])
    store.commit { $0.other = Reading.Library() }
    expectEqual(commits.last?.changedRows, 5)
    store.commit { $0.other = nil }
    expectEqual(commits.last?.parts.map(\.description), ["other (0 rows)"])
    store.commit { $0.number = 7 }
    expectEqual(commits.last?.parts.map(\.description), ["number"])
  }

  @Test("A database is one part, also if another key of the dictionary begins with its key")
  func dottedKeys() throws {
    struct Shelves { var libraries: [String: Reading.Library] = [:] }
    let library = try Reading.State.sample().library
    let commits = commits
    let store = Store<Shelves, Never>(
      initialState: Shelves(libraries: ["b": library, "b.x": Reading.Library()]),
      logger: StoreLogger { entry in
        if case .committed(let commit) = entry { commits.record(commit) }
      },
      isEqual: { _, _ in false })
    store.commit { $0.libraries["b"] = nil }
    expectEqual(commits.last?.parts.map(\.description), ["libraries.b (5 rows)"])
    store.commit { $0.libraries["b"] = library }
    expectEqual(commits.last?.parts.map(\.description), ["libraries.b (5 rows)"])
  }

  @Test("A changed row is one line, whatever line breaks its members have")
  func lineBreaks() throws {
    let library = try Reading.State.sample().library
    var changed = library
    try changed.performBatchUpdates { $0.modifying.books[1]?.title = "x\n+ Book(2)\r\ny" }
    let lines = changed.changes(since: library).debugDescription.split(separator: "\n")
    expectEqual(lines.count, 1)
    expectEqual(lines.first?.hasSuffix(#"-> "x\n+ Book(2)\ny""#), true)
  }

  @Test("A state that is an optional database has all its rows")
  func whole() throws {
    let commits = commits
    let store = Store<Reading.Library?, Never>(
      initialState: nil,
      logger: StoreLogger { entry in
        if case .committed(let commit) = entry { commits.record(commit) }
      })
    let library = try Reading.State.sample().library
    store.commit { $0 = library }
    expectEqual(commits.last?.parts.map(\.description), ["state (5 rows)"])
    store.commit { $0 = nil }
    expectEqual(commits.last?.parts.map(\.description), ["state (5 rows)"])
  }

  @Test("An unexpected optional database is reported by its rows")
  func expected() throws {
    let store = try makeStore()
    let found = #expect(throws: UnexpectedState.self) {
      try store.expectChanges({ $0.number = 0 }, when: { store.commit { $0.other = $0.library } })
    }
    expectEqual(found?.differences.count, 1)
    expectEqual(found?.description.contains("other: found Library, expected nil:\n"), true)
    expectEqual(found?.description.contains("    + Author("), true)
    let missing = #expect(throws: UnexpectedState.self) {
      try store.expectChanges({ $0.number = 0 }, when: { store.commit { $0.other = nil } })
    }
    expectEqual(missing?.differences.count, 1)
    expectEqual(missing?.description.contains("other: found nil, expected Library:\n"), true)
    expectEqual(missing?.description.contains("    - Book("), true)
  }
}
