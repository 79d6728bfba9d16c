import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Schemas")
struct SchemaTests {
  private func parse(_ text: String) -> Result<Schema, ImportProblems> {
    Schema.parse(Array(text.utf8), file: "schema.json")
  }

  @Test("a schema that is written and read again is equal")
  func roundTrip() throws {
    let text = """
      {"entities": {"posts": {"id": "key", "relationships": {
        "comments": {"many": true, "to": "comments"}, "author": {"to": "authors", "many": false}}},
       "authors": {}, "comments": {"relationships": {}}}}
      """
    let schema = try parse(text).get()
    expectEqual(
      schema,
      Schema([
        Schema.Entity("authors"), Schema.Entity("comments"),
        Schema.Entity(
          "posts", idName: "key",
          relationships: [
            Schema.Relationship("comments", to: "comments", isMany: true),
            Schema.Relationship("author", to: "authors"),
          ]),
      ]))
    expectEqual(schema.entities.map(\.name), ["authors", "comments", "posts"])
    expectEqual(schema.entity("posts")?.relationships.map(\.name), ["author", "comments"])
    expectEqual(schema.entity("posts")?.relationship("comments")?.isMany, true)
    expectEqual(
      String(decoding: schema.bytes(), as: UTF8.self),
      """
      {
        "entities": {
          "authors": {"id":"id"},
          "comments": {"id":"id"},
          "posts": {"id":"key","relationships":{"author":{"to":"authors"},\
      "comments":{"to":"comments","many":true}}}
        }
      }

      """)
    try expectEqual(Schema.parse(schema.bytes(), file: "again").get(), schema)
  }

  @Test(
    "every problem is reported with its path",
    arguments: [
      (
        "",
        [
          "$: error: malformedJSON: the text is empty; expected a value at line 1, column 1 (byte 0)"
        ]
      ),
      ("[]", ["$: error: invalidSchema: expected an object, found an array"]),
      ("{}", ["$: error: invalidSchema: the member \"entities\" is missing"]),
      (
        "{\"entitys\":{}}",
        [
          "$: error: invalidSchema: the member \"entities\" is missing",
          "$.entitys: error: invalidSchema: unknown member \"entitys\"; did you mean \"entities\"?",
        ]
      ),
      (
        "{\"entities\":[]}",
        ["$.entities: error: invalidSchema: expected an object, found an array"]
      ),
      (
        "{\"entities\":{\"a\":1,\"b\":{\"id\":1,\"ids\":2}}}",
        [
          "$.entities.a: error: invalidSchema: expected an object, found a number",
          "$.entities.b.ids: error: invalidSchema: unknown member \"ids\"; did you mean \"id\"?",
          "$.entities.b.id: error: invalidSchema: expected a string, found a number",
        ]
      ),
      (
        "{\"entities\":{\"posts\":{\"relationships\":{\"author\":{\"to\":\"author\"},\"x\":{},"
          + "\"id\":{\"to\":\"posts\",\"many\":1},\"y\":5,\"z\":[],\"w\":[\"author\"]}},\"authors\":{}}}",
        [
          "$.entities.posts.relationships.x: error: invalidSchema: the member \"to\" is missing",
          "$.entities.posts.relationships.id.many: error: invalidSchema: expected true or false, found "
            + "a number",
          "$.entities.posts.relationships.y: error: invalidSchema: expected an object, found a number",
          "$.entities.posts.relationships.z: error: invalidSchema: expected an array with the name of one entity, such as "
            + "[\"entity\"]",
          "$.entities.posts.relationships.id: error: invalidSchema: \"id\" is the ID of \"posts\" and "
            + "cannot be a relationship",
          "$.entities.posts.relationships.author.to: error: invalidSchema: \"author\" is no entity of "
            + "this schema; did you mean \"authors\"?",
          "$.entities.posts.relationships.w[0]: error: invalidSchema: \"author\" is no entity of this "
            + "schema; did you mean \"authors\"?",
        ]
      ),
      (
        "{\"entities\":{\"a\":{},\"a\":{}}}",
        [
          "$.entities.a: error: duplicateKey: an object has two members of one name at line 1, column "
            + "21 (byte 20)"
        ]
      ),
    ])
  func wrong(text: String, problems: [String]) {
    switch parse(text) {
    case .success: Issue.record("the schema was accepted")
    case .failure(let error):
      expectEqual(error.problems.map(\.description), problems.map { "schema.json: " + $0 })
      expectEqual(error.description, problems.map { "schema.json: " + $0 }.joined(separator: "\n"))
    }
  }

  @Test(
    "the schema of a database and a given one are merged",
    arguments: [
      (
        "{\"entities\":{\"posts\":{\"relationships\":{\"editor\":{\"to\":\"authors\"}}},"
          + "\"authors\":{}}}", 0
      ),
      ("{\"entities\":{\"posts\":{\"id\":\"key\"}}}", 1),
      (
        "{\"entities\":{\"posts\":{\"relationships\":{\"author\":{\"to\":\"posts\"},"
          + "\"comments\":{\"to\":\"authors\",\"many\":true}}},\"authors\":{}}}", 2
      ),
    ])
  func merging(text: String, contradictions: Int) throws {
    let base = try #require(importing([nestedBlog]).database)
    let given = try parse(text).get()
    let (database, report) = importing(["{}"], into: base, ImportOptions(schema: given))
    expectEqual(
      report.problems.map(\.kind), Array(repeating: .schemaConflict, count: contradictions))
    expectTrue(report.problems.allSatisfy { $0.file == "the schema" })
    if contradictions == 0 {
      let posts = try #require(database?.schema.entity("posts"))
      expectEqual(posts.relationships.map(\.name), ["author", "comments", "editor"])
    } else {
      expectNil(database)
    }
  }

  @Test("a relationship has a short form")
  func shortForm() throws {
    let long = try parse(
      #"{"entities":{"a":{"relationships":{"b":{"to":"b"},"c":{"to":"b","many":true}}},"b":{}}}"#
    ).get()
    try expectEqual(
      parse(#"{"entities":{"a":{"relationships":{"b":"b","c":["b"]}},"b":{}}}"#).get(), long)
  }

  @Test("only a similar name is suggested")
  func suggestions() {
    let names = ["posts", "authors", "comments"]
    for (name, nearest) in [
      ("post", "posts"), ("Authors", "authors"), ("coments", "comments"), ("psots", "posts"),
      ("xyz", nil), ("", nil), (String(repeating: "a", count: 10_000), nil),
    ] as [(String, String?)] {
      expectEqual(Suggestion.nearest(to: name, among: names), nearest)
    }
  }
}

@Suite("Misspelt relationships of a schema")
struct MisspeltRelationshipTests {
  private func warnings(_ name: String, _ text: String, strict: Bool = false) -> [String] {
    let schema = Schema([
      Schema.Entity("posts", relationships: [Schema.Relationship(name, to: "authors")]),
      Schema.Entity("authors"),
    ])
    let (database, report) = importing(
      [text], ImportOptions(format: .nested, schema: schema, root: "posts", strict: strict))
    expectTrue(database != nil)
    return problems(report)
  }

  @Test("a misspelt relationship is a warning with a suggestion, even in a strict import")
  func misspelt() {
    let text = #"[{"id":1,"author":{"id":2}},{"id":3,"title":"x"}]"#
    let message =
      "the schema: $.entities.posts.relationships.auther: warning: invalidSchema: no record of posts has "
      + "the member \"auther\"; did you mean \"author\"?"
    expectEqual(warnings("auther", text), [message])
    expectEqual(warnings("auther", text, strict: true), [message])
  }

  @Test("there is no warning if a record has the relationship, or if no member has a similar name")
  func fine() {
    expectEqual(warnings("author", #"[{"id":1},{"id":2,"author":null,"authors":1}]"#), [])
    expectEqual(warnings("editor", #"[{"id":1,"author":{"id":2}}]"#), [])
    expectEqual(warnings("auther", "[]"), [])
  }
}
