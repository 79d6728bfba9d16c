import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI
@testable import EntiaSQLite

/// `sqlite3` can store values that JSON does not have.
@Suite("Values of SQLite that JSON does not have")
struct ValueLossTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("file.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], exit code: Int32 = 0) throws -> EntiaProcess.Outcome {
    let outcome = try EntiaProcess.run(arguments)
    expectEqual(outcome.exitCode, code, "\(arguments): \(outcome.outputText)\(outcome.errorText)")
    return outcome
  }

  private func blog() throws {
    _ = try run([
      "import", "Fixtures/blog/posts.json", "--schema", "Fixtures/blog/schema.json", "--root",
      "posts", "-o", path,
    ])
  }

  /// Each change, with the lines of a verification and the losses of a write.
  static let changes: [(sql: String, problem: String, loss: String)] = [
    (
      "UPDATE posts SET title = CAST(x'c328ff' AS TEXT) WHERE id = 'p1'",
      #"$.entities.posts.p1.title: error: typeMismatch: title of posts "p1" is a text that is "#
        + "not UTF-8", "1 text that is not UTF-8"
    ),
    (
      "UPDATE posts SET title = CAST(x'edA080' AS TEXT) WHERE id = 'p1'",
      #"title of posts "p1" is a text that is not UTF-8"#, "1 text that is not UTF-8"
    ),
    (
      "UPDATE posts SET title = x'0102' WHERE id = 'p2'",
      #"title of posts "p2" is a BLOB, which JSON does not have"#, "1 BLOB"
    ),
    (
      "UPDATE authors SET name = x''", #"name of authors "a1" is a BLOB"#, "BLOBs"
    ),
    (
      "ALTER TABLE posts ADD COLUMN width; UPDATE posts SET width = 9e999 WHERE id = 'p1'",
      #"width of posts "p1" is an infinite number"#, "1 infinite number"
    ),
    (
      "UPDATE comments SET id = CAST(x'ff' AS TEXT) WHERE id = 'c7'",
      "id of comments \"\u{FFFD}\" is a text that is not UTF-8", "1 text that is not UTF-8"
    ),
  ]

  @Test("They are reported, and a file is not written anew without them", arguments: changes)
  func ownFile(_ sql: String, _ problem: String, _ loss: String) throws {
    try blog()
    _ = try run(["verify", path])
    try folder.execute(sql, path)
    let before = try Data(contentsOf: URL(filePath: path))
    let verified = try run(["verify", path], exit: 65).outputText
    expectTrue(verified.contains(problem), "\(verified)")
    let rows = try folder.write(#"{"authors": [{"id": "a9", "name": "y"}]}"#, to: "rows.json")
    for arguments in [
      ["patch", path, "authors", "a1", #"{"name":"x"}"#], ["delete", path, "posts", "p1"],
      ["import", rows, "--into", path],
    ] {
      let refused = try run(arguments, exit: 65).errorText
      expectTrue(refused.contains(loss) && refused.contains("would remove"), "\(refused)")
    }
    try expectEqual(Data(contentsOf: URL(filePath: path)), before)
  }

  @Test("Every command that reads them notes how it does")
  func notes() throws {
    try blog()
    try folder.execute(
      """
      UPDATE authors SET born=x'00ff', name=CAST(x'41ff' AS TEXT) WHERE id='a1';
      UPDATE authors SET born=9e999 WHERE id='a2'; UPDATE authors SET born=-9e999 WHERE id='a3';
      UPDATE comments SET id=CAST(x'ff' AS TEXT) WHERE id='c7'
      """, path)
    let rows = try folder.write(#"{"authors": [{"id": "a9", "name": "y"}]}"#, to: "rows.json")
    for arguments in [
      ["export", path], ["export", path, "-o", folder.path("other.sqlite")], ["import", path],
      ["get", path, "authors", "a1"], ["stats", path], ["schema", path],
      ["import", rows, "--into", path, "-o", folder.path("other.json")],
    ] {
      let notes = [
        "authors.born: 1 BLOB is read as base64",
        "authors.born: 2 infinite numbers are read as texts such as \"$Infinity\"",
        "authors.name: 1 text that is not UTF-8 is read with U+FFFD in the place of the wrong bytes",
        "comments.id: 1 text that is not UTF-8 is read with U+FFFD in the place of the wrong bytes",
      ].map { "\(path): \($0)\n" }
      let outcome = try EntiaProcess.run(arguments)
      for note in notes {
        expectTrue(outcome.errorText.contains(note), "\(arguments): \(outcome.errorText)")
      }
    }
    try expectEqual(run(["export", folder.path("other.sqlite")]).errorText, "")
  }

  @Test("Values that Entia stores in other forms are no problems")
  func forms() throws {
    let rows = #"""
      {"a": [{"id": 1, "b": null, "n": 123456789012345678901234567890, "t": "[1]"},
        {"id": 2, "b": true, "n": 1.50, "t": [1], "u": "\ufffd\u0000é"},
        {"id": "x", "b": "[true", "n": 1, "t": "z"}]}
      """#
    let json = try folder.write(rows, to: "rows.json")
    _ = try run(["import", json, "-o", path])
    let before = try run(["export", path]).outputText
    _ = try run(["verify", path])
    _ = try run(["patch", path, "a", "1", #"{"c": 1}"#])
    _ = try run(["patch", path, "a", "1", #"{"c": null}"#])
    _ = try run(["verify", path])
    try expectTrue(run(["export", path]).outputText.contains("1.50") && before.contains("1.50"))
  }

  @Test("Many of them are counted")
  func many() throws {
    let rows = (0..<1_500).map { #"{"id":\#($0),"n":"x"}"# }.joined(separator: ",")
    let json = try folder.write("{\"a\":[\(rows)]}", to: "rows.json")
    _ = try run(["import", json, "-o", path])
    try folder.execute("UPDATE a SET n = CAST(x'ff' AS TEXT)", path)
    try expectTrue(run(["verify", path], exit: 65).outputText.contains("1500 problems"))
  }

  @Test("A file that a program has saved may have BLOBs, and edits keep what they do not change")
  func programFile() throws {
    let file = try DatabaseFile<Shop>(path: path)
    var shop = try file.load()
    try shop.performBatchUpdates {
      $0.modifying.customers.insert(Customer(id: 1, email: "ann@example.com", name: "Ann"))
      $0.modifying.customers.insert(Customer(id: 2, email: "bob@example.com", name: "Bob"))
    }
    try file.save(shop)
    try file.close()
    try folder.execute(
      """
      ALTER TABLE customers ADD COLUMN picture;
      UPDATE customers SET picture = x'0102'
      """, path)
    _ = try run(["verify", path])
    try expectEqual(run(["export", path]).errorText, "")
    try folder.execute("UPDATE customers SET name = CAST(x'ff' AS TEXT) WHERE id = 1", path)
    try expectEqual(
      run(["export", path]).errorText,
      """
      \(path): customers.name: 1 text that is not UTF-8 is read with U+FFFD in the place of the \
      wrong bytes

      """)
    let verified = try run(["verify", path], exit: 65).outputText
    expectTrue(verified.contains(#"name of customers "1" is a text that is not UTF-8"#))
    expectTrue(verified.contains("1 problem"), "\(verified)")
    _ = try run(["patch", path, "customers", "2", #"{"name": "Bea"}"#])
    _ = try run(["patch", path, "customers", "1", #"{"email": "a"}"#])
    let connection = try SQLiteConnection.reading(path)
    let values = try connection.prepare(
      "SELECT hex(CAST(name AS BLOB)), typeof(name), hex(picture) FROM customers ORDER BY id")
    try expectTrue(values.step())
    expectEqual((0..<3).map { values.text(at: $0) }, ["FF", "text", "0102"])
    try expectTrue(values.step())
    expectEqual(values.text(at: 2), "0102")
  }

  @Test("In a file of another program they are noted, and listed among what would be lost")
  func foreignFile() throws {
    let path = try folder.create(
      """
      CREATE TABLE k(code TEXT PRIMARY KEY, n, b);
      CREATE TABLE r(n);
      INSERT INTO k VALUES ('x', CAST(x'c328' AS TEXT), x'00'), ('y', 'ü', 1);
      INSERT INTO r VALUES (CAST(x'ff' AS TEXT)), (CAST(x'fe' AS TEXT));
      """)
    let exported = try run(["export", path])
    for note in [
      "k.n: 1 text that is not UTF-8 is read with U+FFFD", "k.b: 1 BLOB is read as base64",
      "r.n: 2 texts that are not UTF-8 are read with U+FFFD",
    ] { expectTrue(exported.errorText.contains(note), "\(exported.errorText)") }
    let refused = try run(["patch", path, "k", "y", #"{"b": 2}"#], exit: 65).errorText
    expectTrue(refused.contains("1 BLOB, 3 texts that are not UTF-8;"), "\(refused)")
    let verified = try run(["verify", path], exit: 65).outputText
    expectTrue(verified.contains(#"n of k "x" is a text that is not UTF-8"#), "\(verified)")
    expectTrue(verified.contains(#"n of r "2" is a text that is not UTF-8"#), "\(verified)")
    expectFalse(verified.contains("BLOB"))
    let sixteen = try folder.create(
      "PRAGMA encoding = 'UTF-16'; CREATE TABLE k(code TEXT PRIMARY KEY); "
        + "INSERT INTO k VALUES ('üx')", "sixteen.db")
    _ = try run(["verify", sixteen])
  }

  @Test("A file of 0 bytes has lost its content")
  func lostContent() throws {
    for name in ["z.sqlite", "z.db"] {
      let path = try folder.write("", to: name)
      for arguments in [
        ["verify", path], ["export", path], ["stats", path], ["get", path, "a", "1"],
        ["patch", path, "a", "1", "{}"], ["import", path], ["diff", path, path],
        ["evict", path, "--rows", "1"],
      ] {
        let refused = try run(arguments, exit: 65)
        expectTrue(
          (refused.errorText + refused.outputText).contains(
            "'\(path)' has lost its content (0 bytes): restore a backup, or remove it to begin"),
          "\(arguments): \(refused.errorText)")
      }
      try expectEqual(folder.text(of: name), "")
    }
    let json = try folder.write("", to: "z.json")
    expectFalse((try run(["verify", json], exit: 65)).outputText.contains("lost its content"))
  }
}
