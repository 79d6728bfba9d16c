import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaSQLite
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("The tool beside programs that have a file open")
struct SharedFileTests {
  /// A program that shares a library in a file.
  struct Client {
    let file: DatabaseFile<Library>
    let store: SharedStore<Library>
    let sharing: DatabaseSharing<Library>

    init(_ path: String) throws {
      file = try DatabaseFile(path: path, configuration: .init(access: .shared))
      store = SharedStore(initialState: SharedState(storage: try file.load()))
      sharing = try store.share(\.storage, through: file)
    }
  }

  private let folder: TemporaryFolder
  private var path: String { folder.path("library.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func wait(until condition: () throws -> Bool) async throws {
    for _ in 0..<4_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("the condition never holds")
  }

  private func text(_ arguments: [String], exit code: Int32 = 0) throws -> String {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.errorText)")
    return outcome.outputText
  }

  /// Returns what the tool says about a refused command.
  private func refusal(_ arguments: [String], exit code: Int32) throws -> String {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.errorText)")
    expectEqual(outcome.outputText, "")
    return outcome.errorText
  }

  @Test("patch, delete and import --into reach the stores of programs that share the file")
  func sharing() async throws {
    let client = try Client(path)
    try client.store.setAuthor("a", "Anna")
    try client.store.setAuthor("b", "Bert")
    try client.store.setBook("Title", by: "a")
    try await client.sharing.settled()
    let patch = ["patch", path, "authors", "a", #"{"name": "Ada"}"#]
    try expectTrue(text(patch + ["--dry-run"]).hasSuffix("dry run: '\(path)' was not written\n"))
    try expectEqual(
      text(patch),
      """
      authors: 1 updated
        ~ "a"
            name: "Anna" -> "Ada"
      1 difference
      wrote '\(path)'

      """)
    try await wait { client.store.author("a") == "Ada" }
    try expectEqual(text(patch), "no differences\n'\(path)' stays as it is\n")
    _ = try text(["delete", path, "authors", "b"])
    try await wait { client.store.author("b") == nil }
    let rows = try folder.write(
      #"{"authors": [{"id": "d", "name": "Dora"}, {"id": "c", "name": "Cleo"}]}"#, to: "rows.json")
    try expectTrue(text(["import", rows, "--into", path]).hasSuffix("wrote '\(path)'\n"))
    try await wait { client.store.author("c") == "Cleo" && client.store.author("d") == "Dora" }
    expectEqual(client.store.state.storage.authors.map(\.id), ["a", "d", "c"])
    // The program goes on from there.
    try client.store.setAuthor("d", "Dana")
    try await client.sharing.settled()
    try expectEqual(client.file.load(), client.store.state.storage)
    try expectTrue(client.file.load().verify().isEmpty)
    try expectTrue(text(["get", path, "authors", "d", "--format", "ndjson"]).contains("Dana"))
    try client.file.close()
    try expectEqual(folder.names(), ["library.sqlite", "rows.json"])
    let sole = try DatabaseFile<Library>(path: path)
    try expectEqual(sole.load(), client.store.state.storage)
  }

  @Test("A reader that follows the file moves to what the tool writes")
  func following() async throws {
    let client = try Client(path)
    try client.store.setAuthor("a", "Anna")
    try await client.sharing.settled()
    let reader = try DatabaseFile<Library>(path: path, configuration: .init(isReadOnly: true))
    let store = SharedStore<Library>(initialState: SharedState(storage: try reader.load()))
    let following = try store.follow(\.storage, in: reader)
    _ = try text(["patch", path, "authors", "a", #"{"name": "Ada"}"#])
    try await wait { store.author("a") == "Ada" }
    withExtendedLifetime(following) {}
  }

  @Test("A typed import may be the first batch of a file, which the tool does not change before")
  func firstBatch() async throws {
    let client = try Client(path)
    let rows = #"[{"id": "a", "name": "Anna"}]"#
    let input = try folder.write("{\"authors\": \(rows)}", to: "rows.json")
    try expectEqual(
      refusal(["import", input, "--into", path], exit: 65),
      "entia import: cannot change '\(path)': a program has it open, and has saved nothing yet\n")
    try client.store.tryCommit {
      _ = try $0.storage.importJSON(
        ImportSource(name: "rows", bytes: Array(rows.utf8)), of: Author.self)
    }
    try await client.sharing.settled()
    try expectTrue(text(["import", input, "--into", path]).contains("1 unchanged"))
    try expectEqual(client.file.load().authors.map(\.name), ["Anna"])
  }

  @Test("An edit is neither lost nor half there while a process commits again and again")
  func committing() async throws {
    let child = try ChildProcess("EntiaBesideChild", [path, "7"])
    try await wait { child.confirmed.count > 10 }
    let rows = try folder.write(
      #"{"authors": [{"id": "tool", "name": "0"}, {"id": "tool 2", "name": "0"}]}"#, to: "rows.json"
    )
    _ = try text(["import", rows, "--into", path])
    for number in 1...5 {
      _ = try text(["patch", path, "authors", "tool", #"{"name": "\#(number)"}"#])
    }
    _ = try text(["delete", path, "authors", "tool 2"])
    let before = child.confirmed.count
    try await wait { child.confirmed.count > before + 5 }
    try child.send()
    try await wait { child.isStopped }
    var library: Library?
    var requests = 0
    try await wait {
      if child.libraries.count < requests { return false }
      library = try child.libraries.last.map {
        try JSONDecoder().decode(Library.self, from: Data($0.utf8))
      }
      if library?.authors.find(by: "tool")?.name == "5" { return true }
      try child.send()
      requests += 1
      return false
    }
    let authors = try #require(library).authors
    expectNil(authors.find(by: "tool 2"))
    let names = Dictionary(authors.map { ($0.name, 1) }, uniquingKeysWith: +)
    expectTrue(child.confirmed.allSatisfy { names["t\($0)"] == 2 })
    expectTrue(child.rejected.allSatisfy { names["t\($0)"] == nil })
    child.kill()
    try expectEqual(DatabaseFile<Library>(path: path).load(), library)
  }

  @Test("A tool that is killed at any moment leaves nothing of its edit, or all of it")
  func killed() async throws {
    let client = try Client(path)
    try client.store.edit { context in
      context.modifying.authors.insert((0..<300).map { Author(id: "a\($0)", name: "old") })
    }
    try await client.sharing.settled()
    for attempt in 0..<12 {
      let rows = (0..<300).map { #"{"id": "a\#($0)", "name": "\#(attempt)"}"# }
      let json = try folder.write(
        #"{"authors": [\#(rows.joined(separator: ","))]}"#, to: "rows.json")
      let tool = try EntiaProcess.start(
        ["import", json, "--into", path, "--on-conflict", "replace"])
      try await Task.sleep(for: .milliseconds(Int.random(in: 1..<80)))
      kill(tool.process.processIdentifier, SIGKILL)
      _ = try tool.outcome()
      try client.store.setAuthor("own", "\(attempt)")
      try await client.sharing.settled()
      try await wait { try client.file.load() == client.store.state.storage }
      let names = Set(client.store.state.storage.authors.filter { $0.id != "own" }.map(\.name))
      expectEqual(names.count, 1, "\(names)")
    }
    try expectTrue(text(["verify", path]) != "")
    expectEqual(client.store.author("own"), "11")
  }

  @Test("A sole writer refuses, and is named; others are read beside it")
  func soleWriter() throws {
    let file = try DatabaseFile<Library>(path: path)
    var library = try file.load()
    try library.performBatchUpdates {
      $0.modifying.authors.insert(Author(id: "a", name: "Anna"))
    }
    try file.save(library)
    let rows = try folder.write(#"{"authors": [{"id": "b", "name": "b"}]}"#, to: "rows.json")
    for arguments in [
      ["patch", path, "authors", "a", #"{"name": "Ada"}"#], ["delete", path, "authors", "a"],
      ["import", rows, "--into", path], ["import", rows, "--id", "id", "-o", path],
    ] {
      try expectEqual(
        refusal(arguments, exit: 73),
        """
        entia \(arguments[0]): cannot write '\(path)': process \(getpid()) has it open; close it \
        there first

        """)
    }
    try expectTrue(
      text(["patch", path, "authors", "a", #"{"name": "Ada"}"#, "--dry-run"]).contains(
        "\"Ada\""))
    try expectEqual(file.load(), library)
  }

  @Test("Read-only commands read beside any writer, and write nothing", arguments: [true, false])
  func reading(isShared: Bool) async throws {
    let file = try DatabaseFile<Library>(
      path: path, configuration: .init(access: isShared ? .shared : .sole))
    let store = SharedStore<Library>(initialState: SharedState(storage: try file.load()))
    let sharing = isShared ? try store.share(\.storage, through: file) : nil
    let keeper = isShared ? nil : try store.keep(\.storage, in: file)
    try store.setAuthor("a", "Anna")
    try await sharing?.saved()
    try await keeper?.saved()
    let files = [path, path + "-wal"].map { URL(filePath: $0) }
    let before = try files.map { try Data(contentsOf: $0) }
    #expect(before[1].count > 0)
    try expectTrue(text(["verify", path]).contains("no problems"))
    try expectTrue(text(["stats", path]).contains("authors"))
    try expectTrue(text(["get", path, "authors", "a"]).contains("Anna"))
    try expectTrue(text(["export", path]).contains("Anna"))
    let page = folder.path("page.html")
    _ = try text(["explore", path, "-o", page])
    try expectTrue(folder.text(of: "page.html").contains("Anna"))
    try expectEqual(files.map { try Data(contentsOf: $0) }, before)
    try store.setAuthor("a", "Ada")
    try await sharing?.saved()
    try await keeper?.saved()
    try expectTrue(text(["get", path, "authors", "a"]).contains("Ada"))
  }

  @Test("A process that is stopped inside a transaction is named", .prompt)
  func stopped() async throws {
    let client = try Client(path)
    try client.store.setAuthor("a", "Anna")
    try await client.sharing.settled()
    // As a process that is stopped there.
    let stopped = try UntypedEdit(path)
    try stopped.hold()
    try expectEqual(
      refusal(["patch", path, "authors", "a", #"{"name": "Ada"}"#], exit: 73),
      """
      entia patch: cannot write '\(path)': process \(getpid()) is writing it; try again later

      """)
    withExtendedLifetime(stopped) {}
  }
}
