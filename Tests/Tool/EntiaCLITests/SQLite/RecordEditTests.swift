import EntiaDatabase
import EntiaRecords
import EntiaSQLite
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

private struct Note: EntityType, Identifiable, Codable, Equatable {
  let id: String
  var isLiked = false
  var score: Double = 0
  var count = 0
  var isDone: Bool?
  var due: Date?
  var price: Decimal?
  var weight: Float?
  var image: Data?
}

private struct Notes: NormalizedStorageType, Equatable {
  struct Contents: StorageContents {
    var notes = Tables.Hash<Note>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("notes", \.notes) }
  }

  var snapshot = Snapshot(Contents())
}

@Suite("Changes of rows in the tables of a file")
struct RecordEditTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], exit code: Int32 = 0) throws -> String {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.errorText)")
    return code == 0 ? outcome.outputText : outcome.errorText
  }

  /// Creates a file as a program saves it.
  private func shop() throws -> Shop {
    let file = try DatabaseFile<Shop>(
      path: path, migrations: [.renamingMember("a", to: "b", of: "x")])
    var shop = try file.load()
    try shop.performBatchUpdates {
      $0.modifying.customers.insert(Customer(id: 1, email: "ann@example.com", name: "Ann"))
      $0.modifying.customers.insert(Customer(id: 2, email: "bob@example.com", name: "Bob"))
    }
    try file.save(shop)
    try file.close()
    return shop
  }

  @Test("A file that a program has saved keeps what records lack")
  func savedByProgram() throws {
    _ = try shop()
    _ = try run(["patch", path, "customers", "1", #"{"name": "Bea"}"#])
    _ = try run(["delete", path, "customers", "2"])
    let rows = try folder.write(
      #"{"customers": [{"id": 3, "email": "c", "name": "Cleo"}]}"#, to: "rows.json")
    _ = try run(["import", rows, "--into", path])
    try expectEqual(folder.names(), ["file.sqlite", "rows.json"])
    // It refuses to be opened without its migration, as before.
    #expect(throws: DatabaseFileError.self) { try DatabaseFile<Shop>(path: path) }
    let file = try DatabaseFile<Shop>(
      path: path, migrations: [.renamingMember("a", to: "b", of: "x")])
    let customers = try file.load().snapshot.contents.customers
    expectEqual(customers.map(\.name), ["Bea", "Cleo"])
    expectEqual(customers.find(by: .init(1))?.email, "ann@example.com")
    try expectTrue(file.load().verify().isEmpty)
  }

  @Test("A row that a trigger of another program ignores is refused, and nothing is written")
  func ignored() throws {
    let before = try shop()
    let trigger =
      "CREATE TRIGGER other BEFORE INSERT ON customers BEGIN SELECT RAISE(IGNORE); END"
    try expectEqual(EntiaProcess.shell("sqlite3 file.sqlite '\(trigger)'", in: folder).exitCode, 0)
    let rows = try folder.write(
      #"{"customers": [{"id": 1, "name": "Ada"}, {"id": 3, "email": "c", "name": "Cleo"}]}"#,
      to: "rows.json")
    let error = try run(["import", rows, "--into", path, "--on-conflict", "merge"], exit: 65)
    expectTrue(error.contains("row 3 of customers"), "\(error)")
    expectTrue(error.contains("a trigger of another program ignored it"), "\(error)")
    let file = try DatabaseFile<Shop>(
      path: path, migrations: [.renamingMember("a", to: "b", of: "x")])
    try expectEqual(file.load(), before)
  }

  @Test("Values that a program stores alike are no conflict", arguments: [false, true])
  func storedAlike(isDescribed: Bool) throws {
    let rows = [
      Note(id: "a", isLiked: true, score: 2, count: 1, isDone: false),
      Note(id: "b", isLiked: false, score: 0.1, count: 1 << 60),
      Note(id: "c", isLiked: true, score: -0.0, count: 0, isDone: true),
    ]
    var notes = Notes()
    notes.performBatchUpdates { $0.modifying.notes.insert(rows) }
    let feed = try folder.write(
      """
      {"notes": [
        {"id": "a", "isLiked": true, "score": 2, "count": 1, "isDone": false},
        {"id": "b", "isLiked": false, "score": 0.10, "count": 1152921504606846976},
        {"id": "c", "isLiked": true, "score": 0, "count": 0, "isDone": true}]}
      """, to: "feed.json")
    // A program saves rows of its own, or those of an import.
    if isDescribed { _ = try run(["import", feed, "-o", path]) }
    let file = try DatabaseFile<Notes>(path: path)
    if isDescribed {
      _ = try file.load()
      try file.save(Notes())
    }
    try file.save(notes)
    try file.close()
    let before = try Data(contentsOf: URL(filePath: path))
    for arguments in [["--dry-run"], [], ["-o", folder.path("other.json")]] {
      let report = try run(["import", feed, "--into", path] + arguments)
      expectTrue(report.contains("3 unchanged"), "\(report)")
    }
    try expectEqual(DatabaseFile<Notes>(path: path).load(), notes)
    if !isDescribed { try expectEqual(Data(contentsOf: URL(filePath: path)), before) }
    // Other values are conflicts as before, and only they are named.
    let other = try folder.write(
      """
      {"notes": [
        {"id": "a", "isLiked": false, "score": 2, "count": 1, "isDone": 0},
        {"id": "b", "isLiked": false, "score": 0.1000000001, "count": 1152921504606846977}]}
      """, to: "other.json")
    let problems = try run(["import", other, "--into", path], exit: 65)
    expectTrue(problems.contains(#""isLiked" (false here, 1 there)"#) || isDescribed, "\(problems)")
    expectTrue(
      problems.contains("\"count\"")
        && problems.contains("\"score\" (0.1000000001 here"))
    expectTrue(!problems.contains("isDone") && !problems.contains("\"score\" (2"))
    _ = try run(["import", other, "--into", path, "--on-conflict", "merge"])
    let changed = try DatabaseFile<Notes>(path: path).load().snapshot.contents.notes
    expectEqual(changed.map(\.score), [2, 0.1000000001, 0])
    expectEqual(changed.map(\.isLiked), [false, false, true])
    expectEqual(changed.map(\.isDone), [false, nil, true])
    expectEqual(changed.map(\.count), [1, (1 << 60) + 1, 0])
  }

  @Test("A program reads the dates of JSON, and the same dates are no conflict when it has saved")
  func dates() throws {
    let start = Date(timeIntervalSinceReferenceDate: 736_259_696)
    var notes = Notes()
    notes.performBatchUpdates {
      $0.modifying.notes.insert([Note(id: "a", due: start), Note(id: "b", due: start)])
    }
    var file = try DatabaseFile<Notes>(path: path)
    try file.save(notes)
    try file.close()
    _ = try run(["patch", path, "notes", "a", #"{"due": "2024-05-01T12:34:56.789Z"}"#])
    let feed = try folder.write(
      """
      {"notes": [
        {"id": "a", "isLiked": false, "score": 0, "count": 0, "due": "2024-05-01T12:34:56.789Z"},
        {"id": "b", "isLiked": false, "score": 0, "count": 0, "due": "2024-05-01T12:34:56Z"},
        {"id": "c", "isLiked": false, "score": 0, "count": 0, "due": "2024-05-01 14:34:56+02:00"}]}
      """, to: "feed.json")
    let report = try run(["import", feed, "--into", path])
    expectTrue(report.contains("1 inserted") && report.contains("2 unchanged"), "\(report)")
    file = try DatabaseFile<Notes>(path: path)
    var loaded = try file.load()
    let dates = [start + 0.789, start, start]
    expectEqual(loaded.snapshot.contents.notes.map(\.due), dates)
    loaded.performBatchUpdates { context in
      for id in ["a", "b", "c"] {
        context.modifying.notes.updateIfExists(id: Note.EntityID(id)) { $0.count = 1 }
      }
    }
    try file.save(loaded)
    loaded.performBatchUpdates { context in
      for id in ["a", "b", "c"] {
        context.modifying.notes.updateIfExists(id: Note.EntityID(id)) { $0.count = 0 }
      }
    }
    try file.save(loaded)
    try file.close()
    try expectTrue(run(["import", feed, "--into", path]).contains("3 unchanged"))
    // Another date is a conflict.
    let other = try folder.write(
      #"{"notes": [{"id": "b", "due": "2024-05-01T12:34:57Z"}]}"#, to: "other.json")
    try expectTrue(run(["import", other, "--into", path], exit: 65).contains("due"))
    try expectEqual(DatabaseFile<Notes>(path: path).load(), loaded)
  }

  @Test("The same decimal numbers, floats and data are no conflict")
  func equalForms() throws {
    var notes = Notes()
    notes.performBatchUpdates {
      $0.modifying.notes.insert([
        Note(id: "a", price: 12.5, weight: 0.1, image: Data([0, 255])),
        Note(
          id: "b", price: Decimal(string: "123456789012345678901234567890.12"), weight: 3.14159265),
      ])
    }
    let file = try DatabaseFile<Notes>(path: path)
    try file.save(notes)
    try file.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let feed = try folder.write(
      """
      {"notes": [
        {"id": "a", "price": 12.50, "weight": 0.10, "image": "AP8="},
        {"id": "b", "price": 123456789012345678901234567890.12, "weight": 3.1415927}]}
      """, to: "feed.json")
    try expectTrue(run(["import", feed, "--into", path]).contains("2 unchanged"))
    try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    for (member, value) in [
      ("price", "12.51"), ("weight", "0.1000001"), ("score", "0.0000001"), ("image", #""AP4=""#),
    ] {
      let other = try folder.write(
        "{\"notes\": [{\"id\": \"a\", \"\(member)\": \(value)}]}", to: "other.json")
      try expectTrue(run(["import", other, "--into", path], exit: 65).contains(member))
    }
  }

  @Test(
    "A change of a Double is no equal Float",
    arguments: [
      (2_500_000.25, "2500000.2"), (1_048_576.125, "1048576.13"), (123_456_792, "123456790"),
      (3.1415927410125732, "3.14159265358979"),
    ])
  func changedDouble(stored: Double, value: String) throws {
    var notes = Notes()
    notes.performBatchUpdates { _ = $0.modifying.notes.insert(Note(id: "a", score: stored)) }
    let file = try DatabaseFile<Notes>(path: path)
    try file.save(notes)
    try file.close()
    let feed = try folder.write(#"{"notes": [{"id": "a", "score": \#(value)}]}"#, to: "feed.json")
    _ = try run(["import", feed, "--into", path, "--on-conflict", "merge"])
    let score = try DatabaseFile<Notes>(path: path).load().snapshot.contents.notes.map(\.score)
    expectEqual(score, [Double(value)])
  }

  @Test("What the tables of a program cannot have is refused, and nothing is written")
  func refused() throws {
    let shop = try shop()
    let before = try Data(contentsOf: URL(filePath: path))
    let bad = try [
      ("unknown.json", #"{"custmers": [{"id": 3}]}"#),
      ("text.json", #"{"customers": [{"id": "x", "email": "c", "name": "Cleo"}]}"#),
    ].map { try folder.write($1, to: $0) }
    let schema = try folder.write(#"{"entities": {"custmers": {}}}"#, to: "schema.json")
    try expectEqual(
      run(["import", bad[0], "--schema", schema, "--into", path], exit: 65),
      """
      entia import: cannot change '\(path)': a program has saved it, and has no table 'custmers'; \
      did you mean 'customers'?

      """)
    try expectEqual(
      run(["import", bad[1], "--into", path], exit: 65),
      """
      entia import: cannot change '\(path)': the IDs of customers are integers, and "x" is none

      """)
    try expectTrue(run(["patch", path, "customer", "1", "{}"], exit: 64).contains("customers"))
    try expectTrue(run(["patch", path, "customers", "9", "{}"], exit: 65).contains("9"))
    try expectTrue(run(["patch", path, "customers", "1", "{\"name\""], exit: 65).contains("patch"))
    try expectTrue(run(["delete", path, "customers", "1", "9"], exit: 65).contains("9"))
    try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    let file = try DatabaseFile<Shop>(
      path: path, migrations: [.renamingMember("a", to: "b", of: "x")])
    try expectEqual(file.load(), shop)
  }

  /// Values that a column of SQLite converts, or that read as another one.
  static let patches = [
    #"{"title": 5, "note": [1, {"a": null}]}"#, #"{"title": 5.50, "flag": 1}"#,
    #"{"title": "[1]", "note": "[2]"}"#, #"{"flag": "12", "count": true}"#,
    #"{"flag": false, "count": "7"}"#, #"{"count": 1e2, "note": "plain", "new": "[3]"}"#,
    #"{"new": {"deep": [true, "x"]}, "title": null}"#, #"{"count": 12345678901234567890123}"#,
    #"{"title": "", "new": false, "flag": 0.0}"#, #"{"author": "a2"}"#, #"{"author": null}"#,
  ]

  @Test("A row that is changed in a table is read as one that was written anew")
  func forms() throws {
    let schema = try folder.write(
      """
      {"entities": {"posts": {"relationships": {"author": {"to": "authors"}}}, "authors": {}}}
      """, to: "schema.json")
    let rows = """
      {"posts": [
        {"id": "p1", "title": "one", "note": "[0]", "flag": true, "count": 1, "author": "a1"},
        {"id": "p2", "title": "[two]", "note": "{}", "flag": false, "count": 2, "author": "a2"}],
       "authors": [{"id": "a1", "rank": 1.50}, {"id": "a2", "rank": 2}]}
      """
    let input = try folder.write(rows, to: "rows.json")
    let copy = folder.path("copy.json")
    for output in [path, copy] { _ = try run(["import", input, "--schema", schema, "-o", output]) }
    // A program that shares the file, with tables of its own.
    let file = try DatabaseFile<Library>(path: path, configuration: .init(access: .shared))
    func compare(_ changes: [[String]]) throws {
      for change in changes {
        for name in [path, copy] { _ = try run([change[0], name] + change.dropFirst()) }
      }
      try expectEqual(run(["diff", copy, path]), "no differences\n", "\(changes)")
    }
    for patch in Self.patches {
      try compare(["p1", "p2"].map { ["patch", "posts", $0, patch] })
    }
    try compare([["patch", "authors", "a1", #"{"rank": 1.5}"#]])
    try compare([["delete", "posts", "p2"]])
    try compare([["delete", "authors", "a2", "--nullify"]])
    let more = try folder.write(
      #"{"tags": [{"id": 7, "on": true}, {"id": 8, "on": 1}], "posts": [{"id": "p0", "flag": true}]}"#,
      to: "more.json")
    let tags = try folder.write(
      """
      {"entities": {"posts": {"relationships": {"author": {"to": "authors"}}}, "authors": {},
        "tags": {}}}
      """, to: "tags.json")
    for name in [path, copy] { _ = try run(["import", more, "--schema", tags, "--into", name]) }
    try expectEqual(run(["diff", copy, path]), "no differences\n")
    try file.close()
    try expectTrue(run(["verify", path]) != "")
  }

  @Test("An edit that another writer overtakes writes nothing")
  func overtaken() throws {
    _ = try shop()
    let edit = try RecordEdit(path)
    func database(_ edit: RecordEdit) throws -> RecordDatabase {
      try #require(
        RecordDatabase.read(ImportSource(name: path, bytes: try edit.read(holding: false))).database
      )
    }
    let old = try database(edit)
    let new = try old.patching("1", of: "customers", with: Array(#"{"name": "Bea"}"#.utf8))
    let other = try RecordEdit(path)
    try expectTrue(
      other.write(
        database(other).patching("2", of: "customers", with: Array(#"{"name": "B"}"#.utf8)),
        since: try database(other)))
    try expectFalse(edit.write(new, since: old))
    let again = try database(edit)
    try expectTrue(
      edit.write(
        again.patching("1", of: "customers", with: Array(#"{"name": "Bea"}"#.utf8)), since: again))
    let names = try database(other).records.compactMap { $0["name"] }
    expectEqual(names, [.plain(JSONText(.string("Bea"))), .plain(JSONText(.string("B")))])
  }

  @Test("A file that was replaced is not written")
  func replaced() throws {
    _ = try shop()
    let edit = try RecordEdit(path)
    let json = try edit.read(holding: false)
    let old = try #require(
      RecordDatabase.read(ImportSource(name: path, bytes: json)).database)
    try FileManager.default.removeItem(atPath: path)
    let error = #expect(throws: RecordFileError.self) {
      try edit.write(RecordDatabase(), since: old)
    }
    expectEqual(error?.description.contains("has been removed or replaced"), true)
  }
}
