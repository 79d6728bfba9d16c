import EntiaTestSupport
import Testing

@testable import EntiaRecords

/// Every kind of defect is seeded, and must be found (law 34).
@Suite("Verifying a database")
struct VerifyTests {
  private func told(
    _ records: [Record], result: [ExactString: [RecordKey]] = [:], schema: Schema = blogSchema
  ) throws -> [String] {
    var database = RecordDatabase()
    database.schema = schema
    try database.storage.write(records)
    database.resultKeys = result
    let problems = database.verifyProblems(file: "db.json")
    expectTrue(problems.allSatisfy { $0.severity == .error && $0.file == "db.json" })
    return problems.map { "\($0.path): \($0.kind.rawValue): \($0.message)" }
  }

  private func id(_ entity: String, _ key: String) -> RecordID {
    RecordID(entity: entity, key: .string(key))
  }

  private func number(_ text: String) throws -> RecordKey {
    .number(try #require(JSONNumber(text)))
  }

  @Test("a valid database has no problems")
  func sound() throws {
    let database = try #require(importing([nestedBlog]).database)
    expectTrue(database.verifyProblems(file: "db").isEmpty)
    expectEqual(
      RecordDatabase.verifying(ImportSource(name: "db", bytes: database.write())).problems, [])
  }

  @Test("dangling references")
  func dangling() throws {
    let post = Record(
      id: id("posts", "p1"),
      members: [
        ("author", .reference(id("authors", "a9"))),
        ("comments", .references([id("comments", "c 1")])),
      ])
    try expectEqual(
      told([post]),
      [
        "$.entities.posts.p1.author: danglingReference: \"author\" of posts \"p1\" refers to "
          + "authors \"a9\", which does not exist",
        "$.entities.posts.p1.comments[0]: danglingReference: \"comments\" of posts \"p1\" "
          + "refers to comments \"c 1\", which does not exist",
      ])
  }

  @Test("members that violate the schema")
  func types() throws {
    let author = id("authors", "a1")
    let records = [
      Record(id: author, members: [("name", .reference(author))]),
      Record(
        id: id("posts", "p 1"),
        members: [
          ("author", .references([author])), ("comments", .plain(JSONText(.bool(true)))),
        ]),
      Record(id: id("posts", "p2"), members: [("author", .reference(id("posts", "p2")))]),
      Record(id: id("posts", "p3"), members: [("author", .plain(.null)), ("comments", .null)]),
      Record(id: id("ghosts", "g1"), members: []),
    ]
    try expectEqual(
      told(records),
      [
        "$.entities.ghosts.g1: unknownEntity: ghosts \"g1\" is of no entity of the schema",
        "$.entities.authors.a1.name: typeMismatch: \"name\" of authors \"a1\" is a reference, "
          + "but no relationship of the schema",
        "$.entities.posts[\"p 1\"].author: typeMismatch: \"author\" of posts \"p 1\" is not an "
          + "ID of "
          + "authors",
        "$.entities.posts[\"p 1\"].comments: typeMismatch: \"comments\" of posts \"p 1\" is not "
          + "an array of IDs of comments",
        "$.entities.posts.p2.author: typeMismatch: \"author\" of posts \"p2\" refers to posts "
          + "\"p2\", "
          + "not to a row of authors",
      ])
  }

  @Test("IDs with the same text or value, and a result that does not exist")
  func identity() throws {
    let keys = [try number("1"), .string("1"), try number("1.0"), .string("01")]
    let records = keys.map { Record(id: RecordID(entity: "authors", key: $0), members: []) }
    try expectEqual(
      told(records, result: [ExactString("authors"): [.string("1"), .string("x")]]),
      [
        "$.entities.authors[\"1\"]: typeMismatch: authors \"1\" has the same text as the ID 1, of "
          + "another type",
        "$.entities.authors[\"1.0\"]: typeMismatch: authors 1.0 is the same number as the ID 1, "
          + "in another spelling",
        "$.result.authors[1]: danglingReference: the result refers to authors \"x\", which does "
          + "not exist",
      ])
  }

  @Test(
    "whatever a text has wrong is found by reading it strictly",
    arguments: [
      #"{"a": [{"id": 1}, {"id": "1"}]}"#, #"{"a": [{"id": 1}, {"id": 1.0}]}"#,
      #"{"entities": {"a": [{"id": 1}]}, "result": {"a": [1, 2]}}"#,
      #"{"entities": {"a": [{"id": 1}]}, "result": {"b": [1]}}"#,
      #"{"schema": {"entities": {"a": {}}}, "entities": {"b": [{"id": 1}]}, "result": {"a": [1]}}"#,
      #"{"schema": {"entities": {"a": {"relationships": {"b": {"to": "a", "many": true}}}}}, "#
        + #""entities": {"a": [{"id": 1, "b": 1}]}}"#,
      #"{"schema": {"entities": {"a": {"relationships": {"b": {"to": "a"}}}}}, "#
        + #""entities": {"a": [{"id": 1, "b": [1]}]}}"#,
      #"{"schema": {"entities": {"a": {"relationships": {"b": {"to": "a"}}}}}, "#
        + #""entities": {"a": [{"id": 1, "b": "1"}]}}"#,
      #"{"entities": {"a": {"1": {"id": 2}}}}"#,
      #"{"schema": {"entities": {"a": {"id": ["x", "y"]}}}, "entities": {"a": [{"x": 1}]}}"#,
    ])
  func textsThatAreWrong(text: String) {
    let source = ImportSource(name: "db.json", bytes: Array(text.utf8))
    let (database, report) = Importer.importing(
      [source], into: nil, options: ImportOptions(format: .tables, strict: true))
    let second = database?.verifyProblems(file: "db.json") ?? []
    expectTrue(second.isEmpty)
    expectEqual(RecordDatabase.verifying(source), report)
    expectTrue(report.isRefused)
  }

  @Test("a file is verified with its own paths, and dangling references are errors")
  func files() {
    let text = """
      {"schema": {"entities": {"a": {"relationships": {"b": {"to": "a"}}}}}, "a": [{"id": 1, "b": 2}]}
      """
    let source = ImportSource(name: "db.json", bytes: Array(text.utf8))
    expectEqual(
      problems(RecordDatabase.verifying(source)),
      [
        "db.json: $.a[0].b: error: danglingReference: \"b\" of a 1 refers to a 2, which does "
          + "not exist"
      ])
    let (database, report) = RecordDatabase.read(source)
    expectEqual(database?.count, 1)
    expectEqual(report.problems.map(\.severity), [.warning])
    let broken = RecordDatabase.verifying(ImportSource(name: "db.json", bytes: []))
    expectEqual(broken.problems.map(\.kind), [.malformedJSON])
  }
}
