import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Import of JSON:API, GraphQL and keyed inputs")
struct DescribedShapeTests {
  private let jsonAPI = """
    {"jsonapi": {"version": "1.1"}, "links": {"self": "/posts"},
     "data": [
       {"type": "posts", "id": "p1", "attributes": {"title": "One"}, "links": {"self": "/1"},
        "relationships": {"author": {"data": {"type": "authors", "id": "a1"}},
                          "comments": {"data": [{"type": "comments", "id": "c1"},
                                                {"type": "comments", "id": "c2"}]}}},
       {"relationships": {"author": {"data": {"id": "a1", "type": "authors"}, "meta": {}},
                          "comments": {"data": [{"type": "comments", "id": "c2"}]}},
        "attributes": {"title": "Two"}, "id": "p2", "type": "posts"}],
     "included": [
       {"type": "authors", "id": "a1", "attributes": {"name": "Ann"}},
       {"type": "authors", "id": "a2", "attributes": {"name": "Bob"}},
       {"type": "comments", "id": "c1", "attributes": {"text": "Hi"},
        "relationships": {"author": {"data": {"type": "authors", "id": "a2"}}}},
       {"type": "comments", "id": "c2", "attributes": {"text": "Ho"},
        "relationships": {"author": {"data": {"type": "authors", "id": "a2"}}}}]}
    """

  private let graphQL = """
    {"data": {"blog": {"edges": [
       {"cursor": "x", "node": {"__typename": "posts", "id": "p1", "title": "One",
         "author": {"__typename": "authors", "id": "a1", "name": "Ann"},
         "comments": {"nodes": [
           {"__typename": "comments", "id": "c1", "text": "Hi",
            "author": {"__typename": "authors", "id": "a2", "name": "Bob"}},
           {"__typename": "comments", "id": "c2", "text": "Ho",
            "author": {"__typename": "authors", "id": "a2"}}], "totalCount": 2}}},
       {"node": {"__typename": "posts", "id": "p2", "title": "Two",
         "author": {"__typename": "authors", "id": "a1"},
         "comments": [{"__typename": "comments", "id": "c2"}]}}],
      "pageInfo": {"hasNextPage": false}}}}
    """

  @Test("a JSON:API document needs no schema; parts that belong to no row are counted")
  func jsonAPIDocument() throws {
    for format in [ImportFormat.jsonapi, .auto] {
      let (database, report) = importing([jsonAPI], ImportOptions(format: format))
      expectTrue(problems(report).isEmpty)
      expectEqual(database?.text, blogDatabase)
      expectEqual(report.files.map(\.format), [.jsonapi])
      expectEqual(
        report.ignored.map { "\($0.count) \($0.name)" }, ["1 jsonapi", "2 links", "1 meta"])
      expectTrue(report.text().contains("ignored: 1 jsonapi, 2 links, 1 meta\n"))
    }
    let first = importing([jsonAPI], ImportOptions()).database
    let (again, report) = importing([jsonAPI], into: first, ImportOptions())
    expectTrue(again == first && report.unchanged == report.read)
  }

  @Test("a member with rows of several types distinguishes them, in any order and in shards")
  func severalTypes() throws {
    func article(_ id: Int, _ type: String, _ subject: String) -> String {
      """
      {"type": "articles", "id": "\(id)", "relationships": {
         "subject": {"data": {"type": "\(type)", "id": "\(subject)"}},
         "seen": {"data": [{"type": "\(type)", "id": "\(subject)"}]},
         "none": {"data": null}}}
      """
    }
    let articles = [article(1, "photos", "1"), article(2, "people", "1"), article(3, "notes", "1")]
    let others = ["photos", "people", "notes"].map { "{\"type\": \"\($0)\", \"id\": \"1\"}" }
    func document(_ articles: [String]) -> String {
      "{\"data\": [\(articles.joined(separator: ","))], \"included\": "
        + "[\(others.joined(separator: ","))]}"
    }
    let (database, report) = importing([document(articles)], ImportOptions())
    expectEqual(problems(report), [])
    let whole = try #require(database)
    let types = ["notes": "notes", "people": "people", "photos": "photos"]
    let entity = try #require(whole.schema.entity("articles"))
    expectEqual(entity.relationship("subject"), Schema.Relationship("subject", to: types))
    expectEqual(entity.relationship("seen"), Schema.Relationship("seen", to: types, isMany: true))
    for order in [[2, 1, 0], [1, 0, 2]] {
      let documents = order.map { document([articles[$0]]) }
      expectEqual(importing(documents, ImportOptions()).database?.schema, whole.schema)
      var shards: RecordDatabase?
      for document in documents {
        shards = importing([document], into: shards, ImportOptions()).database
      }
      expectEqual(shards?.schema, whole.schema)
      expectEqual(shards?.records.count, whole.count)
    }
    let guessed = try #require(
      inferring(articles.enumerated().map { ("\($0).json", document([$1])) }))
    expectEqual(guessed.schema, whole.schema)
    expectTrue(
      guessed.explanation().contains(
        "articles.subject: to one of notes, people or photos (sure: the input's references "
          + "include the type)\n"))
    // A schema that knows one entity only is right, and the others are wrong.
    let schema = Schema([
      Schema.Entity("articles", relationships: [Schema.Relationship("subject", to: "photos")])
    ])
    let refused = importing([document(articles)], ImportOptions(schema: schema)).report
    expectEqual(
      refused.problems.count { $0.message.contains("refers to one row of people here") }, 1)
  }

  @Test("__typename determines the types of a union in a GraphQL response")
  func union() throws {
    let text = """
      {"data": {"search": [
        {"__typename": "posts", "id": 1, "by": {"__typename": "people", "id": 1}},
        {"__typename": "posts", "id": 2, "by": {"__typename": "bots", "id": 1}}]}}
      """
    let (database, report) = importing([text], ImportOptions())
    expectEqual(problems(report), [])
    let known = try #require(database).schema.entity("posts")?.relationship("by")
    expectEqual(
      known, Schema.Relationship("by", to: ["people": "people", "bots": "bots"], by: "__typename"))
    expectEqual(database?.text.contains(#""by":{"__typename":"bots","id":1}"#), true)
    let again = importing([text], into: database, ImportOptions())
    expectTrue(again.database == database && again.report.unchanged == again.report.read)
  }

  @Test("null linkage remains null, an empty list remains a list, and a later target is discovered")
  func emptyLinkage() throws {
    let document = """
      {"data": [{"type": "a", "id": "1", "relationships": {"b": {"data": null}, "c": {"data": []},
                                                         "d": {"links": {}}}},
                {"type": "a", "id": "2", "relationships": {"b": {"data": {"type": "b", "id": "1"}},
                  "c": {"data": [{"type": "b", "id": "1"}]}}},
                {"type": "b", "id": "1"}]}
      """
    let database = try #require(importing([document], ImportOptions()).database)
    let row = try #require(database.record(RecordID(entity: "a", key: .string("1"))))
    expectEqual(row["b"], .plain(.null))
    expectEqual(row["c"], .references([]))
    expectNil(row["d"])
    expectTrue(database.verifyProblems(file: "db").isEmpty)
  }

  @Test("problems of a JSON:API document have their paths")
  func jsonAPIProblems() {
    let document = """
      {"data": [{"type": "a", "attributes": {}}, {"id": "1"}, 7,
                {"type": "a", "id": 1}, {"type": "a", "id": "2", "attributes": []},
                {"type": "a", "id": "3", "relationships": {"x": 1, "y": {"data": 2},
                  "z": {"data": {"type": "b"}}}},
                {"type": "a", "id": "4", "relationships": {"w": {"data": {"type": "b", "id": "1"}}}},
                {"type": "a", "id": "5", "relationships": {"w": {"data": [{"type": "c", "id": "1"}]}}}],
       "errors": []}
      """
    let (database, report) = importing([document], ImportOptions(format: .jsonapi))
    expectNil(database)
    expectEqual(
      report.problems.filter { $0.severity == .error }.map { "\($0.path): \($0.message)" },
      [
        "$.data[0]: this resource has no id",
        "$.data[1]: this resource has no type",
        "$.data[2]: expected a resource, which is an object with type and id, found a number",
        "$.data[3].id: expected a string as id of a resource, found a number",
        "$.data[4].attributes: expected an object as attributes of a resource, found an array",
        "$.data[5].relationships.x: expected a relationship, which is an object, found a number",
        "$.data[5].relationships.y.data: expected null, a resource identifier or an array of "
          + "these as linkage, found a number",
        "$.data[5].relationships.z.data: this resource identifier has no id that is a string",
        "$.data[7].relationships.w: \"w\" of a refers to rows of c here, and one row of b elsewhere",
        "$.errors: the document has errors instead of data",
      ])
  }

  @Test("a GraphQL response defines its types; pages are lists")
  func graphQLResponse() throws {
    for format in [ImportFormat.graphql, .auto] {
      let (database, report) = importing([graphQL], ImportOptions(format: format))
      expectTrue(problems(report).isEmpty)
      expectEqual(database?.text, blogDatabase)
      expectEqual(report.files.map(\.format), [.graphql])
      expectEqual(
        report.ignored.map { "\($0.count) \($0.name)" },
        ["1 edges.cursor", "1 pageInfo", "1 totalCount"])
    }
    let bad = """
      {"data": {"x": {"__typename": "a", "id": null, "y": 1, "y": 2}, "z": {"__typename": "a"}}}
      """
    expectEqual(
      problems(importing([bad], ImportOptions()).report),
      [
        "in.json: $.data.x: error: missingID: the id of this record of a is null; an ID is a "
          + "number or a string",
        "in.json: $.data.x.y: error: duplicateKey: the object already has a member of this name",
      ])
  }

  @Test("records may be members named by their IDs, which the records may lack")
  func keyed() throws {
    let text = """
      {"p1": {"title": "One", "author": {"id": "a1", "name": "Ann"},
              "comments": [{"id": "c1", "text": "Hi", "author": {"id": "a2", "name": "Bob"}}, "c2"]},
       "p2": {"id": "p2", "title": "Two", "author": "a1",
              "comments": [{"id": "c2", "text": "Ho", "author": "a2"}]}}
      """
    for format in [ImportFormat.keyed, .auto] {
      let (database, report) = importing(
        [text], ImportOptions(format: format, schema: blogSchema, root: "posts"))
      expectEqual(database?.text, blogDatabase)
      expectEqual(report.files.map(\.format), [.keyed])
    }
    let tables = """
      {"authors": {"a1": {"name": "Ann"}, "a2": {"name": "Bob"}},
       "comments": {"c1": {"author": "a2", "text": "Hi"}, "c2": {"author": "a2", "text": "Ho"}},
       "posts": {"p1": {"author": "a1", "comments": ["c1", "c2"], "title": "One"},
                 "p2": {"author": "a1", "comments": ["c2"], "title": "Two"}}}
      """
    let options = ImportOptions(format: .tables, schema: blogSchema, root: "posts")
    expectEqual(importing([tables], options).database?.canonicalText, canonical(blogDatabase))
    expectEqual(
      problems(
        importing(
          ["{\"p1\": {\"id\": \"p2\"}, \"p3\": 1, \"p4\": {\"id\": null}, \"p1\": {}}"],
          ImportOptions(format: .keyed, schema: blogSchema, root: "posts")
        ).report),
      [
        "in.json: $.p1: error: typeMismatch: the record under \"p1\" is posts \"p2\"",
        "in.json: $.p3: error: typeMismatch: expected an object as a record of posts, found a "
          + "number",
        "in.json: $.p4: error: missingID: the \"id\" of this record of posts is null",
        "in.json: $.p1: error: duplicateKey: the object already has a member of this name",
      ])
  }

  @Test("GraphQL: records in other objects are found, and other values are reported or counted")
  func wrappers() throws {
    let text = """
      {"data": {"count": 2, "none": null, "viewer": {"posts": [{"__typename": "posts", "id": 1}, null],
        "names": ["a"], "me": {"__typename": "users", "id": 2}}}}
      """
    let (database, report) = importing([text], ImportOptions())
    expectEqual(database?.count, 2)
    expectEqual(database?.result.map(\.entity), ["posts", "users"])
    expectEqual(report.ignored.map { "\($0.count) \($0.name)" }, ["1 count", "1 names"])
    expectEqual(
      problems(report),
      [
        "in.json: $.data.viewer.posts[1]: warning: typeMismatch: expected a record like the "
          + "others in this array, found null"
      ])
    let wrong = """
      {"data": {"posts": [{"__typename": "posts", "id": 1}, 7, {"__typename": 8, "id": 1}]}}
      """
    expectEqual(
      problems(importing([wrong], ImportOptions()).report),
      [
        "in.json: $.data.posts[1]: error: typeMismatch: expected a record like the others in "
          + "this array, found a number",
        "in.json: $.data.posts[2]: error: typeMismatch: expected a record like the others in "
          + "this array, found an object",
        "in.json: $.data.posts[2].__typename: error: typeMismatch: expected a string as "
          + "__typename, found "
          + "a number",
      ])
  }

  @Test("a value that does not fit the relationship of the schema or of another row is reported")
  func unreadable() {
    let schema = Schema([
      Schema.Entity("posts", relationships: [Schema.Relationship("author", to: "users")]),
      Schema.Entity("users"),
    ])
    let graphQL = "{\"data\": {\"p\": {\"__typename\": \"posts\", \"id\": 1, \"author\": true}}}"
    let resource = """
      {"data": [{"type": "posts", "id": "1", "attributes": {"author": {"x": 1}}}]}
      """
    let learned = """
      {"data": [{"type": "posts", "id": "1", "attributes": {"author": [1]}},
        {"type": "posts", "id": "2", "relationships": {"author": {"data":
          {"type": "users", "id": "1"}}}}], "included": [{"type": "users", "id": "1"}]}
      """
    expectEqual(
      problems(importing([graphQL], ImportOptions(schema: schema)).report),
      [
        "in.json: $.data.p.author: error: typeMismatch: \"author\" of posts refers to one row "
          + "of users: expected an ID, found a boolean"
      ])
    expectEqual(
      problems(importing([resource], ImportOptions(schema: schema)).report),
      [
        "in.json: $.data[0].attributes.author: error: typeMismatch: \"author\" of posts refers "
          + "to one row of users: expected an ID, found an object"
      ])
    expectEqual(
      problems(importing([learned], ImportOptions()).report),
      [
        "in.json: $.data[0].attributes.author: error: typeMismatch: \"author\" of posts refers "
          + "to one row of users: expected an ID, found an array"
      ])
  }
}
