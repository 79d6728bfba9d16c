import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Deleting and patching rows")
struct EditingTests {
  private func database(_ text: String = blogDatabase) throws -> RecordDatabase {
    let (database, report) = RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8)))
    return try #require(database, "\(problems(report))")
  }

  @Test("Rows that nothing refers to are deleted, from the result too")
  func deleting() throws {
    let old = try database()
    let new = try old.deleting(["p2", "p1"], of: "posts")
    expectEqual(new.count, old.count - 2)
    expectTrue(new.result.isEmpty)
    expectEqual(new.verifyProblems(file: "db"), [])
    expectEqual(old.text, try database().text)
    let one = try old.deleting(["p1"], of: "posts")
    expectEqual(one.result.map(\.keys), [[.string("p2")]])
  }

  @Test("A deletion that would leave dangling references is refused and lists all of them")
  func dangling() throws {
    let old = try database()
    #expect {
      try old.deleting(["a2"], of: "authors")
    } throws: { error in
      "\(error)" == """
        "author" of comments "c1" refers to authors "a2"
        "author" of comments "c2" refers to authors "a2"
        """
    }
    let problem = #expect(throws: DeletionProblem.self) {
      try old.deleting(["a2"], of: "authors")
    }
    expectEqual(
      problem?.messages(limit: 1),
      ["\"author\" of comments \"c1\" refers to authors \"a2\"", "and 1 more reference"])
    // References from rows that are deleted too, and from a row to itself, are none.
    let first = try old.deleting(["p1", "p2"], of: "posts")
    try expectEqual(
      first.deleting(["c1", "c2"], of: "comments").deleting(["a2"], of: "authors").count, 1)
    let own = try database(
      "{\"schema\":{\"entities\":{\"a\":{\"relationships\":{\"up\":{\"to\":\"a\"}}}}},"
        + "\"entities\":{\"a\":[{\"id\":1,\"up\":1},{\"id\":2,\"up\":1}]}}")
    try expectTrue(own.deleting(["2", "1"], of: "a").isEmpty)
  }

  @Test("A deletion with nullify removes the references")
  func nullifying() throws {
    let new = try database().deleting(["c2"], of: "comments", nullifies: true)
      .deleting(["a1"], of: "authors", nullifies: true)
    expectTrue(
      new.text.contains(#""p1": {"id":"p1","title":"One","author":null,"comments":["c1"]"#))
    expectTrue(new.text.contains(#""p2": {"id":"p2","title":"Two","author":null,"comments":[]"#))
    expectEqual(new.verifyProblems(file: "db"), [])
  }

  @Test("A reference that is part of the row's ID cannot be removed")
  func partOfID() throws {
    let old = try database(
      "{\"schema\":{\"entities\":{\"o\":{},\"l\":{\"id\":[\"o\",\"n\"],\"relationships\":{\"o\":{\"to\":\"o\"}}}}},"
        + "\"entities\":{\"o\":[{\"id\":1}],\"l\":[{\"o\":1,\"n\":2}]}}")
    #expect {
      try old.deleting(["1"], of: "o", nullifies: true)
    } throws: {
      "\($0)" == "\"o\" of l \"1/2\" refers to o 1, which is a part of the ID of that row"
    }
    try expectTrue(old.deleting(["1/2"], of: "l").deleting(["1"], of: "o").isEmpty)
  }

  @Test("Every deletion leaves a database that verifies", arguments: 0..<40)
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let old = try database()
    let row = try #require(old.records.randomElement(using: &random))
    let (entity, id) = (row.id.entity, row.id.key.text)
    let hasHolders = old.holders(of: row.id).contains { $0 != row.id }
    do {
      let new = try old.deleting([id], of: entity)
      expectFalse(hasHolders, "seed \(seed)")
      expectEqual(new.verifyProblems(file: "db"), [], "seed \(seed)")
    } catch {
      expectTrue(hasHolders, "seed \(seed): \(error)")
    }
    let new = try old.deleting([id], of: entity, nullifies: true)
    expectEqual(new.verifyProblems(file: "db"), [], "seed \(seed)")
    expectTrue(new.count == old.count - 1 && new.record(row.id) == nil, "seed \(seed)")
  }

  private func patched(_ id: String, _ entity: String, _ patch: String) throws -> RecordDatabase {
    try database().patching(id, of: entity, with: Array(patch.utf8))
  }

  @Test("A patch whose nulls the row does not have writes nothing")
  func nullsWithoutMember() throws {
    let old = try database()
    let audit = EqualityAudit.Receiver()
    try EqualityAudit.$receiver.withValue(audit) {
      let new = try old.patching("p1", of: "posts", with: Array(#"{"none":null}"#.utf8))
      expectEqual(new.text, old.text)
      expectTrue(new.table.isIdentical(to: old.table))
    }
    expectEqual(audit.messages, [])
  }

  @Test("A patch sets members, null removes them, and nothing else changes")
  func patching() throws {
    let old = try database()
    let new = try patched("p1", "posts", "{\"title\": \"Uno\", \"year\": 1.50, \"comments\": null}")
    let difference = new.difference(from: old)
    expectEqual(difference.tables.map(\.entity), ["posts"])
    expectEqual(difference.tables.first?.updated.map(\.id.key.text), ["p1"])
    expectEqual(
      difference.tables.first.map { Set($0.updated[0].fields.map(\.name)) },
      ["title", "year", "comments"])
    expectTrue(difference.results.isEmpty && difference.schema.isEmpty)
    expectEqual(new.result.map(\.keys), old.result.map(\.keys))
    try expectEqual(patched("p1", "posts", "{}"), old)
    try expectEqual(patched("p1", "posts", "{\"id\": \"p1\", \"gone\": null}"), old)
    // A row that no input had at its top level gets no place in the result.
    try expectEqual(patched("a1", "authors", "{\"name\": \"x\"}").result.map(\.entity), ["posts"])
  }

  @Test("Objects are merged into objects as in RFC 7396")
  func merging() throws {
    func value(_ first: String, _ patch: String) throws -> String? {
      let database = try patched("a1", "authors", "{\"o\": \(first)}")
        .patching("a1", of: "authors", with: Array("{\"o\": \(patch)}".utf8))
      guard
        case .plain(let text) = database.record(
          RecordID(entity: "authors", key: .string("a1")))?["o"]
      else { return nil }
      return text.text
    }
    try expectEqual(
      value(
        "{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"a\":null,\"b\":{\"c\":4},\"e\":{\"f\":null}}"),
      "{\"b\":{\"c\":4,\"d\":3},\"e\":{}}")
    try expectEqual(value("[1]", "{\"a\":1}"), "{\"a\":1}")
    try expectEqual(value("{\"a\":1}", "[2]"), "[2]")
    try expectNil(value("{\"a\":1}", "null"))
    // What is no object, or not there, is merged into as if it were an empty object.
    try expectEqual(value("null", "{\"a\":1,\"b\":null}"), "{\"a\":1}")
    for first in ["1", "\"x\"", "[1]", "true"] {
      try expectEqual(
        value(first, "{\"a\":null,\"b\":{\"c\":null,\"d\":[null]}}"), "{\"b\":{\"d\":[null]}}")
    }
    let new = try patched("a1", "authors", "{\"new\": {\"a\": 1, \"b\": null}}")
    expectTrue(new.text.contains("\"new\":{\"a\":1}"))
  }

  @Test(
    "A patch changes one row: an object in the place of a reference is refused",
    arguments: [
      ("posts", "p1", "{\"author\": {\"id\": \"a1\", \"name\": \"x\"}}", "$.author"),
      ("posts", "p1", "{\"author\": {\"id\": \"a9\"}}", "$.author"),
      ("posts", "p1", "{\"comments\": [\"c1\", {\"id\": \"c9\"}]}", "$.comments[1]"),
      ("posts", "p1", "{\"comments\": {\"id\": \"c9\"}}", "$.comments"),
    ])
  func otherRows(entity: String, id: String, patch: String, path: String) throws {
    let problem = #expect(throws: PatchProblem.self) { try patched(id, entity, patch) }
    let text = problem?.description ?? ""
    expectTrue(text.hasPrefix("the patch: \(path): ") && text.contains("by ID"), "\(text)")
  }

  @Test("A typed reference has a type and an ID, and nothing else")
  func typedReferences() throws {
    let old = try database(
      """
      {"schema":{"entities":{"v":{},"w":{},"p":{"relationships":
        {"one":{"to":{"v":"v","w":"w"}},"all":{"to":{"v":"v","w":"w"},"many":true}}}}},
      "entities":{"v":[{"id":1,"type":"v"}],"w":[{"id":2,"type":"w"}],"p":[{"id":3}]}}
      """)
    func patched(_ patch: String) throws -> RecordDatabase {
      try old.patching("3", of: "p", with: Array(patch.utf8))
    }
    let one = "{\"type\":\"w\",\"id\":2}"
    let new = try patched("{\"one\": \(one), \"all\": [\(one), {\"id\":1,\"type\":\"v\"}]}")
    expectTrue(
      new.text.contains(
        #""one":{"type":"w","id":2},"all":[{"type":"w","id":2},{"type":"v","id":1}]"#),
      "\(new.text)")
    expectTrue(new.count == old.count && new.verifyProblems(file: "db") == [])
    for (patch, path) in [
      ("{\"one\": {\"type\":\"w\",\"id\":2,\"x\":1}}", "$.one"),
      ("{\"all\": [\(one), {\"type\":\"v\",\"id\":9,\"x\":1}]}", "$.all[1]"),
    ] {
      let problem = #expect(throws: PatchProblem.self) { try patched(patch) }
      expectEqual(problem?.description.hasPrefix("the patch: \(path): "), true)
    }
  }

  @Test("References are set by ID, and have to exist")
  func references() throws {
    let new = try patched("p1", "posts", "{\"author\": \"a2\", \"comments\": [\"c2\", \"c1\"]}")
    expectEqual(new.holders(of: RecordID(entity: "authors", key: .string("a1"))).count, 1)
    expectEqual(new.verifyProblems(file: "db"), [])
  }

  @Test(
    "An invalid patch is refused with its path, and nothing changes",
    arguments: [
      (
        "{\"author\": \"a9\"}",
        "the patch: $.author: \"author\" of posts \"p1\" refers to authors \"a9\", "
          + "which does not exist"
      ),
      (
        "{\"author\": true}",
        "the patch: $.author: \"author\" of posts refers to one row of authors: expected an ID, "
          + "an object or null, found a Boolean"
      ),
      (
        "{\"id\": \"p3\"}",
        "the patch: $.id: \"id\" is the ID of posts \"p1\" and cannot be changed"
      ),
      ("[1]", "the patch: $: expected an object of members, found an array"),
      (
        "{\"a\": 1, \"a\": 2}",
        "the patch: $.a: an object has two members of one name at line 1, "
          + "column 10 (byte 9)"
      ),
      ("{\"a\": ", "the patch: $.a: the text ends inside an object at line 1, column 7 (byte 6)"),
    ])
  func refused(patch: String, message: String) throws {
    let problem = #expect(throws: PatchProblem.self) { try patched("p1", "posts", patch) }
    let place = message.prefix { $0 != "\"" }
    expectEqual(problem?.description.hasPrefix(place), true, "\(problem?.description ?? "")")
  }

  @Test("A row that had a dangling reference may be patched elsewhere")
  func danglingElsewhere() throws {
    let old = try database(blogDatabase.replacing("\"author\":\"a1\"", with: "\"author\":\"a9\""))
    let new = try old.patching("p1", of: "posts", with: Array("{\"title\":\"x\"}".utf8))
    expectTrue(new.text.contains("\"title\":\"x\""))
  }
}
