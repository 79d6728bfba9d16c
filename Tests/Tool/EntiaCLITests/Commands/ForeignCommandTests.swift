#if ENTIA_SQLITE
  @testable import EntiaSQLite
  import EntiaTestSupport
  import Foundation
  import Testing

  @Suite("Commands on SQLite files in which other programs have written")
  struct ForeignCommandTests {
    private let folder: TemporaryFolder
    private let blog = "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts"
    private let expected = "Fixtures/blog/expected.json"

    init() throws { folder = try TemporaryFolder() }

    private func text(_ line: String, exit code: Int32 = 0) throws -> String {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, code, "\(line): \(outcome.errorText)")
      return outcome.outputText
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
  }
#endif
