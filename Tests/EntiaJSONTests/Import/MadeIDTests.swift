import EntiaJSON
import Testing

@Suite("IDs that are made of several members")
struct CompositeIDTests {
  private let schema = Schema([
    Schema.Entity(
      "lines", idNames: ["order", "number"],
      relationships: [Schema.Relationship("order", to: "orders")]),
    Schema.Entity(
      "orders", relationships: [Schema.Relationship("lines", to: "lines", isMany: true)]),
  ])
  private var options: ImportOptions {
    ImportOptions(format: .nested, schema: schema, root: "orders")
  }

  @Test("the members make the ID, stay members, and no two lists of values make one")
  func made() throws {
    let text = """
      [
        {"id":7,"lines":[{"number":1,"order":7,"text":"a"},{"number":"1","order":7},\
      {"number":"a/b~\\n","order":{"id":8,"lines":["8/a~1b~0\\n"]}}]},
        {"id":8,"lines":["8/a~1b~0\\n"]}
      ]
      """
    let (database, report) = importing([text], options)
    #expect(problems(report) == [])
    let output = try #require(database?.text)
    #expect(
      output.contains(
        """
            "lines": {
              "7/1": {"number":1,"order":7,"text":"a"},
              "7/~21": {"number":"1","order":7},
              "8/a~1b~0\\n": {"number":"a/b~\\n","order":8}
            },
            "orders": {
              "7": {"id":7,"lines":["7/1","7/~21","8/a~1b~0\\n"]},
              "8": {"id":8,"lines":["8/a~1b~0\\n"]}
            }
        """), "\(output)")
    #expect(output.contains("\"lines\": {\"id\":[\"order\",\"number\"],\"relationships\""))
    let read = RecordDatabase.read(ImportSource(name: "db", bytes: Array(output.utf8)))
    #expect(read.database == database && read.report.problems.isEmpty)
    #expect(importing([database?.nested("orders", depth: 9) ?? ""], options).database == database)
    let difference = try #require(database).difference(from: RecordDatabase())
    #expect(difference.text().contains("+ \"7/1\" {\"number\":1,\"order\":7,\"text\":\"a\"}"))
  }

  @Test("a part that lacks, or is no number, string or one row, is told")
  func wrong() {
    let text = """
      [{"id": 1, "lines": [{"order": 1}, {"order": null, "number": 1}, {"order": 1, "number": [1]},
        {"order": {}, "number": 2}, {"order": 1, "number": "\\u0041\\n", "number": 1}]}]
      """
    #expect(
      problems(importing([text], options).report) == [
        "in.json: $[0].lines[0]: error: missingID: this record of lines has no \"number\", which is "
          + "a part of its ID",
        "in.json: $[0].lines[1].order: error: missingID: \"order\" of this record of lines is null; "
          + "a part of an ID is a number, a string or one row",
        "in.json: $[0].lines[2].number: error: missingID: \"number\" of this record of lines is an "
          + "array; a part of an ID is a number, a string or one row",
        "in.json: $[0].lines[3].order: error: missingID: this record of orders has no \"id\"",
        "in.json: $[0].lines[4].number: error: duplicateKey: the object has this member already",
      ])
  }

  @Test("every shape of the same rows gives the same database")
  func shapes() throws {
    let texts: [(ImportFormat, String)] = [
      (
        .tables,
        "{\"orders\":[{\"id\":\"o\",\"lines\":[\"o/1\"]}],\"lines\":[{\"order\":\"o\",\"number\":1}]}"
      ),
      (
        .tables,
        "{\"orders\":[{\"id\":\"o\",\"lines\":[\"o/1\"]}],\"lines\":{\"o/1\":{\"order\":\"o\",\"number\":1}}}"
      ),
      (
        .django,
        "[{\"model\":\"a.orders\",\"pk\":\"o\",\"fields\":{\"lines\":[\"o/1\"]}},"
          + "{\"model\":\"a.lines\",\"pk\":99,\"fields\":{\"order\":\"o\",\"number\":1}}]"
      ),
      (
        .jsonapi,
        "{\"data\":{\"type\":\"orders\",\"id\":\"o\",\"relationships\":{\"lines\":{\"data\":["
          + "{\"type\":\"lines\",\"id\":\"o/1\"}]}}},\"included\":[{\"type\":\"lines\",\"id\":\"o/1\","
          + "\"attributes\":{\"number\":1},\"relationships\":{\"order\":{\"data\":"
          + "{\"type\":\"orders\",\"id\":\"o\"}}}}]}"
      ),
      (
        .graphql,
        "{\"data\":{\"order\":{\"__typename\":\"orders\",\"id\":\"o\",\"lines\":{\"nodes\":["
          + "{\"__typename\":\"lines\",\"number\":1,\"order\":{\"__typename\":\"orders\","
          + "\"id\":\"o\"}}]}}}}"
      ),
    ]
    let nested = "[{\"id\":\"o\",\"lines\":[{\"order\":\"o\",\"number\":1}]}]"
    let expected = try #require(importing([nested], options).database)
    for (format, text) in texts {
      let (database, report) = importing([text], ImportOptions(schema: schema, root: "orders"))
      #expect(problems(report) == [])
      #expect(report.files[0].format == format)
      #expect(database?.text == expected.text, "\(format)")
      #expect(report.ignored.map(\.name) == (format == .django ? ["pk"] : []))
    }
  }

  @Test("an ID that stands beside the members is the one that they make")
  func mismatch() {
    let tables = "{\"lines\":{\"1/2\":{\"order\":1,\"number\":3}}}"
    let resource = """
      {"data": {"type": "lines", "id": "1", "attributes": {"order": 1, "number": 3}}}
      """
    let options = ImportOptions(schema: schema)
    #expect(
      importing([tables], options).report.problems.map(\.message) == [
        "the row under \"1/2\" is lines \"1/3\"",
        "\"order\" of lines \"1/3\" names orders 1, which does not exist",
      ])
    #expect(
      importing([resource], options).report.problems.map(\.message).first
        == "the id of this record of lines is \"1\", and its members make \"1/3\"")
  }

  @Test("a schema lists the parts, each once, none of them a list")
  func schemas() throws {
    let text = """
      {"entities": {"a": {"id": ["x", "y"], "relationships": {"x": {"to": "a"}}},
                    "b": {"id": ["x"]}}}
      """
    let schema = try Schema.parse(Array(text.utf8), file: "s").get()
    #expect(try Schema.parse(schema.bytes(), file: "s").get() == schema)
    #expect(schema.entity("a")?.hasCompositeID == true && schema.entity("a")?.idName == "x+y")
    #expect(schema.entity("b")?.hasCompositeID == false && schema.entity("b")?.idName == "x")
    let wrong = """
      {"entities": {"a": {"id": ["x", "x", 1], "idFromParent": true},
        "b": {"id": []}, "c": {"id": ["x", "y"], "idFromParent": true, "relationships":
          {"x": {"to": "a", "many": true}, "y": {"to": {"t": "a"}}}}, "d": {"idFromParent": 1}}}
      """
    guard case .failure(let failure) = Schema.parse(Array(wrong.utf8), file: "s") else {
      Issue.record("accepted")
      return
    }
    #expect(
      failure.problems.map { "\($0.path) \($0.message)" } == [
        "$.entities.a.id[1] \"x\" is a part of this ID already",
        "$.entities.a.id[2] expected a string, found a number",
        "$.entities.b.id an ID is made of one member at least",
        "$.entities.c.relationships.x \"x\" is a part of the ID of \"c\" and cannot name a list of "
          + "rows",
        "$.entities.c.relationships.y \"y\" is a part of the ID of \"c\" and cannot name rows of "
          + "several entities",
        "$.entities.c.idFromParent the ID of \"c\" is made of its members; the parent has no part in "
          + "it",
        "$.entities.d.idFromParent expected true or false, found a number",
      ])
  }
}

@Suite("IDs that are taken from the parent")
struct ParentIDTests {
  private let schema = Schema([
    Schema.Entity(
      "posts",
      relationships: [
        Schema.Relationship("comments", to: "comments", isMany: true),
        Schema.Relationship("place", to: "places"),
      ]),
    Schema.Entity(
      "comments", takesIDFromParent: true,
      relationships: [Schema.Relationship("replies", to: "comments", isMany: true)]),
    Schema.Entity("places", takesIDFromParent: true),
  ])
  private var options: ImportOptions {
    ImportOptions(format: .nested, schema: schema, root: "posts")
  }

  private let nested = """
    [
      {"comments":[{"text":"a","replies":[{"text":"b"},{"id":"own","text":"c","replies":[{"text":"d"}]}]},\
    {"text":"a"}],"place":{"city":"x"},"id":"p/1"},
      {"id":2,"comments":[],"place":{"city":"x"}}
    ]
    """

  @Test("the parent, the member and the position name a record, whatever comes first")
  func made() throws {
    let (database, report) = importing([nested], options)
    #expect(problems(report) == [])
    #expect(report.inserted == 9 && report.read == 9)
    let text = try #require(database?.text)
    #expect(
      text.contains(
        """
            "comments": {
              "comments/own/replies/0": {"id":"comments/own/replies/0","text":"d"},
              "own": {"id":"own","replies":["comments/own/replies/0"],"text":"c"},
              "posts/p~11/comments/0": {"id":"posts/p~11/comments/0","replies":\
        ["posts/p~11/comments/0/replies/0","own"],"text":"a"},
              "posts/p~11/comments/0/replies/0": {"id":"posts/p~11/comments/0/replies/0","text":"b"},
              "posts/p~11/comments/1": {"id":"posts/p~11/comments/1","text":"a"}
            },
            "places": {
              "posts/2/place": {"id":"posts/2/place","city":"x"},
              "posts/p~11/place": {"id":"posts/p~11/place","city":"x"}
            },
        """), "\(text)")
    #expect(text.contains("\"places\": {\"id\":\"id\",\"idFromParent\":true}"))
    #expect(
      RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8))).database == database)
  }

  @Test("what comes back has no ID where it had none, and the same rows at any depth")
  func denormalized() throws {
    let database = try #require(importing([nested], options).database)
    let back = database.nested("posts", depth: 9)
    #expect(
      back == """
        [
          {"id":"p/1","comments":[{"replies":[{"text":"b"},{"id":"own","replies":[{"text":"d"}],\
        "text":"c"}],"text":"a"},{"text":"a"}],"place":{"city":"x"}},
          {"id":2,"comments":[],"place":{"city":"x"}}
        ]

        """)
    #expect(importing([back], options).database == database)
    var comments = options
    comments.root = "comments"
    for depth in 0...3 {
      let (again, report) = importing(
        [database.nested("posts", depth: depth)], into: database, options)
      #expect(again == database && report.isRefused == false)
      // A row that stands at the top says its ID, and so do those in it.
      let parts = database.nested("comments", depth: depth)
      #expect(importing([parts], into: database, comments).database?.table == database.table)
    }
  }

  @Test("what is at the top has no parent, and neither has what a row without an ID holds")
  func wrong() {
    var comments = options
    comments.root = "comments"
    #expect(
      problems(importing(["[{\"replies\":[{},{}]}]"], comments).report) == [
        "in.json: $[0]: error: missingID: this record of comments has no \"id\" and is nested in no "
          + "row to take one from"
      ])
    #expect(
      problems(importing(["[{\"comments\":[{\"replies\":[{}]},{\"id\":null}]}]"], options).report)
        == [
          "in.json: $[0]: error: missingID: this record of posts has no \"id\"",
          "in.json: $[0].comments[1]: error: missingID: the \"id\" of this record of comments is null",
        ])
  }

  @Test("a GraphQL response gives the same rows")
  func graphQL() throws {
    let text = """
      {"data": {"post": {"__typename": "posts", "comments": {"nodes": [
        {"__typename": "comments", "text": "a", "replies": [{"__typename": "comments", "text": "b"}]},
        {"__typename": "comments", "text": "c"}]}, "id": "p", "place": {"__typename": "places"}}}}
      """
    let nested = """
      [{"id": "p", "comments": [{"text": "a", "replies": [{"text": "b"}]}, {"text": "c"}],
        "place": {}}]
      """
    let (database, report) = importing([text], ImportOptions(schema: schema))
    #expect(problems(report) == [])
    #expect(database?.text == importing([nested], options).database?.text)
    let top = "{\"data\": {\"comment\": {\"__typename\": \"comments\"}}}"
    #expect(
      problems(importing([top], ImportOptions(schema: schema)).report) == [
        "in.json: $.data.comment: error: missingID: this record of comments has no \"id\" and is "
          + "nested in no row to take one from"
      ])
  }

  @Test("100,000 levels without IDs end in one problem, soon")
  func deep() {
    let levels = 100_000
    let text =
      "[{\"id\":1,\"comments\":["
      + String(repeating: "{\"replies\":[", count: levels) + String(repeating: "]}", count: levels)
      + "]}]"
    let report = importing([text], options).report
    #expect(report.problems.map(\.kind) == [.missingID])
    #expect(
      report.problems.map(\.message) == [
        "the ID that this record of comments takes from its parent is longer than 512 bytes; give it "
          + "one of its own"
      ])
  }
}

@Suite("Names that GraphQL responses give members")
struct AliasTests {
  private func schema() throws -> Schema {
    let text = """
      {"entities": {"posts": {"relationships": {"author": {"to": "authors"}},
        "aliases": {"writer": "author", "headline": "title", "key": "id"}}, "authors": {}}}
      """
    return try Schema.parse(Array(text.utf8), file: "s").get()
  }

  @Test("an alias is the member that the schema says, an ID or a relationship as well")
  func aliases() throws {
    let schema = try self.schema()
    #expect(try Schema.parse(schema.bytes(), file: "s").get() == schema)
    #expect(schema.entity("posts")?.aliases.map { $0.alias } == ["headline", "key", "writer"])
    let text = """
      {"data": {"post": {"__typename": "posts", "key": 1, "headline": "T", "title": "T",
        "writer": {"__typename": "authors", "id": 2}}}}
      """
    let (database, report) = importing([text], ImportOptions(schema: schema))
    #expect(problems(report) == [])
    let id = RecordID(entity: "posts", key: .number(JSONNumber(1)))
    let row = try #require(database?.record(id))
    #expect(row["author"] == .reference(RecordID(entity: "authors", key: .number(JSONNumber(2)))))
    #expect(row.members.map { $0.name } == ["author", "title"])
  }

  @Test("a member that comes under two names with two values is a conflict")
  func conflict() throws {
    let text = """
      {"data": {"post": {"__typename": "posts", "id": 1, "headline": "T", "title": "U"}}}
      """
    #expect(
      problems(importing([text], ImportOptions(schema: try schema())).report) == [
        "in.json: $.data.post.title: error: conflict: \"title\" is \"title\" by the schema, and the "
          + "record has that with another value"
      ])
  }

  @Test("a schema's IDs and aliases are compared, and put together")
  func differences() throws {
    let new = try schema()
    let old = Schema([
      Schema.Entity(
        "posts", takesIDFromParent: true,
        relationships: [Schema.Relationship("author", to: "authors")],
        aliases: ["writer": "editor", "old": "x"]), Schema.Entity("authors"),
    ])
    #expect(
      new.difference(from: old).map(\.description) == [
        "~ posts: ID in \"id or parent\" -> \"id\"", "+ posts, alias \"headline\": \"title\"",
        "+ posts, alias \"key\": \"id\"", "- posts, alias \"old\": \"x\"",
        "~ posts, alias \"writer\": \"editor\" -> \"author\"",
      ])
    #expect(new.difference(from: new) == [])
    let base = try #require(importing(["{}"], ImportOptions(schema: old)).database)
    let (database, report) = importing(["{}"], into: base, ImportOptions(schema: new))
    #expect(
      problems(report) == [
        "the schema: $.entities.posts.id: error: schemaConflict: the ID of \"posts\" is \"id\" here "
          + "and \"id\" or taken from the parent in the schema so far",
        "the schema: $.entities.posts.aliases.writer: error: schemaConflict: \"writer\" of \"posts\" "
          + "is \"author\" here and \"editor\" in the schema so far",
      ])
    #expect(database == nil)
    let later = try #require(importing(["{}"], ImportOptions(schema: new)).database)
    let json = String(decoding: later.difference(from: base).json(), as: UTF8.self)
    #expect(
      json.contains(
        "{\"entity\":\"posts\",\"change\":\"alias\",\"alias\":\"old\",\"old\":\"x\",\"new\":null}"))
  }
}
