import EntiaTestSupport
import Foundation
import Testing

@Suite("Databases as SQLite files")
struct SQLiteCommandTests {
  private let folder: TemporaryFolder
  private let blog = "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts"
  private let expected = "Fixtures/blog/expected.json"

  init() throws { folder = try TemporaryFolder() }

  private func text(_ line: String, exit code: Int32 = 0) throws -> String {
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, code, "\(line): \(outcome.errorText)")
    return outcome.outputText
  }

  private func expectedText() throws -> String {
    try String(contentsOf: Repository.root.appending(path: expected), encoding: .utf8)
  }

  #if ENTIA_SQLITE
    @Test("import -o writes a SQLite database, and export gives the canonical JSON")
    func roundTrip() throws {
      for name in ["blog.sqlite", "blog.SQLITE3", "blog.db"] {
        let path = folder.path(name)
        try expectTrue(text("import \(blog) -o \(path)").hasSuffix("wrote '\(path)'\n"))
        let magic = try Data(contentsOf: URL(filePath: path)).prefix(16)
        expectEqual(magic, Data("SQLite format 3\0".utf8))
        try expectEqual(text("export \(path)"), expectedText())
        try expectEqual(text("export \(path) -o \(folder.path("blog.json"))"), "")
        try expectEqual(folder.text(of: "blog.json"), expectedText())
        try expectEqual(text("export \(folder.path("blog.json")) -o \(path)"), "")
        try expectEqual(text("export \(path)"), expectedText())
      }
    }

    @Test("A database there and back has the same rows, with the members in one order")
    func memberOrder() throws {
      let rows = #"{"n":[{"id":1,"b":2,"a":1},{"id":2,"a":1,"b":1},{"id":3,"c":1,"a":3}]}"#
      let schema = #"{"a":{"to":"n"},"b":{"to":"n"},"c":{"to":"n"}}"#
      let input = try folder.write(
        #"{"schema":{"entities":{"n":{"relationships":\#(schema)}}},"entities":\#(rows)}"#,
        to: "in.json")
      let (there, back) = (folder.path("there.sqlite"), folder.path("back.json"))
      _ = try text("export \(input) -o \(there)")
      _ = try text("export \(there) -o \(back)")
      try expectEqual(text("diff \(input) \(back)"), "no differences\n")
      try expectEqual(text("stats \(input)"), text("stats \(back)"))
      try expectEqual(text("stats \(input) --json"), text("stats \(back) --json"))
      _ = try text("export \(back) -o \(there)")
      try expectEqual(text("export \(there)"), folder.text(of: "back.json"))
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
        try expectEqual(text(line(path)), json, "\(command)")
      }
      try expectEqual(text("diff \(path) \(expected)"), "no differences\n")
      try expectEqual(text("get \(path) posts p1"), text("get \(expected) posts p1"))
    }

    @Test("--into adds to a SQLite database, and patch and delete change one")
    func editing() throws {
      let path = folder.path("blog.sqlite")
      let schema = "--schema Fixtures/blog/schema.json --root posts"
      try expectTrue(
        text("import Fixtures/blog/posts.json \(schema) --into \(path)")
          .hasSuffix("created '\(path)'\n"))
      try expectTrue(
        text("import Fixtures/blog/django.json --into \(path)")
          .hasSuffix("'\(path)' stays as it is\n"))
      try expectEqual(text("export \(path)"), expectedText())
      _ = try EntiaProcess.run(["patch", path, "authors", "a1", #"{"name": "Mary"}"#])
      _ = try text("delete \(path) comments c7 --nullify")
      try expectTrue(text("diff \(expected) \(path)", exit: 1).contains("\"Mary\""))
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
        expectTrue(bytes.starts(with: Data(magic.utf8)), "\(path)")
        try expectTrue(text("diff \(expected) \(path)", exit: 1).contains("\"Bea\""))
      }
    }

    @Test("More members than a table of SQLite has columns are counted, with what to write instead")
    func tooManyMembers() throws {
      let members = (0..<2100).map { #""m\#($0)": 1"# }.joined(separator: ", ")
      let wide = try folder.write(#"{"a": [{"id": 1, \#(members)}]}"#, to: "wide.json")
      let outcome = try EntiaProcess.run("import \(wide) -o \(folder.path("wide.db"))")
      expectEqual(outcome.exitCode, 73)
      expectTrue(
        outcome.errorText.contains(
          "a has 2101 members, and a table of SQLite has columns for 1998; write JSON"),
        "\(outcome.errorText)")
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
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
      _ = try text("import Fixtures/blog/django.json --into \(path)")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      expectEqual(mode as? Int, 0o640)
      try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path("")).count, 1)
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
        expectEqual(outcome.exitCode, 69)
        expectEqual(outcome.errorText, "entia \(line): " + message)
      }
      for option in ["-o", "--into"] {
        let outcome = try EntiaProcess.run("import \(blog) \(option) \(folder.path("new.sqlite"))")
        expectEqual(outcome.exitCode, 69)
      }
      try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path("")).count, 1)
    }
  #endif
}
