import EntiaDatabase
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Relationships to several entities that a type distinguishes")
struct VariantTests {
  private static let schemaText = """
    {"entities": {
      "posts": {"relationships": {
        "media": {"to": {"photo": "photos", "video": "videos", "still": "photos"}, "many": true},
        "cover": {"to": {"photo": "photos", "video": "videos"}, "by": "type"}}},
      "photos": {}, "videos": {"id": "code", "relationships": {
        "poster": {"to": {"photo": "photos"}}}}}}
    """
  private let options: ImportOptions
  private let schema: Schema

  init() throws {
    schema = try Schema.parse(Array(Self.schemaText.utf8), file: "schema.json").get()
    options = ImportOptions(format: .nested, schema: schema, root: "posts")
  }

  private let nested = """
    [
      {"id":"p1","cover":{"type":"video","code":"v","poster":{"type":"photo","id":2,"width":3}},\
    "media":[{"type":"photo","id":1,"width":7},{"code":"v","type":"video"},\
    {"width":3,"id":2,"type":"photo"}]},
      {"id":"p2","cover":null,"media":[]}
    ]
    """

  @Test(
    "objects become rows of the entities of their types, and are denormalized to the same objects")
  func objects() throws {
    let (database, report) = importing([nested], options)
    expectEqual(problems(report), [])
    // The object with nothing but a type and an ID names its row, and is none itself.
    expectTrue(report.read == 6 && report.inserted == 5 && report.unchanged == 1)
    let text = try #require(database?.text)
    expectTrue(
      text.contains(
        """
            "photos": {
              "1": {"id":1,"type":"photo","width":7},
              "2": {"id":2,"type":"photo","width":3}
            },
            "posts": {
              "p1": {"id":"p1","cover":{"type":"video","code":"v"},"media":[{"type":"photo","id":1},\
        {"type":"video","code":"v"},{"type":"photo","id":2}]},
              "p2": {"id":"p2","cover":null,"media":[]}
            },
            "videos": {
              "v": {"code":"v","type":"video","poster":{"type":"photo","id":2}}
            }
        """), "\(text)")
    expectEqual(
      RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8))).database, database)
    expectEqual(database?.verifyProblems(file: "db"), [])
    let again = try #require(database?.nested("posts", depth: 5))
    expectEqual(importing([again], options).database, database)
    expectEqual(importing([nested], into: database, options).report.unchanged, 6)
    let row = try #require(database?.record(RecordID(entity: "posts", key: .string("p1"))))
    expectEqual(row["cover"], .reference(RecordID(entity: "videos", key: .string("v"))))
  }

  @Test("a row that is referred to by its type has it, and one with another type is not nested")
  func types() throws {
    let tables = """
      {"posts": [{"id": "p", "cover": null}],
       "videos": [{"code": 1, "poster": {"type": "photo", "id": 9}}],
       "photos": [{"id": 9, "type": "portrait"}]}
      """
    var flat = options
    flat.format = .tables
    let patch = Array(#"{"cover":{"type":"video","code":1}}"#.utf8)
    let database = try #require(importing([tables], flat).database)
      .patching("p", of: "posts", with: patch)
    expectEqual(
      database.nested("posts", depth: 5),
      """
      [
        {"id":"p","cover":{"code":1,"poster":{"type":"photo","id":9},"type":"video"}}
      ]

      """)
    expectEqual(
      database.nested("posts", depth: 0),
      """
      [
        {"id":"p","cover":{"type":"video","code":1}}
      ]

      """)
  }

  @Test("of several types of one entity a row keeps its own, and a reference has the first")
  func severalTypes() throws {
    let text = """
      [{"id": 1, "media": [{"type": "still", "id": 1, "width": 1}, {"type": "still", "id": 2}]}]
      """
    let (database, report) = importing([text], options)
    expectEqual(
      problems(report),
      [
        "in.json: $[0].media[1]: warning: danglingReference: \"media\" of posts 1 refers to "
          + "photos 2, "
          + "which does not exist"
      ])
    expectEqual(
      database?.nested("posts", depth: 0),
      """
      [
        {"id":1,"media":[{"type":"still","id":1},{"type":"photo","id":2}]}
      ]

      """)
  }

  @Test("a row gets no type from references if several types lead to its entity, in any order")
  func ambiguousType() throws {
    let options = ImportOptions(format: .tables, schema: schema)
    let post = #"{"posts":[{"id":1,"media":[{"type":"still","id":1}]}]}"#
    let photo = #"{"photos":[{"id":1,"width":1}]}"#
    let whole = importing([post, photo], options).database
    let photoID = RecordID(entity: "photos", key: .number(JSONNumber(1)))
    expectNil(whole?.record(photoID)?["type"])
    for inputs in [[post, photo], [photo, post]] {
      let first = importing([inputs[0]], options).database
      expectEqual(importing([inputs[1]], into: first, options).database, whole)
    }
    let typed = #"{"photos":[{"type":"still","id":1,"width":1}]}"#
    expectEqual(problems(importing([typed], into: whole, options).report), [])
  }

  @Test("rows get their types when a schema turns plain values of the database into references")
  func typesOfPlainValues() throws {
    let text = """
      {"albums":[{"id":1,"cover":{"type":"photo","id":1}}],"photos":[{"id":1}],"videos":[]}
      """
    let schema = Schema([
      Schema.Entity(
        "albums", relationships: [.init("cover", to: ["photo": "photos", "video": "videos"])]),
      Schema.Entity("photos"), Schema.Entity("videos"),
    ])
    let typed = ImportOptions(format: .tables, schema: schema)
    let plain = importing([text], ImportOptions(format: .tables)).database
    expectEqual(
      importing([#"{"videos":[]}"#], into: plain, typed).database,
      importing([text], typed).database)
  }

  @Test("every problem is reported with its path")
  func wrong() {
    let text = """
      [{"id": 1, "cover": "v1", "media": [7, {"id": 1}, {"type": 3, "id": 1},
        {"type": "vidoe", "code": 1}, {"type": "video", "id": 1}, {"type": "photo"}]},
       {"id": 2, "cover": {"type": "still", "id": 1}, "media": {"type": "photo", "id": 1}}]
      """
    let (database, report) = importing([text], options)
    expectNil(database)
    expectEqual(
      problems(report),
      [
        "in.json: $[0].cover: error: typeMismatch: \"cover\" of posts refers to one row: "
          + "expected an object with its type in \"type\" and its ID, or null, found a string",
        "in.json: $[0].media[0]: error: typeMismatch: \"media\" of posts refers to rows: "
          + "expected an object with its type in \"type\" and its ID, found a number",
        "in.json: $[0].media[1]: error: typeMismatch: this object in \"media\" of posts has "
          + "no \"type\", which determines its entity",
        "in.json: $[0].media[2].type: error: typeMismatch: expected one of \"photo\", "
          + "\"still\", \"video\" as \"type\" in \"media\" of posts, found a number",
        "in.json: $[0].media[3].type: error: typeMismatch: expected one of \"photo\", "
          + "\"still\", \"video\" as \"type\" in \"media\" of posts, found \"vidoe\"; did you "
          + "mean \"video\"?",
        "in.json: $[0].media[4]: error: missingID: this record of videos has no \"code\"",
        "in.json: $[0].media[5]: error: missingID: this record of photos has no \"id\"",
        "in.json: $[1].cover.type: error: typeMismatch: expected one of \"photo\", \"video\" "
          + "as \"type\" in \"cover\" of posts, found \"still\"",
        "in.json: $[1].media: error: typeMismatch: \"media\" of posts refers to rows: "
          + "expected an array or null, found an object",
      ].map { $0 })
  }

  @Test("a schema maps types to entities, and reports invalid types")
  func schemas() throws {
    try expectEqual(Schema.parse(schema.bytes(), file: "again").get(), schema)
    let media = try #require(schema.entity("posts")?.relationship("media"))
    expectTrue(media.targets == ["photos", "videos"] && media.typeName == "type")
    expectEqual(
      media,
      Schema.Relationship(
        "media", to: ["photo": "photos", "video": "videos", "still": "photos"], isMany: true))
    let wrong = """
      {"entities": {"a": {"id": "type", "relationships": {"x": {"to": {"a": "a", "b": "bs"}},
        "y": {"to": {}}, "z": {"to": "a", "by": "kind"}, "w": {"to": {"a": 1}}}}}}
      """
    guard case .failure(let failure) = Schema.parse(Array(wrong.utf8), file: "s") else {
      Issue.record("accepted")
      return
    }
    expectEqual(
      failure.problems.map(\.description),
      [
        "s: $.entities.a.relationships.y.to: error: invalidSchema: expected at least one type, "
          + "found an empty object",
        "s: $.entities.a.relationships.z.by: error: invalidSchema: \"by\" is only allowed if "
          + "\"to\" is an object of types",
        "s: $.entities.a.relationships.w.to.a: error: invalidSchema: expected a string, found a "
          + "number",
        "s: $.entities.a.relationships.x.to.a: error: invalidSchema: \"type\" is the ID of "
          + "\"a\" and "
          + "cannot be its type too",
        "s: $.entities.a.relationships.x.to.b: error: invalidSchema: \"bs\" is no entity of this "
          + "schema",
      ])
    expectEqual(
      schema.storageSchema(name: "s").relationships.map { "\($0.name) \($0.target)" },
      [
        "cover photos", "cover videos", "media photos", "media videos", "poster photos",
      ])
  }

  @Test(
    "JSON:API linkage and GraphQL members may refer to rows of all entities of the relationship")
  func described() throws {
    let jsonAPI = """
      {"data": {"type": "posts", "id": "p1", "relationships": {"media": {"data": [
         {"type": "photos", "id": "1"}, {"type": "videos", "id": "2"}]}}},
       "included": [{"type": "photos", "id": "1"}, {"type": "videos", "id": "2"}]}
      """
    let graphQL = """
      {"data": {"post": {"__typename": "posts", "id": "p1", "media": [
        {"__typename": "photos", "id": "1"}, {"__typename": "videos", "code": "2"}]}}}
      """
    let first = importing([jsonAPI], ImportOptions(schema: schema))
    let second = importing([graphQL], ImportOptions(schema: schema))
    expectTrue(problems(first.report) == [] && problems(second.report) == [])
    expectTrue(
      first.report.files[0].format == .jsonapi && second.report.files[0].format == .graphql)
    expectTrue(first.database != nil && first.database == second.database)
    let learned = try #require(importing([jsonAPI], ImportOptions()).database).schema
    expectEqual(
      learned.entity("posts")?.relationship("media"),
      Schema.Relationship(
        "media", to: ["photos": "photos", "videos": "videos"], isMany: true))
  }

  @Test("a difference distinguishes references to two entities")
  func difference() throws {
    func database(_ type: String, _ id: String) throws -> RecordDatabase {
      let text = "[{\"id\":1,\"cover\":{\"type\":\"\(type)\",\"\(id)\":5}}]"
      return try #require(importing([text], options).database)
    }
    let difference = try database("video", "code").difference(from: database("photo", "id"))
    expectEqual(
      difference.text(),
      """
      posts: 1 updated
        ~ 1
            cover: {"type":"photo","id":5} -> {"type":"video","code":5}
      1 difference

      """)
    expectTrue(
      String(decoding: difference.json(), as: UTF8.self).contains(
        "{\"old\":{\"type\":\"photo\",\"id\":5},\"new\":{\"type\":\"video\",\"code\":5}}"))
  }

  @Test("plain members of a database are converted when a schema defines their types")
  func rereading() throws {
    let plain = Schema([
      Schema.Entity("posts"), Schema.Entity("photos"), Schema.Entity("videos", idName: "code"),
    ])
    let text =
      "[{\"id\":1,\"cover\":{\"type\":\"video\",\"code\":5},\"media\":[{\"type\":\"photo\",\"id\":1}]}]"
    var before = options
    before.schema = plain
    let base = try #require(importing([text], before).database)
    let (database, report) = importing([text], into: base, options)
    expectTrue(report.problems.allSatisfy { $0.severity == .warning })
    expectEqual(database?.text, importing([text], options).database?.text)
    let bad = try #require(importing(["[{\"id\":1,\"cover\":\"x\"}]"], before).database)
    expectEqual(
      importing(["[]"], into: bad, options).report.problems.map(\.message),
      [
        "\"cover\" of posts 1 cannot be read as a relationship"
      ])
  }

  @Test(
    "Law 28: rows that a type leads to are the same when their nesting is imported again",
    arguments: [
      (
        ImportFormat.jsonapi,
        #"""
        {"data": [{"type": "posts", "id": "1", "relationships": {
            "cover": {"data": {"type": "photos", "id": "1"}},
            "media": {"data": [{"type": "videos", "id": "1"}, {"type": "photos", "id": "2"}]}}},
          {"type": "posts", "id": "2", "relationships": {
            "cover": {"data": {"type": "videos", "id": "1"}}}}],
         "included": [{"type": "photos", "id": "1", "attributes": {"width": 7}},
          {"type": "photos", "id": "2", "attributes": {"width": 8}},
          {"type": "videos", "id": "1", "attributes": {"length": 9}}]}
        """#
      ),
      (
        .graphql,
        #"""
        {"data": {"posts": [
          {"__typename": "posts", "id": "1",
           "cover": {"__typename": "photos", "id": "1", "width": 7},
           "media": [{"__typename": "videos", "id": "1", "length": 9},
             {"__typename": "photos", "id": "2", "width": 8}]},
          {"__typename": "posts", "id": "2", "cover": {"__typename": "videos", "id": "1"}}]}}
        """#
      ),
      (
        .tables,
        #"""
        {"schema": {"entities": {"photos": {}, "videos": {}, "posts": {"relationships": {
            "cover": {"to": {"photo": "photos", "video": "videos"}},
            "media": {"to": {"photo": "photos", "video": "videos"}, "many": true}}}}},
         "posts": [{"id": 1, "cover": {"type": "photo", "id": 1},
            "media": [{"type": "video", "id": 1}, {"type": "photo", "id": 2}]},
          {"id": 2, "cover": {"type": "video", "id": 1}, "media": []}],
         "photos": [{"id": 1, "width": 7}, {"id": 2, "type": "photo", "width": 8}],
         "videos": [{"id": 1, "length": 9}]}
        """#
      ),
    ])
  func roundTrips(format: ImportFormat, text: String) throws {
    let (found, report) = importing([text], ImportOptions(format: format))
    let database = try #require(found, "\(report.problems.map(\.description))")
    var options = ImportOptions(format: .nested, schema: database.schema, root: "posts")
    for depth in 1...3 {
      let again = importing([database.nested("posts", depth: depth)], options)
      let copy = try #require(again.database, "\(again.report.problems.map(\.description))")
      let difference = copy.difference(from: database)
      expectTrue(difference.tables.isEmpty && difference.schema.isEmpty, "\(depth)")
    }
    // Imported into the database itself, nothing changes.
    options.onConflict = .error
    let same = importing([database.nested("posts", depth: 2)], into: database, options)
    expectEqual(same.database?.difference(from: database).tables.isEmpty, true)
    expectEqual(same.report.updated, 0)
    expectEqual(importing([text], into: database, ImportOptions(format: format)).database, database)
  }
}
