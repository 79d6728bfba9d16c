import Foundation
import Testing

#if ENTIA_SQLITE
  import EntiaDatabase
  import EntiaSQLite
  import EntiaTestDomains
#endif

@Suite("Databases as SQLite files")
struct SQLiteCommandTests {
  private let folder: TemporaryFolder
  private let blog = "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts"
  private let expected = "Fixtures/blog/expected.json"

  init() throws { folder = try TemporaryFolder() }

  private func text(_ line: String, exit code: Int32 = 0) throws -> String {
    let outcome = try EntiaProcess.run(line)
    #expect(outcome.exitCode == code, "\(line): \(outcome.errorText)")
    return outcome.outputText
  }

  private func expectedText() throws -> String {
    try String(contentsOf: EntiaProcess.root.appending(path: expected), encoding: .utf8)
  }

  #if ENTIA_SQLITE
    @Test("import -o writes a SQLite database, and export gives the canonical JSON")
    func roundTrip() throws {
      for name in ["blog.sqlite", "blog.SQLITE3", "blog.db"] {
        let path = folder.path(name)
        #expect(try text("import \(blog) -o \(path)").hasSuffix("wrote '\(path)'\n"))
        let magic = try Data(contentsOf: URL(filePath: path)).prefix(16)
        #expect(magic == Data("SQLite format 3\0".utf8))
        #expect(try text("export \(path)") == expectedText())
        #expect(try text("export \(path) -o \(folder.path("blog.json"))") == "")
        #expect(try folder.text(of: "blog.json") == expectedText())
        #expect(try text("export \(folder.path("blog.json")) -o \(path)") == "")
        #expect(try text("export \(path)") == expectedText())
      }
    }

    @Test("A SQLite database is an input like JSON")
    func inputs() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      for command in [
        "verify DB", "stats DB", "denormalize DB --entity posts --depth 2", "schema DB",
      ] {
        let line = { (file: String) in command.replacingOccurrences(of: "DB", with: file) }
        let json = try text(line(expected)).replacingOccurrences(of: expected, with: path)
        #expect(try text(line(path)) == json, "\(command)")
      }
      #expect(try text("diff \(path) \(expected)") == "no differences\n")
      #expect(try text("get \(path) posts p1") == text("get \(expected) posts p1"))
    }

    @Test("--into adds to a SQLite database, and patch and delete change one")
    func editing() throws {
      let path = folder.path("blog.sqlite")
      let schema = "--schema Fixtures/blog/schema.json --root posts"
      #expect(
        try text("import Fixtures/blog/posts.json \(schema) --into \(path)")
          .hasSuffix("created '\(path)'\n"))
      #expect(
        try text("import Fixtures/blog/django.json --into \(path)").hasSuffix("wrote '\(path)'\n"))
      #expect(try text("export \(path)") == expectedText())
      _ = try EntiaProcess.run(["patch", path, "authors", "a1", #"{"name": "Mary"}"#])
      _ = try text("delete \(path) comments c7 --nullify")
      #expect(try text("diff \(expected) \(path)", exit: 1).contains("\"Mary\""))
    }

    @Test("A file is written back as what it is, whatever its name ends like")
    func formatOfContent() throws {
      let database = folder.path("blog.data")
      _ = try text("import \(blog) -o \(folder.path("blog.sqlite"))")
      try FileManager.default.moveItem(atPath: folder.path("blog.sqlite"), toPath: database)
      let json = try folder.write(try expectedText(), to: "json.sqlite")
      for (path, magic) in [(database, "SQLite format 3\0"), (json, "{\n  \"schema\"")] {
        _ = try text("import Fixtures/blog/django.json --into \(path)")
        _ = try EntiaProcess.run(["patch", path, "authors", "a1", #"{"name": "Bea"}"#])
        _ = try text("delete \(path) comments c7 --nullify")
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.starts(with: Data(magic.utf8)), "\(path)")
        #expect(try text("diff \(expected) \(path)", exit: 1).contains("\"Bea\""))
      }
    }

    @Test("A file that a program has saved is read, and not changed: records lack what it may have")
    func savedByProgram() throws {
      let path = folder.path("shop.sqlite")
      let file = try DatabaseFile<Shop>(path: path)
      var shop = try file.load()
      try shop.performBatchUpdates {
        $0.modifying.customers.insert(Customer(id: 1, email: "ann@example.com", name: "Ann"))
      }
      try file.save(shop)
      try file.close()
      let before = try Data(contentsOf: URL(filePath: path))
      let rows = try folder.write(#"{"customers": [{"id": 2, "email": "b"}]}"#, to: "rows.json")
      for arguments in [
        ["patch", path, "customers", "1", #"{"name": "Bea"}"#], ["delete", path, "customers", "1"],
        ["import", rows, "--into", path],
      ] {
        let outcome = try EntiaProcess.run(arguments)
        #expect(outcome.exitCode == 73)
        #expect(
          outcome.errorText == """
            entia \(arguments[0]): cannot change '\(path)': a program has saved it, and its held \
            IDs and its list of applied migrations would be lost; change it in the program, or \
            'entia export' it and change the copy

            """)
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      #expect(try text("get \(path) customers 1").contains("Ann"))
    }

    @Test("A refused import leaves the file as it was, and no other file")
    func allOrNothing() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let before = try Data(contentsOf: URL(filePath: path))
      _ = try text(
        "import Fixtures/bad/conflict.json --schema Fixtures/bad/schema.json --root posts --into "
          + path, exit: 65)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      _ = try text("import Fixtures/blog/django.json --into \(path)")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o640)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 1)
    }

    @Test("A file with a log of SQLite is not replaced, because the log belongs to it")
    func log() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      for ending in ["-wal", "-journal"] {
        let log = try folder.write("changes", to: "blog.sqlite\(ending)")
        let outcome = try EntiaProcess.run("import \(blog) -o \(path)")
        #expect(outcome.exitCode == 73)
        #expect(
          outcome.errorText == """
            entia import: cannot write '\(path)': '\(log)' has changes that the database does not \
            have yet; close the program that has it open, or open and close it once to complete it

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
      #expect(piped.exitCode == 74)
      #expect(piped.errorText.contains("which is read only from a file by its name"))
      try bytes.prefix(5000).write(to: URL(filePath: path))
      let outcome = try EntiaProcess.run(["stats", path])
      #expect(outcome.exitCode == 65 && outcome.errorText.contains("is damaged"))
    }
  #else
    @Test("Without SQLite, the message names the package to install")
    func unavailable() throws {
      let path = try folder.write("SQLite format 3\0 and more", to: "blog.sqlite")
      let message = """
        '\(path)' is a SQLite database, and this entia was built without SQLite; install \
        libsqlite3-dev (sqlite-devel on Fedora) and build it again

        """
      for line in ["stats", "verify", "schema", "export", "import"] {
        let outcome = try EntiaProcess.run([line, path])
        #expect(outcome.exitCode == 69)
        #expect(outcome.errorText == "entia \(line): " + message)
      }
      for option in ["-o", "--into"] {
        let outcome = try EntiaProcess.run("import \(blog) \(option) \(folder.path("new.sqlite"))")
        #expect(outcome.exitCode == 69)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 1)
    }
  #endif
}
