import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

/// Every row is read, or a note says how many are not.
@Suite("Rows of a database that something else made")
struct ForeignRowTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ sql: String) throws -> (database: RecordDatabase, notes: [String]) {
    let (json, notes) = try RecordFile.read(try folder.create(sql))
    return (try database(json), notes)
  }

  /// Returns the rows of an entity as text.
  private func rows(_ entity: String, _ sql: String) throws -> [String] {
    let json = String(decoding: try read(sql).database.write(), as: UTF8.self)
    let lines = json.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let start = try #require(lines.lastIndex { $0.hasPrefix("\"\(entity)\": {") })
    return lines[(start + 1)...].prefix { !$0.hasPrefix("}") }.map { line in
      String(line.drop { $0 != "{" }.prefix { $0 != "}" }) + "}"
    }
  }

  @Test("A table whose name only begins with that of a virtual table is read")
  func nearVirtualTable() throws {
    let sql = """
      CREATE VIRTUAL TABLE search USING fts5(x);
      CREATE TABLE search_history(id INTEGER PRIMARY KEY, q TEXT);
      INSERT INTO search_history VALUES (1, 'a'), (2, 'b');
      """
    try expectEqual(rows("search_history", sql).count, 2)
    try expectEqual(read(sql).notes, ["the virtual table search is ignored"])
  }

  /// The columns of tables without a primary key, and the member with the number of the row.
  static let numbered: [(columns: [String], member: String)] = [
    (["rowid", "message"], "id"), (["RowID", "message"], "id"), (["_rowid_", "message"], "id"),
    (["oid", "message"], "id"), (["ROWID", "oid"], "id"), (["_rowid_", "rowid", "id"], "oid"),
    (["id", "rowid"], "_rowid_"), (["ID", "x"], "rowid"), (["rowid", "_rowid_", "oid"], "id"),
    (["rowid", "_rowid_", "oid", "id"], "row"), (["oid", "id", "Row", "_ROWID_", "rowid"], "row2"),
  ]

  @Test("Rows of a table without a primary key keep apart, whatever its columns are called")
  func rowNumbers() throws {
    for (columns, member) in Self.numbered {
      let names = columns.map { "\"\($0)\" TEXT" }.joined(separator: ", ")
      let values = ["a", "a", "b", "a"].map { text in
        "(" + columns.map { _ in "'\(text)'" }.joined(separator: ", ") + ")"
      }
      let sql = """
        CREATE TABLE logs(\(names)); INSERT INTO logs VALUES \(values.joined(separator: ", "));
        CREATE INDEX i ON logs("\(columns.joined(separator: "\", \""))");
        """
      let path = try folder.create(sql)
      let (json, notes) = try RecordFile.read(path)
      let number = member.hasPrefix("row") && member != "rowid" ? "their place in the table" : ""
      expectTrue(notes.count == 1 && notes[0].contains("'\(member)', with \(number)"))
      let read = try database(json)
      expectEqual(read.schema.entity("logs")?.idNames, [member])
      for (number, text) in zip(1..., ["a", "a", "b", "a"]) {
        let id = RecordID(entity: "logs", key: .number(JSONNumber(number)))
        let row = try #require(read.record(id), "\(columns) \(number)")
        for column in columns { expectEqual(row[column], .plain(JSONText(.string(text)))) }
      }
      expectEqual(read.table.count, 4, "\(columns)")
      try folder.execute(
        "UPDATE logs SET \"\(columns[0])\" = CAST(x'ff' AS TEXT) WHERE \"\(columns[0])\" = 'b'",
        path)
      let problems = try RecordFile.valueProblems(of: path).map(\.message)
      expectEqual(problems, ["\(columns[0]) of logs \"3\" is a text that is not UTF-8"])
    }
  }

  @Test("Numbers of rows are those of SQLite, where a name reaches them")
  func deletedRows() throws {
    let sql = """
      CREATE TABLE t(rowid TEXT); INSERT INTO t VALUES ('a'), ('b'), ('c');
      DELETE FROM t WHERE rowid = 'b';
      """
    try expectEqual(rows("t", sql), [#"{"id":1,"rowid":"a"}"#, #"{"id":3,"rowid":"c"}"#])
  }

  private static let members = """
    CREATE TABLE users(id INTEGER PRIMARY KEY); CREATE TABLE groups(id INTEGER PRIMARY KEY);
    INSERT INTO users VALUES (1), (2); INSERT INTO groups VALUES (1), (2);

    """

  /// Tables that connect rows, each with the groups of both users and the notes on lost rows.
  static let junctions: [(sql: String, groups: [String], notes: [String])] = [
    (
      """
      CREATE TABLE member(u REFERENCES users, g REFERENCES groups, PRIMARY KEY(u, g));
      INSERT INTO member VALUES (1, 1), (9, 1), (1, 8), (8, 2)
      """, ["[1,8]", "[]"],
      ["2 rows of member refer to rows of users that do not exist, and are not read"]
    ),
    (
      """
      CREATE TABLE member(u REFERENCES users, g REFERENCES groups);
      INSERT INTO member VALUES (1, 1), (NULL, 1), (2, NULL), (NULL, NULL), (1, 1), (1, 1), (9, 9)
      """, ["[1]", "[]"],
      [
        "1 row of member refers to a row of users that does not exist, and is not read",
        "3 rows of member have NULL as a reference, and are not read",
        "2 rows of member repeat other rows, and are not read",
      ]
    ),
    (
      """
      CREATE TABLE member(u TEXT REFERENCES users, g TEXT REFERENCES groups);
      INSERT INTO member VALUES (1, 1), ('2', '1'), ('x', 1), ('02', 2), (1, 'x')
      """, [#"[1,"x"]"#, "[1,2]"],
      ["1 row of member refers to a row of users that does not exist, and is not read"]
    ),
    (
      """
      CREATE TABLE member(id INTEGER PRIMARY KEY, u REAL REFERENCES users, g REFERENCES groups);
      INSERT INTO member VALUES (1, 1, 1.0), (2, 2, 2), (3, 2, '2'), (4, 1, x'31')
      """, [#"[1,"MQ=="]"#, "[2]"],
      [
        "1 row of member repeats another row, and is not read",
        "member.g: 1 BLOB is read as base64",
      ]
    ),
  ]

  @Test("Rows that connect rows are read, or counted in a note", arguments: junctions)
  func connections(_ sql: String, _ groups: [String], _ notes: [String]) throws {
    let found = try RecordFile.read(try folder.create(Self.members + sql))
    expectEqual(
      found.notes,
      [
        "the table member only connects rows and is read as users.groups"
      ] + notes)
    let json = String(decoding: found.json, as: UTF8.self)
    for (id, groups) in zip(1..., groups) {
      expectTrue(json.contains(#"{"id":\#(id),"groups":\#(groups)}"#), "\(json)")
    }
  }

  /// Tables with IDs that are different in SQLite, and the notes on those that JSON makes equal.
  static let tables: [(sql: String, rows: Int, note: String?)] = [
    (
      "CREATE TABLE t(id PRIMARY KEY, x); INSERT INTO t VALUES (x'6162', 1), ('YWI=', 1), ('c', 1)",
      2, "2 rows of t have 1 ID in JSON, YWI=, and are read as 1 row"
    ),
    (
      """
      CREATE TABLE t(id PRIMARY KEY); INSERT INTO t VALUES (x'6162'), ('YWI='), (9e999),
        ('$Infinity'), (CAST(x'ff' AS TEXT)), (CAST(x'fe' AS TEXT)), (CAST(x'efbfbd' AS TEXT))
      """, 3, "7 rows of t have 3 IDs in JSON, such as "
    ),
    (
      """
      CREATE TABLE t(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID;
      INSERT INTO t VALUES (x'6162', 1), ('YWI=', 1), ('YWI=', 2), (x'6163', 2)
      """, 3, "2 rows of t have 1 ID in JSON, YWI=, 1, and are read as 1 row"
    ),
    ("CREATE TABLE t(id BLOB PRIMARY KEY); INSERT INTO t VALUES (x'61'), (x'62'), ('a')", 3, nil),
    (
      "CREATE TABLE t(id INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, x'61'), (2, 'YQ==')", 2,
      nil
    ),
  ]

  @Test("Rows whose IDs are equal in JSON only are counted in a note", arguments: tables)
  func equalIDs(_ sql: String, _ count: Int, _ note: String?) throws {
    let (database, notes) = try read(sql)
    expectEqual(database.table.count, count)
    let found = notes.filter { $0.contains("in JSON") }
    expectEqual(found.count, note == nil ? 0 : 1)
    if let note { expectTrue(found.allSatisfy { $0.hasPrefix(note) }, "\(found)") }
  }

  @Test("A row that is connected twice in JSON only is connected once")
  func equalConnections() throws {
    let sql = """
      CREATE TABLE h(id INTEGER PRIMARY KEY); INSERT INTO h VALUES (1);
      CREATE TABLE b(id PRIMARY KEY); INSERT INTO b VALUES (x'6162'), ('YWI=');
      CREATE TABLE hb(h REFERENCES h, b REFERENCES b, PRIMARY KEY(h, b));
      INSERT INTO hb VALUES (1, x'6162'), (1, 'YWI=');
      """
    try expectEqual(rows("h", sql), [#"{"id":1,"b":["YWI="]}"#])
    try expectTrue(read(sql).notes.contains("1 row of hb repeats another row, and is not read"))
  }

  @Test("A foreign key refers to the row that SQLite takes as equal")
  func affinities() throws {
    let sql = """
      CREATE TABLE number(id INTEGER PRIMARY KEY); INSERT INTO number VALUES (1), (2);
      CREATE TABLE real(id REAL PRIMARY KEY); INSERT INTO real VALUES (1), (2.5);
      CREATE TABLE text(id TEXT PRIMARY KEY); INSERT INTO text VALUES ('1'), ('x');
      CREATE TABLE any(id PRIMARY KEY); INSERT INTO any VALUES (1), ('1');
      CREATE TABLE word(id TEXT COLLATE NOCASE PRIMARY KEY); INSERT INTO word VALUES ('Ab');
      CREATE TABLE child(id INTEGER PRIMARY KEY, n REFERENCES number, r REFERENCES real,
        t REFERENCES text, a REFERENCES any, w REFERENCES word, s TEXT REFERENCES number,
        b INTEGER REFERENCES text);
      INSERT INTO child VALUES (1, '1', 1, 1, 1, 'aB', 1, 1),
        (2, 2.0, '2.5', 'x', '1', 'AB', '2', NULL), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (4, 'x', 7, 'y', 1.5, 'c', '1x', 9);
      """
    let path = try folder.create(sql)
    let broken = try SQLiteConnection(path: path, mode: .readWrite).value(
      "SELECT group_concat(DISTINCT rowid) FROM pragma_foreign_key_check")
    expectEqual(broken, .text("4"))
    let json = String(decoding: try RecordFile.read(path).json, as: UTF8.self)
    for row in [
      #"{"id":1,"n":1,"r":1.0,"t":"1","a":1,"w":"Ab","s":1,"b":"1"}"#,
      #"{"id":2,"n":2,"r":2.5,"t":"x","a":"1","w":"Ab","s":2,"b":null}"#,
      #"{"id":3,"n":null,"r":null,"t":null,"a":null,"w":null,"s":null,"b":null}"#,
      #"{"id":4,"n":"x","r":7,"t":"y","a":1.5,"w":"c","s":"1x","b":9}"#,
    ] { expectTrue(json.contains(row), "\(row): \(json)") }
    let (_, report) = RecordDatabase.read(ImportSource(name: "f.json", bytes: Array(json.utf8)))
    let dangling = report.problems.filter { $0.kind == .danglingReference }
    expectEqual(dangling.count, 7, "\(dangling)")
  }
}
