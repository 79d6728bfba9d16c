import EntiaDatabase
import EntiaInspector
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("The commits of an inspected store")
struct CommitInspectionTests {
  private func lines(_ inspection: StoreInspection) -> [String] {
    inspection.commits.map(\.description)
  }

  @Test("Commits are listed with their names, outcomes, durations and changed parts")
  func commits() throws {
    let limit = StoreMiddleware<AppState> { _, after, _ in
      if after.searchText.count > 3 { throw TooLong() }
    }
    let store = AppStore(initialState: try .sample(), middleware: [limit])
    let inspection = store.inspect(clock: StepClock())
    try store.commit("Add") { state in
      state.count += 1
      try state.library.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a3", name: "Cid"))
        context.modifying.books.updateIfExists(id: "b1") { $0.title = "Uno" }
      }
    }
    store.commit { $0.count += 0 }
    store.commit("Search") { $0.searchText = "long" }
    #expect(throws: TooLong.self) { try store.commit("Stop") { _ in throw TooLong() } }
    store.commit { $0.searchText = "abc" }
    expectEqual(
      lines(inspection),
      [
        "1 Add: changed in 1 ms, observers 1 ms: library (2 rows), count",
        "2 commit: unchanged in 1 ms, observers 1 ms",
        "3 Search: refused in 1 ms, observers 1 ms: the text is too long",
        "4 Stop: failed in 1 ms, observers 1 ms: the text is too long",
        "5 commit: changed in 1 ms, observers 1 ms: searchText",
      ])
    expectEqual(
      inspection.commits[0].parts.map(\.details), ["Author: 1 inserted\nBook: 1 updated", ""])
    expectTrue(inspection.commits[1].parts.isEmpty)
    // A refusal of the database is the error of the closure.
    #expect(throws: (any Error).self) {
      try store.commit("Loan") { state in
        try state.library.performBatchUpdates { context in
          context.modifying.loans.insert(Loan(id: 1, bookID: "b1"))
          context.modifying.books.remove("b1")
        }
      }
    }
    expectTrue(lines(inspection)[5].hasPrefix("6 Loan: failed in 1 ms, observers 1 ms: "))
    expectEqual(inspection.commitCount, 6)
  }

  @Test("Databases inside other values are listed with their rows, at any depth")
  func nestedDatabases() throws {
    struct Box: Equatable, Sendable {
      var library = Library()
      var title = ""
    }
    enum Session: Equatable, Sendable {
      case closed
      case open(Box, user: String)
    }
    struct State: Equatable, Sendable {
      var box = Box()
      var list: [Library] = []
      var spaces: [String: Library] = [:]
      var draft: Box?
      var session = Session.closed
    }
    func add(_ id: String, to library: inout Library) throws {
      try library.performBatchUpdates {
        $0.modifying.authors.insert(Author(id: .init(id), name: id))
      }
    }
    let store = Store<State, Never>(initialState: State())
    let inspection = store.inspect(clock: StepClock())
    func parts(_ change: (inout State) throws -> Void) throws -> [String] {
      try store.commit { try change(&$0) }
      return inspection.commits.last?.parts.map(\.description) ?? []
    }
    var sample = Library()
    try add("a1", to: &sample)
    try expectEqual(parts { try add("a1", to: &$0.box.library) }, ["box.library (1 row)"])
    expectEqual(inspection.commits.last?.parts.map(\.details), ["Author: 1 inserted"])
    try expectEqual(parts { $0.box.title = "x" }, ["box.title"])
    try expectEqual(
      parts {
        $0.box.title = "y"
        try add("a2", to: &$0.box.library)
      }, ["box.library (1 row)", "box.title"])
    try expectEqual(
      parts { $0.list = [sample, Library()] }, ["list.0 (1 row)", "list.1 (0 rows)"])
    try expectEqual(parts { try add("a2", to: &$0.list[1]) }, ["list.1 (1 row)"])
    try expectEqual(parts { $0.list.removeLast() }, ["list.1 (1 row)"])
    try expectEqual(
      parts { $0.spaces = ["b": sample, "a": sample] },
      [
        "spaces.a (1 row)", "spaces.b (1 row)",
      ])
    try expectEqual(
      parts { $0.draft = Box(library: sample) }, ["draft.library (1 row)", "draft.title"])
    try expectEqual(parts { $0.draft = nil }, ["draft.library (1 row)", "draft.title"])
    try expectEqual(
      parts { $0.session = .open(Box(library: sample), user: "Ada") },
      [
        "session.open.0.library (1 row)", "session.open.0.title", "session.open.user",
      ])
    try expectEqual(
      parts {
        $0.session = .open(Box(library: sample), user: "Bea")
      }, ["session.open.user"])
    let page = String(decoding: inspection.page(), as: UTF8.self)
    expectTrue(page.contains("+ Author("))
  }

  @Test("A value whose type is not Equatable is listed if it looks different")
  func notEquatable() {
    final class Object: Sendable {}
    struct State: Sendable, Equatable {
      var pair = (1, "a")
      var object = Object()
      var nested = Plain()
      var run: @Sendable () -> Void = {}
      var number = 0

      struct Plain: Sendable, CustomStringConvertible {
        var values = [(1, 2)]
        var description: String { "plain" }
      }

      static func == (lhs: State, rhs: State) -> Bool {
        lhs.number == rhs.number && lhs.pair == rhs.pair && lhs.object === rhs.object
          && lhs.nested.values.map(\.1) == rhs.nested.values.map(\.1)
      }
    }
    let store = Store<State, Never>(initialState: State())
    let inspection = store.inspect(clock: StepClock())
    store.commit { $0.number = 1 }
    store.commit { $0.pair.1 = "b" }
    store.commit { $0.object = Object() }
    store.commit { $0.nested.values[0].1 = 3 }
    expectEqual(
      inspection.commits.map { $0.parts.map(\.name) },
      [
        ["number"], ["pair"], ["object"], ["nested"],
      ])
  }

  @Test("A commit that changes only ages and answers says so")
  func freshness() throws {
    struct State: Equatable, Sendable { var inbox = Inbox() }
    let store = Store<State, Never>(initialState: State())
    let inspection = store.inspect(clock: StepClock())
    try store.commit("Receive") { state in
      try state.inbox.performBatchUpdates { context in
        context.modifying.answers.receive(
          [], for: .all, at: Date(timeIntervalSinceReferenceDate: 1))
      }
    }
    expectEqual(
      lines(inspection),
      [
        "1 Receive: changed in 1 ms, observers 1 ms: inbox (ages and answers)"
      ])
  }

  @Test("A commit is one line, whatever its name and its error are")
  func oneLine() throws {
    struct Failed: Error, CustomStringConvertible {
      var description: String { "one\r\ntwo\u{2028}three" }
    }
    let store = AppStore(initialState: AppState())
    let logged = Mutex<[String]>([])
    let inspection = store.inspect(clock: StepClock())
    inspection.log { line in logged.withLock { $0.append(line) } }
    store.commit("Add\n\nbook\n") { $0.count = 1 }
    #expect(throws: Failed.self) { try store.commit("Fail") { _ in throw Failed() } }
    let expected = [
      "1 Add book: changed in 1 ms, observers 1 ms: count",
      "2 Fail: failed in 1 ms, observers 1 ms: one two three",
    ]
    expectEqual(logged.withLock { $0 }, expected)
    expectEqual(lines(inspection), expected)
    expectEqual(inspection.description.split(separator: "\n").count, 4)
    expectEqual(inspection.commits.first?.name, "Add\n\nbook\n")
  }

  @Test("Undoing, redoing, background commits and layers are listed")
  func kinds() async throws {
    let store = AppStore(initialState: AppState())
    let inspection = store.inspect(clock: StepClock())
    store.commit("Count") { $0.count = 1 }
    expectTrue(store.undo())
    expectTrue(store.redo())
    expectFalse(store.redo())
    try await store.backgroundCommit("Load") { $0.searchText = "abc" }
    let layer = try store.addLayer("Draft") { $0.count = 7 }
    _ = layer.rollBack()
    expectEqual(
      lines(inspection).map { String($0.prefix { $0 != ":" }) },
      [
        "1 Count", "2 Undo Count", "3 Redo Count", "4 Load", "5 Draft", "6 Draft",
      ])
    expectEqual(inspection.commits.last?.parts.map(\.name), ["count"])
  }

  @Test("The last commits are kept, and the versions of the others are released")
  func bound() {
    final class Payload: Sendable, Equatable {
      static func == (lhs: Payload, rhs: Payload) -> Bool { lhs === rhs }
    }
    let store = Store<Payload, Never>(initialState: Payload(), undoDepth: 0)
    let inspection = store.inspect(keeping: 3, clock: StepClock())
    weak var kept: Payload?
    weak var released: Payload?
    for number in 1...10 {
      let payload = Payload()
      if number == 6 { released = payload }
      if number == 7 { kept = payload }
      store.commit("\(number)") { $0 = payload }
    }
    expectEqual(inspection.commits.map(\.number), [8, 9, 10])
    expectEqual(inspection.commits.map(\.name), ["8", "9", "10"])
    expectTrue(inspection.commits.allSatisfy { $0.observerDuration == .milliseconds(1) })
    expectEqual(inspection.commitCount, 10)
    expectTrue(
      inspection.description.hasPrefix("Payload: 10 commits, the last 3 kept\ncommits:\n  8 8"))
    expectNil(released)
    // The version before the eighth commit.
    expectTrue(kept != nil)
    inspection.stop()
    expectNil(kept)
    expectEqual(inspection.commitCount, 10)
    expectTrue(inspection.description.hasPrefix("Payload: 10 commits, the last 0 kept"))
    let none = store.inspect(keeping: -1, clock: StepClock())
    store.commit { $0 = Payload() }
    expectTrue(none.commits.isEmpty)
    expectEqual(none.commitCount, 1)
  }

  @Test("A store that nobody inspects reads no clock, and computes no change sets")
  func work() {
    struct Counted: Equatable, Sendable {
      static let comparisons = Mutex(0)
      var value = 0

      static func == (lhs: Counted, rhs: Counted) -> Bool {
        comparisons.withLock { $0 += 1 }
        return lhs.value == rhs.value
      }
    }
    struct State: Equatable, Sendable {
      var first = Counted()
      var second = Counted()
    }
    let store = Store<State, Never>(initialState: State())
    func comparisons(_ body: () -> Void) -> Int {
      Counted.comparisons.withLock { $0 = 0 }
      body()
      return Counted.comparisons.withLock { $0 }
    }
    let alone = comparisons { store.commit { $0.second.value += 1 } }
    let clock = StepClock()
    let inspection = store.inspect(clock: clock)
    expectEqual(clock.reads, 1)
    let inspected = comparisons { store.commit { $0.second.value += 1 } }
    expectEqual(inspected, alone)
    expectEqual(clock.reads, 4)
    // The parts are compared when they are read.
    var names: [String] = []
    let read = comparisons { names = inspection.commits[0].parts.map(\.name) }
    expectEqual(names, ["second"])
    #expect(read > 0)
    inspection.stop()
    let after = comparisons { store.commit { $0.second.value += 1 } }
    expectEqual(after, alone)
    expectEqual(clock.reads, 4)
    expectTrue(inspection.commits.isEmpty)
    inspection.stop()
  }

  @Test("An inspection begins after the commit in which it is created, and ends with its value")
  func lifetime() {
    let store = AppStore(initialState: AppState())
    let clock = StepClock()
    var inspection: StoreInspection?
    store.commit("Outer") { state in
      state.count += 1
      inspection = store.inspect(clock: clock)
    }
    expectEqual(inspection?.commits.isEmpty, true)
    store.commit("Next") { $0.count += 1 }
    expectEqual(inspection?.commits.map(\.name), ["Next"])
    let reads = clock.reads
    inspection = nil
    store.commit { $0.count += 1 }
    expectEqual(clock.reads, reads)
  }

  @Test("Two inspections of one store are independent")
  func independent() {
    let store = AppStore(initialState: AppState())
    let first = store.inspect(clock: StepClock())
    store.commit("1") { $0.count += 1 }
    let second = store.inspect(clock: StepClock())
    store.commit("2") { $0.count += 1 }
    first.stop()
    store.commit("3") { $0.count += 1 }
    expectTrue(first.commits.isEmpty)
    expectEqual(second.commits.map(\.name), ["2", "3"])
    expectEqual(second.commits.map(\.number), [1, 2])
  }

  @Test("A line is logged for each commit, without a lock")
  func log() {
    let store = AppStore(initialState: AppState())
    let lines = Mutex<[String]>([])
    let inspection = store.inspect(clock: StepClock())
    inspection.log { line in
      lines.withLock { $0.append(line) }
      // A commit in the closure is logged too.
      if store.state.count == 1 { store.commit("Again") { $0.count = 2 } }
    }
    store.commit("Count") { $0.count = 1 }
    expectEqual(
      lines.withLock { $0 },
      [
        "1 Count: changed in 1 ms, observers 1 ms: count",
        "2 Again: changed in 1 ms, observers 1 ms: count",
      ])
    inspection.stop()
    store.commit { $0.count = 3 }
    expectEqual(lines.withLock { $0.count }, 2)
  }

  @Test("A store is released while it is inspected")
  func released() {
    var store: AppStore? = AppStore(initialState: AppState())
    weak let former = store
    let inspection = store?.inspect(clock: StepClock())
    store?.commit("Last") { $0.count = 1 }
    store = nil
    expectNil(former)
    expectEqual(inspection?.commits.map(\.name), ["Last"])
    expectEqual(inspection?.observers.isEmpty, true)
  }

  @Test("Commits of several threads are recorded once, in commit order")
  func threads() async {
    let store = AppStore(initialState: AppState(), undoDepth: 0)
    let inspection = store.inspect(keeping: 1000)
    let seen = Mutex(0)
    inspection.log { _ in seen.withLock { $0 += 1 } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 { store.commit { $0.count += 1 } }
        }
      }
      group.addTask {
        for _ in 0..<20 {
          _ = inspection.description
          store.inspect(keeping: 2).stop()
        }
      }
    }
    expectEqual(inspection.commits.map(\.number), Array(1...200))
    expectTrue(inspection.commits.allSatisfy { $0.parts.map(\.name) == ["count"] })
    expectEqual(seen.withLock { $0 }, 200)
  }
}
