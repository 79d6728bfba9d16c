import EntiaTestSupport
import Foundation
import Testing

#if ENTIA_SQLITE
  import EntiaDatabase
  @testable import EntiaSQLite
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

    private func create(_ name: String, _ sql: String) throws -> String {
      let path = try folder.write("", to: name)
      try SQLiteConnection(path: path, mode: .readWrite).execute(sql)
      return path
    }

    @Test("Columns with constraints that another program added to Entia's tables stay")
    func addedConstraints() throws {
      let path = folder.path("own.sqlite")
      try expectEqual(
        EntiaProcess.run(["import", "Fixtures/blog/expected.json", "-o", path]).exitCode, 0)
      try SQLiteConnection(path: path, mode: .readWrite).execute(
        """
        ALTER TABLE authors ADD COLUMN age GENERATED ALWAYS AS (2026 - born) VIRTUAL;
        ALTER TABLE authors ADD COLUMN kind TEXT NOT NULL DEFAULT 'new' CHECK (kind <> '');
        """)
      let before = try Data(contentsOf: URL(filePath: path))
      for words in [
        ["patch", path, "authors", "a2", #"{"born": 1000}"#], ["delete", path, "comments", "c1"],
      ] {
        let outcome = try EntiaProcess.run(words)
        expectEqual(outcome.exitCode, 65)
        expectTrue(
          outcome.errorText.contains(
            "would remove constraints (CHECK, DEFAULT, NOT NULL, generated columns)"),
          "\(outcome.errorText)")
      }
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    }

    @Test("A file of another program is read, and not changed: records lack what it has")
    func foreign() throws {
      let path = try create(
        "m.db",
        """
        CREATE TABLE a(id INTEGER PRIMARY KEY, n TEXT NOT NULL CHECK (n <> ''), "check" /* UNIQUE */);
        CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a, picture);
        CREATE INDEX by_name ON a(n);
        CREATE TRIGGER added AFTER INSERT ON a BEGIN SELECT 1; END;
        CREATE VIEW names AS SELECT n FROM a;
        INSERT INTO a VALUES (1, 'x', 2);
        INSERT INTO b VALUES (1, 1, x'00ff');
        PRAGMA user_version = 7;
        """)
      let rows = try folder.write(#"{"a": [{"id": 2, "n": "y"}]}"#, to: "rows.json")
      let before = try Data(contentsOf: URL(filePath: path))
      for words in [
        ["patch", path, "a", "1", #"{"n": "y"}"#], ["delete", path, "b", "1"],
        ["import", rows, "--into", path],
      ] {
        for ending in [[], ["--dry-run"]] {
          let outcome = try EntiaProcess.run(words + ending)
          expectEqual(outcome.exitCode, 65)
          expectEqual(outcome.outputText, "")
          expectEqual(
            outcome.errorText,
            """
            entia \(words[0]): cannot change '\(path)': it has what Entia does not write, and \
            writing it back would remove column types, constraints (CHECK, NOT NULL), 1 foreign \
            key, 1 BLOB, 1 index (by_name), 1 trigger (added), 1 view (names), user_version 7; \
            change it with SQLite, or change a copy, as 'entia export \(path) -o COPY.sqlite' \
            writes it

            """)
        }
      }
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
      try expectEqual(folder.names(), ["m.db", "rows.json"])
      let copy = folder.path("copy.sqlite")
      _ = try text("export \(path) -o \(copy)")
      _ = try text("delete \(copy) b 1")
      _ = try text("import \(rows) --into \(path) -o \(folder.path("other.db"))")
    }

    @Test("A file of Entia to which another program added something is not changed either")
    func added() throws {
      let path = folder.path("blog.sqlite")
      _ = try text("import \(blog) -o \(path)")
      try SQLiteConnection(path: path, mode: .readWrite)
        .execute("CREATE TABLE mine(x); CREATE INDEX by_name ON authors(name)")
      let outcome = try EntiaProcess.run("delete \(path) comments c7 --nullify")
      expectEqual(outcome.exitCode, 65)
      expectTrue(outcome.errorText.contains("remove 1 table (mine), 1 index (by_name);"))
      let plain = try create("plain.db", "CREATE TABLE a(id PRIMARY KEY)")
      try expectTrue(
        EntiaProcess.run("delete \(plain) a 1").errorText
          .contains("remove the definitions of its tables;"))
      let empty = try create("empty.db", "CREATE TABLE t(x); DROP TABLE t")
      _ = try text("import Fixtures/blog/django.json --into \(empty)")
    }

    @Test("What of a file's tables is read differently is said")
    func notes() throws {
      let path = try create(
        "f.db",
        """
        CREATE TABLE p(a INT, b INT, PRIMARY KEY(a, b));
        CREATE TABLE c(id INTEGER PRIMARY KEY, a INT, b INT, FOREIGN KEY(a, b) REFERENCES p);
        CREATE TABLE d(id INTEGER PRIMARY KEY REFERENCES c);
        CREATE TABLE x(n);
        INSERT INTO x VALUES ('one');
        """)
      for command in ["import", "export", "schema"] {
        let outcome = try EntiaProcess.run([command, path])
        expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
        for note in [
          "the foreign key c.(a, b) has several columns, and they are read as plain members",
          "d.id refers to c, and is read as the ID of d only",
          "x has no primary key: its rows get the member 'id', with SQLite's number of the row",
        ] { expectTrue(outcome.errorText.contains("\(path): \(note)"), "\(outcome.errorText)") }
      }
      let null = try create(
        "null.db", "CREATE TABLE k(code TEXT PRIMARY KEY); INSERT INTO k VALUES (NULL)")
      let refused = try EntiaProcess.run(["import", null])
      expectEqual(refused.exitCode, 65)
      expectTrue(refused.errorText.contains("a row needs a value in each column of its key"))
      expectFalse(refused.errorText.contains("guesses one"))
    }

    @Test("--table imports some tables of a file, so that a bad one does not refuse the others")
    func someTables() throws {
      let path = try create(
        "t.db",
        """
        CREATE TABLE good(id INTEGER PRIMARY KEY, bad REFERENCES bad, other REFERENCES other);
        CREATE TABLE bad(code TEXT PRIMARY KEY);
        CREATE TABLE other(id INTEGER PRIMARY KEY);
        CREATE VIEW v AS SELECT 1;
        INSERT INTO good VALUES (1, 'x', 2);
        INSERT INTO bad VALUES (NULL), ('x');
        INSERT INTO other VALUES (2);
        CREATE VIEW all_good AS SELECT * FROM good;
        """)
      _ = try text("import \(path)", exit: 65)
      let output = folder.path("good.json")
      let outcome = try EntiaProcess.run(
        ["import", path, "--table", "good", "--table", "other", "-o", output])
      expectEqual(outcome.exitCode, 0)
      expectEqual(
        outcome.errorText,
        """
        \(path): good.bad refers to bad, which is not among the 2 selected tables, and is read as \
        a plain member

        """)
      try expectEqual(
        text("get \(output) good --format ndjson"), #"{"id":1,"bad":"x","other":2}"# + "\n")
      let unknown = try EntiaProcess.run(["import", path, "--table", "god"])
      expectEqual(unknown.exitCode, 64)
      expectTrue(unknown.errorText.contains("'\(path)' has no table 'god'; did you mean 'good'?"))
      let view = try EntiaProcess.run(["import", path, "--table", "all_good"])
      expectEqual(view.exitCode, 64)
      expectTrue(
        view.errorText.contains("'all_good' in '\(path)' is a view, and only tables are read"))
      let json = try EntiaProcess.run(["import", expected, "--table", "posts"])
      expectTrue(json.exitCode == 64 && json.errorText.contains("--table is for SQLite databases"))
      _ = try text("import \(expected) -o \(folder.path("own.db"))")
      _ = try text("import \(folder.path("own.db")) --table posts", exit: 64)
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
