import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Django's rows: lists of keys, apps, natural keys")
struct DjangoShapeTests {
  private let options = ImportOptions(format: .django)

  private func row(_ model: String, _ key: String?, _ fields: String) -> String {
    "{\"model\":\"\(model)\",\(key.map { "\"pk\":\($0)," } ?? "")\"fields\":\(fields)}"
  }

  private func text(_ rows: [String]) -> String { "[\(rows.joined(separator: ","))]" }

  /// The relationships of a schema, `entity.member->target`, with a star for lists.
  private func relationships(_ schema: Schema) -> [String] {
    schema.entities.flatMap { entity in
      entity.relationships.map {
        "\(entity.name).\($0.name)->\($0.target)\($0.isMany ? "*" : "")"
      }
    }
  }

  @Test(
    "import and schema find the same lists of keys",
    arguments: [
      ("[1,2]", "[]", "tags", ["post.tags->tag*"]), ("[1]", "[2]", "tag", ["post.tag->tag*"]),
      ("[1,9]", "[]", "tags", nil), ("[]", "[]", "tags", []), ("[1,2]", "[]", "numbers", []),
      ("[[1]]", "[]", "tags", []), ("null", "[1]", "tags", ["post.tags->tag*"]),
      ("1", "2", "tag", ["post.tag->tag"]),
    ] as [(String, String, String, [String]?)])
  func lists(first: String, second: String, field: String, expected: [String]?) throws {
    let rows = [
      row("a.tag", "1", "{}"), row("a.tag", "2", "{}"),
      row("a.post", "1", "{\"\(field)\":\(first)}"), row("a.post", "2", "{\"\(field)\":\(second)}"),
    ]
    let (database, report) = importing([text(rows)], options)
    expectEqual(problems(report), [])
    let imported = relationships(try #require(database).schema)
    expectEqual(imported, expected ?? [])
    // A list that names a row that lacks is no reference for an import, and a likely one for a
    // guess.
    if let expected {
      let guessed = try #require(inferring([("a.json", text(rows))]))
      expectEqual(relationships(guessed.schema), expected)
    }
    // Shards, in any order, give what the whole gives.
    for rows in [rows, rows.reversed()] {
      var shards: RecordDatabase?
      for row in rows { shards = importing([text([row])], into: shards, options).database }
      if expected != nil, first != "null" { expectEqual(shards?.schema, database?.schema) }
    }
  }

  @Test("models of several apps are several entities, in any order and in several inputs")
  func apps() throws {
    let rows = [
      row("auth.user", "1", "{\"name\":\"Ann\"}"), row("shop.user", "1", "{\"account\":\"x\"}"),
      row("shop.order", "1", "{\"user\":1}"),
    ]
    let (database, report) = importing([text(rows)], options)
    expectEqual(problems(report), [])
    expectEqual(report.entities.map(\.name), ["auth.user", "order", "shop.user"])
    expectTrue(report.read == 3 && report.inserted == 3)
    // Which of the two users an order has is not known.
    expectEqual(relationships(try #require(database).schema), [])
    expectEqual(importing([text(rows.reversed())], options).database, database)
    expectEqual(importing(rows.map { text([$0]) }, options).database, database)
    let again = importing([text(rows)], into: database, options)
    expectTrue(again.database == database && again.report.unchanged == 3)
    let one = importing([text([rows[0]])], into: database, options)
    expectTrue(one.database == database && one.report.unchanged == 1)
    let guessed = try #require(inferring([("a.json", text(rows))]))
    expectEqual(guessed.schema.entities.map(\.name), ["auth.user", "order", "shop.user"])
    expectTrue(
      guessed.explanation().contains(
        "order.user: left as it is (unsure: its values are IDs of auth.user and shop.user, and "
          + "it is "
          + "called like each of them)\n"))
  }

  @Test("of two models with one name, a reference refers to the one with the row")
  func appReferences() throws {
    let rows = [
      row("auth.user", "1", "{}"), row("shop.user", "7", "{}"),
      row("shop.order", "1", "{\"user\":7}"),
    ]
    let database = importing([text(rows)], options).database
    expectEqual(relationships(try #require(database).schema), ["order.user->shop.user"])
    let guessed = try #require(inferring([("a.json", text(rows))]))
    expectEqual(relationships(guessed.schema), ["order.user->shop.user"])
  }

  @Test("rows without keys have the ID that the schema defines, and natural keys refer to them")
  func naturalKeys() throws {
    let rows = [
      row("auth.user", nil, "{\"username\":\"ann\"}"),
      row("auth.user", nil, "{\"username\":\"bob\"}"),
      row("shop.order", "1", "{\"user\":[\"ann\"]}"), row("shop.order", "2", "{\"user\":null}"),
    ]
    let guessed = try #require(inferring([("a.json", text(rows))]))
    expectEqual(relationships(guessed.schema), ["order.user->user"])
    expectEqual(guessed.schema.entity("user")?.idName, "username")
    let (database, report) = importing(
      [text(rows)], ImportOptions(format: .django, schema: guessed.schema))
    expectEqual(problems(report), [])
    expectEqual(
      database?.nested("order", ids: ["1"], depth: 1).contains("{\"username\":\"ann\"}"), true)
  }

  @Test("a natural key of several values refers to a row with this composite ID")
  func compositeNaturalKeys() {
    let schema = Schema([
      Schema.Entity("person", idNames: ["first", "last"]),
      Schema.Entity("book", relationships: [Schema.Relationship("author", to: "person")]),
    ])
    let options = ImportOptions(format: .django, schema: schema)
    let person = row("a.person", nil, "{\"first\":\"Douglas\",\"last\":\"Adams\"}")
    let (database, report) = importing(
      [text([person, row("a.book", "1", "{\"author\":[\"Douglas\",\"Adams\"]}")])], options)
    expectEqual(problems(report), [])
    expectEqual(database?.count, 2)
    for key in [
      "[\"Douglas\"]", "[]", "[\"Douglas\",[\"Adams\"]]", "[\"Douglas\",\"Noel\",\"Adams\"]",
    ] {
      let report = importing(
        [text([person, row("a.book", "1", "{\"author\":\(key)}")])], options
      ).report
      expectEqual(
        problems(report),
        [
          "in.json: $[1].fields.author: error: typeMismatch: \"author\" of book refers to a row "
            + "of person by a natural key: expected an array with the values of \"first\" and "
            + "\"last\", found another array"
        ])
    }
    let dangling = importing(
      [text([person, row("a.book", "1", "{\"author\":[\"Douglas\",\"Noel\"]}")])], options
    ).report
    expectEqual(dangling.problems.map(\.kind), [.danglingReference])
  }

  @Test(
    "a natural key does not refer to rows whose ID is the pk, in any order and in several imports")
  func naturalForeignKeys() throws {
    let schema = Schema([
      Schema.Entity("user"),
      Schema.Entity("post", relationships: [Schema.Relationship("author", to: "user")]),
    ])
    let options = ImportOptions(format: .django, schema: schema)
    let user = row("auth.user", "1", "{\"username\":\"ann\"}")
    let post = row("blog.post", "1", "{\"author\":[\"ann\"]}")
    func message(_ id: String) -> String {
      "\"author\" of post is a natural key, and the rows of user have \(id) as ID; dump without "
        + "--natural-foreign, or with --natural-primary and a schema that names the ID's fields"
    }
    for rows in [[user, post], [post, user]] {
      let whole = importing([text(rows)], options)
      expectNil(whole.database)
      expectEqual(
        problems(whole.report),
        [
          "in.json: $[\(rows[0] == user ? 1 : 0)].fields.author: error: typeMismatch: "
            + message("their pk")
        ])
      let files = importing(rows.map { text([$0]) }, options)
      expectEqual(files.report.problems.map(\.message), [message("their pk")])
      expectEqual(files.report.problems.map(\.cause.entity), ["post"])
    }
    // The database has the users; a dump with the default ID cannot have natural keys.
    let users = importing([text([user])], options).database
    expectTrue(users != nil)
    let later = importing([text([post])], into: users, options)
    expectEqual(later.report.problems.map(\.message), [message("\"id\"")])
  }

  @Test("a natural key refers to a row of an earlier import whose ID is a field")
  func naturalKeysOfTheDatabase() throws {
    let schema = Schema([
      Schema.Entity("user", idName: "username"),
      Schema.Entity("post", relationships: [Schema.Relationship("author", to: "user")]),
    ])
    let options = ImportOptions(format: .django, schema: schema)
    let users = importing(
      [text([row("auth.user", nil, "{\"username\":\"ann\"}")])], options
    ).database
    let later = importing(
      [text([row("blog.post", "1", "{\"author\":[\"ann\"]}")])], into: users, options)
    expectEqual(problems(later.report), [])
    expectEqual(later.database?.count, 2)
  }

  @Test("two models cannot share an entity of a schema, or of the database")
  func ambiguousModels() throws {
    let first = row("auth.user", "1", "{\"name\":\"Ann\"}")
    let second = row("shop.user", "1", "{\"account\":\"x\"}")
    let post = row("blog.post", "1", "{\"author\":1}")
    let schema = Schema([
      Schema.Entity("user"),
      Schema.Entity("post", relationships: [Schema.Relationship("author", to: "user")]),
    ])
    let claim =
      "error: schemaConflict: \"user\" may be either of the models auth.user and shop.user; "
    for rows in [[first, second, post, first], [second, first, second, post]] {
      let (database, report) = importing(
        [text(rows)], ImportOptions(format: .django, schema: schema))
      expectNil(database)
      expectEqual(
        problems(report),
        [
          "in.json: $[1]: \(claim)name the entities of the schema by the whole names of their "
            + "models"
        ])
    }
    let whole = Schema([
      Schema.Entity("auth.user"), Schema.Entity("shop.user"),
      Schema.Entity("post", relationships: [Schema.Relationship("author", to: "auth.user")]),
    ])
    let named = importing(
      [text([first, second, post])], ImportOptions(format: .django, schema: whole))
    expectEqual(problems(named.report), [])
    expectEqual(named.database?.count, 3)

    let base = try #require(importing([text([first])], options).database)
    let later = importing([text([first, second])], into: base, options)
    expectNil(later.database)
    expectEqual(
      problems(later.report),
      [
        "in.json: $[1]: \(claim)the database has this entity, and does not record its model; "
          + "import "
          + "the models together into a new database"
      ])
  }

  @Test(
    "rows without keys and without a schema are refused, with a suggestion for the ID")
  func refused() {
    let rows = ["ann", "bob"].map {
      row("auth.user", nil, "{\"active\":true,\"username\":\"\($0)\"}")
    }
    let (database, report) = importing([text(rows)], options)
    expectNil(database)
    let message =
      "this record of user has no pk and no field \"id\", as after dumpdata --natural-primary; "
      + "name the "
      + "field that is the ID in a schema; set \"id\": \"username\"? (every record has it, all "
      + "differ)"
    expectEqual(report.problems.map(\.message), [message, message])
    expectEqual(report.problems.map(\.cause.entity), ["user", "user"])
    expectTrue(report.read == 2 && report.rejected == 2)
  }
}
