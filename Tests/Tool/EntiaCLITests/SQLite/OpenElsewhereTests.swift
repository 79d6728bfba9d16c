import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

/// A replaced file would leave the connections of other programs with the old one.
@Suite("SQLite files that other programs have open")
struct OpenElsewhereTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file.sqlite") }
  private let blog = "Fixtures/blog/expected.json"

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], exit code: Int32 = 0) throws -> EntiaProcess.Outcome {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.outputText)\(outcome.errorText)")
    return outcome
  }

  private func connection(to path: String? = nil) throws -> SQLiteConnection {
    try SQLiteConnection(path: path ?? self.path, mode: .readWrite)
  }

  /// Writes a file whose journal is in a mode, and which nobody has open.
  private func create(_ mode: String) throws {
    _ = try run(["export", blog, "-o", path])
    try folder.execute("PRAGMA journal_mode=\(mode)", path)
  }

  /// The commands that replace the file.
  static let commands = [
    ["import", "ROWS", "-o", "FILE"],
    ["export", "Fixtures/blog/expected.json", "-o", "FILE"],
    ["patch", "FILE", "authors", "a1", #"{"name": "ENTIA"}"#],
    ["delete", "FILE", "comments", "c7", "--nullify"],
    ["import", "ROWS", "--into", "FILE"],
  ]

  private func words(_ command: [String], file: String? = nil) throws -> [String] {
    let rows = try folder.write(#"{"posts": [{"id": "new", "title": "x"}]}"#, to: "rows.json")
    return command.map { ["FILE": file ?? path, "ROWS": rows][$0] ?? $0 }
  }

  /// A command, a copy of the file for it alone, and a connection that has the copy open.
  private struct Attempt {
    let command: [String]
    let file: String
    let other: SQLiteConnection
  }

  /// Runs all commands at once, because each waits before it refuses, and expects that each does.
  private func expectRefusals(of attempts: [Attempt]) throws {
    let running = try attempts.map { attempt in
      try EntiaProcess.start(try words(attempt.command, file: attempt.file))
    }
    for (attempt, running) in zip(attempts, running) {
      let outcome = try running.outcome()
      expectEqual(outcome.exitCode, 73, "\(attempt.command): \(outcome.outputText)")
      expectEqual(
        outcome.errorText,
        """
        entia \(attempt.command[0]): cannot write '\(attempt.file)': a program has it open; \
        close it there first

        """)
    }
  }

  @Test("A file with a log that an idle connection has open is refused", .prompt)
  func idle() throws {
    try create("wal")
    let attempts = try Self.commands.enumerated().map { number, command in
      let file = folder.path("\(number).sqlite")
      try FileManager.default.copyItem(atPath: path, toPath: file)
      let other = try connection(to: file)
      try expectTrue(other.value("SELECT count(*) FROM authors") != .integer(0))
      return Attempt(command: command, file: file, other: other)
    }
    try expectRefusals(of: attempts)
    for attempt in attempts {
      let copy = attempt.file + ".copy.sqlite"
      try attempt.other.execute("VACUUM INTO '\(copy)'")
      try attempt.other.execute("UPDATE authors SET name='AFTER' WHERE id='a1'")
      try attempt.other.close()
      let again = try connection(to: attempt.file)
      try expectEqual(again.value("SELECT name FROM authors WHERE id='a1'"), .text("AFTER"))
      try expectEqual(again.value("PRAGMA integrity_check"), .text("ok"))
      _ = try run(["diff", copy, path])
    }
  }

  @Test(
    "A file that a connection reads or writes is refused", .prompt, arguments: ["wal", "delete"])
  func busy(_ mode: String) throws {
    try create(mode)
    var attempts: [Attempt] = []
    for statement in ["BEGIN; SELECT count(*) FROM authors", "BEGIN IMMEDIATE"] {
      for command in Self.commands {
        let file = folder.path("\(attempts.count).sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: file)
        let other = try connection(to: file)
        try other.execute(statement)
        attempts.append(Attempt(command: command, file: file, other: other))
      }
    }
    try expectRefusals(of: attempts)
    for attempt in attempts {
      try attempt.other.execute("UPDATE authors SET name='AFTER' WHERE id='a1'; COMMIT")
      let name = try connection(to: attempt.file).value("SELECT name FROM authors WHERE id='a1'")
      expectEqual(name, .text("AFTER"))
    }
  }

  @Test("A file is refused whatever name it has, and whatever would replace it", .prompt)
  func anyName() throws {
    try create("wal")
    let plain = folder.path("file.data")
    try FileManager.default.moveItem(atPath: path, toPath: plain)
    let link = folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: plain)
    let other = try connection(to: plain)
    _ = try other.value("SELECT count(*) FROM authors")
    let isOpen = "a program has it open; close it there first"
    let isDatabase = "it is a SQLite database, and the output is text"
    for (words, reason) in [
      (["export", blog, "-o", plain], isDatabase), (["export", blog, "-o", link], isDatabase),
      (["patch", plain, "authors", "a1", #"{"name": "ENTIA"}"#], isOpen),
      (["patch", link, "authors", "a1", #"{"name": "ENTIA"}"#], isOpen),
    ] {
      let outcome = try run(words, exit: 73)
      expectTrue(outcome.errorText.contains(reason), "\(words)")
    }
    try other.execute("UPDATE authors SET name='AFTER' WHERE id='a1'")
    try other.close()
    let name = try connection(to: plain).value("SELECT name FROM authors WHERE id='a1'")
    expectEqual(name, .text("AFTER"))
  }

  @Test("A program that opens the file while it is written keeps it from being replaced", .prompt)
  func openedMeanwhile() throws {
    try create("wal")
    let before = try Data(contentsOf: URL(filePath: path))
    let other = try connection()
    #expect(
      throws: CommandFailure(
        .cannotWrite, "cannot write '\(path)': a program has it open; close it there first")
    ) {
      try OutputFile(name: path).write { (put) throws(SystemCalls.Failure) in
        try put(Array("new".utf8))
        do {
          _ = try other.value("SELECT count(*) FROM authors")
        } catch {
          Issue.record(error)
        }
      }
    }
    try other.close()
    try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    try expectEqual(folder.names(), ["file.sqlite"])
  }

  @Test("A connection that has read nothing yet writes the new contents")
  func unread() throws {
    for mode in ["wal", "delete"] {
      try create(mode)
      let other = try connection()
      _ = try run(try words(Self.commands[2]))
      try other.execute("UPDATE authors SET name='AFTER' WHERE id='a4'")
      try other.execute("PRAGMA journal_mode=wal; UPDATE authors SET name='WAL' WHERE id='a2'")
      try other.close()
      let again = try connection()
      for (id, name) in [("a1", "ENTIA"), ("a4", "AFTER"), ("a2", "WAL")] {
        try expectEqual(
          again.value("SELECT name FROM authors WHERE id='\(id)'"), .text(name), "\(mode)")
      }
      try expectEqual(again.value("PRAGMA integrity_check"), .text("ok"))
    }
  }

  @Test(
    "An idle connection without a log goes on with the new contents", arguments: scaled(commands))
  func idleWithoutLog(_ command: [String]) throws {
    try create("delete")
    let bytes = try Data(contentsOf: URL(filePath: path))
    for mode in ["delete", "truncate", "persist", "memory", "off"] {
      try bytes.write(to: URL(filePath: path))
      let other = try connection()
      try other.execute(
        "PRAGMA journal_mode=\(mode); UPDATE authors SET name='BEFORE' WHERE id='a4'")
      _ = try run(try words(command))
      let posts = try other.value("SELECT count(*) FROM posts")
      try other.execute("CREATE TABLE own(x); INSERT INTO own VALUES (1)")
      try other.close()
      let again = try connection()
      try expectEqual(again.value("SELECT x FROM own"), .integer(1), "\(mode)")
      try expectEqual(again.value("SELECT count(*) FROM posts"), posts)
      try expectEqual(again.value("PRAGMA integrity_check"), .text("ok"))
      try again.close()
    }
  }

  @Test("A file that nobody has open is replaced", arguments: scaled(commands))
  func closed(_ command: [String]) throws {
    for mode in ["wal", "delete"] {
      try create(mode)
      _ = try run(["stats", path])
      let before = try Data(contentsOf: URL(filePath: path))
      for leftovers in [[], ["-wal"], ["-shm"], ["-wal", "-shm"]] {
        try before.write(to: URL(filePath: path))
        for ending in leftovers {
          let bytes = Data(repeating: 1, count: ending == "-shm" ? 32_768 : 0)
          try bytes.write(to: URL(filePath: path + ending))
        }
        _ = try run(try words(command))
        _ = try run(["verify", path])
        let again = try connection()
        try expectEqual(again.value("PRAGMA journal_mode"), .text("delete"))
        try expectEqual(again.value("PRAGMA integrity_check"), .text("ok"))
        try again.close()
        try FileManager.default.removeItem(atPath: folder.path("rows.json"))
        try expectEqual(folder.names(), ["file.sqlite"], "\(mode) \(leftovers)")
      }
    }
  }

  @Test("An output that is no database, or a damaged one, is replaced")
  func noDatabase() throws {
    for text in ["", "text", String(repeating: "text", count: 1_000), "SQLite format 3\0damaged"] {
      _ = try folder.write(text, to: "file.sqlite")
      _ = try run(["export", blog, "-o", path])
      _ = try run(["verify", path])
      try expectEqual(folder.names(), ["file.sqlite"])
    }
  }

  @Test("A changed byte in the keys of the tool's own table is found, or makes no difference")
  func ownIndex() throws {
    try create("delete")
    let bytes = try Data(contentsOf: URL(filePath: path))
    let stats = try run(["stats", path]).outputText
    let names = ["schema", "result"].map { Data($0.utf8) }
    var places: [Int] = []
    for name in names {
      var rest = bytes[...]
      while let range = rest.range(of: name) {
        places += [range.lowerBound - 1, range.lowerBound + 2]
        rest = rest[range.upperBound...]
      }
    }
    #expect(places.count >= 4)
    for place in places {
      var changed = bytes
      changed[place] ^= 4
      try changed.write(to: URL(filePath: path))
      let outcome = try EntiaProcess.run(["stats", path])
      let text = outcome.outputText.replacing(path, with: "")
      expectTrue(outcome.exitCode != 0 || text == stats.replacing(path, with: ""), "byte \(place)")
    }
  }

  @Test("An index without some of its rows is reported")
  func index() throws {
    try folder.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, n); CREATE INDEX i ON t(n);
      INSERT INTO t VALUES (1, 'x'), (2, 'y'); CREATE TABLE kept AS SELECT * FROM sqlite_schema;
      PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name='i'
      """, try folder.write("", to: "file.sqlite"))
    try folder.execute("UPDATE t SET n='z' WHERE id=2", path)
    try folder.execute(
      """
      PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM kept WHERE name='i'
      """, path)
    let outcome = try run(["verify", path], exit: 65)
    expectTrue((outcome.outputText + outcome.errorText).contains("row 2 missing from index i"))
  }

  @Test("An index that needs a function of its program is not compared with its table")
  func indexOfProgram() throws {
    try folder.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, n); CREATE INDEX i ON t(upper(n));
      INSERT INTO t VALUES (1, 'x'); PRAGMA writable_schema=ON;
      UPDATE sqlite_schema SET sql='CREATE INDEX i ON t(own(n))' WHERE name='i'
      """, try folder.write("", to: "file.sqlite"))
    _ = try run(["verify", path])
  }
}
