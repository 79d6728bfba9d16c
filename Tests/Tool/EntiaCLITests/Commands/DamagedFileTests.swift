#if ENTIA_SQLITE
  @testable import EntiaSQLite
  import EntiaTestSupport
  import Foundation
  import Testing

  @Suite("Commands on SQLite files that are damaged or incomplete")
  struct DamagedFileTests {
    private let folder: TemporaryFolder
    private let blog = "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts"

    init() throws { folder = try TemporaryFolder() }

    private func text(_ line: String, exit code: Int32 = 0) throws -> String {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, code, "\(line): \(outcome.errorText)")
      return outcome.outputText
    }

    @Test("A file with a log of SQLite is not replaced, because the log belongs to it")
    func log() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      for ending in ["-wal", "-journal"] {
        let log = folder.path("blog.sqlite\(ending)")
        // A journal begins with these bytes as long as its changes may have to be reverted.
        let bytes: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try (Data(bytes) + Data("changes".utf8)).write(to: URL(filePath: log))
        let outcome = try EntiaProcess.run("import \(blog) -o \(path)")
        expectEqual(outcome.exitCode, 73)
        expectEqual(
          outcome.errorText,
          """
          entia import: cannot write '\(path)': '\(log)' belongs to a change that is not complete; \
          close the program that has the database open, or complete it with 'sqlite3 \(path) .tables'

          """)
        try FileManager.default.removeItem(atPath: log)
      }
    }

    @Test("A SQLite database on standard input, and a damaged one, are errors that say so")
    func unreadable() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      let bytes = try Data(contentsOf: URL(filePath: path))
      let piped = try EntiaProcess.run(["stats", "-"], input: bytes)
      expectEqual(piped.exitCode, 74)
      expectTrue(piped.errorText.contains("which is read only from a file by its name"))
      try bytes.prefix(5000).write(to: URL(filePath: path))
      let outcome = try EntiaProcess.run(["stats", path])
      expectTrue(outcome.exitCode == 65 && outcome.errorText.contains("is damaged"))
    }

    @Test("A changed byte of a row is reported, and a change by another program is none")
    func changedByte() throws {
      let path = folder.path("blog.sqlite")
      for (old, new) in [("Mary Anning", "Mary Annine"), ("\"entities\": {", "\"entitiez\": {")] {
        _ = try text("import \(blog) -o \(path)")
        _ = try EntiaProcess.run(["patch", path, "authors", "a4", #"{"name": "Emilie"}"#])
        _ = try text("verify \(path)")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let place = try #require(bytes.range(of: Data(old.utf8)))
        bytes.replaceSubrange(place, with: Data(new.utf8))
        try bytes.write(to: URL(filePath: path))
        for command in ["verify", "export", "stats"] {
          let outcome = try EntiaProcess.run([command, path])
          expectTrue(outcome.exitCode == 65 && outcome.errorText.contains("is damaged: table"))
        }
      }
      _ = try text("import \(blog) -o \(path)")
      try folder.execute("UPDATE authors SET name='Mary' WHERE id='a1'; VACUUM", path)
      _ = try text("verify \(path)")
      try expectTrue(text("get \(path) authors a1").contains("Mary"))
    }

    @Test(
      "A page that has lost a row is reported, of any program's file", arguments: [true, false])
    func lostRow(isOwn: Bool) throws {
      let path = folder.path("rows.sqlite")
      let rows = (1...2_000).map { #"{"id": \#($0), "name": "row \#($0)"}"# }
      let json = try folder.write("[\(rows.joined(separator: ","))]", to: "rows.json")
      if isOwn {
        _ = try text("import \(json) --root rows --id id -o \(path)")
      } else {
        try Data().write(to: URL(filePath: path))
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, name TEXT); BEGIN")
        let insert = try connection.prepare("INSERT INTO rows VALUES (?, 'a name')")
        for id in 1...2_000 {
          try insert.bind(Int64(id), at: 0)
          try insert.run()
        }
        try connection.execute("COMMIT")
        insert.reset()
      }
      if isOwn { _ = try text("verify \(path)") }
      var bytes = try Data(contentsOf: URL(filePath: path))
      // The last leaf of the table with the rows.
      let name = Data((isOwn ? "row 2000" : "a name").utf8)
      let page = try #require(
        stride(from: bytes.count - 4_096, to: 0, by: -4_096).first {
          bytes[$0] == 13 && bytes[$0..<$0 + 4_096].range(of: name) != nil
        })
      bytes[page + 4] -= 1
      try bytes.write(to: URL(filePath: path))
      let verified = try EntiaProcess.run(["verify", path])
      expectEqual(verified.exitCode, 65)
      expectTrue(verified.errorText.contains("is damaged, and may have lost rows: "))
      guard isOwn else { return }
      for line in ["stats", "export"] {
        let outcome = try EntiaProcess.run([line, path])
        expectEqual(outcome.exitCode, 65)
        expectTrue(outcome.errorText.contains("is damaged: table rows has 1999 of 2000 rows"))
      }
    }
  }
#endif
