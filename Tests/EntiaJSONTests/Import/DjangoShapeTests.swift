import EntiaJSON
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
    #expect(problems(report) == [])
    let imported = relationships(try #require(database).schema)
    #expect(imported == expected ?? [])
    // A list that names a row that lacks is no reference for an import, and a likely one for a guess.
    if let expected {
      let guessed = try #require(inferring([("a.json", text(rows))]))
      #expect(relationships(guessed.schema) == expected)
    }
    // Shards, in any order, give what the whole gives.
    for rows in [rows, rows.reversed()] {
      var shards: RecordDatabase?
      for row in rows { shards = importing([text([row])], into: shards, options).database }
      if expected != nil, first != "null" { #expect(shards?.schema == database?.schema) }
    }
  }

  @Test("models of several apps are several entities, in any order and in several inputs")
  func apps() throws {
    let rows = [
      row("auth.user", "1", "{\"name\":\"Ann\"}"), row("shop.user", "1", "{\"account\":\"x\"}"),
      row("shop.order", "1", "{\"user\":1}"),
    ]
    let (database, report) = importing([text(rows)], options)
    #expect(problems(report) == [])
    #expect(report.entities.map(\.name) == ["auth.user", "order", "shop.user"])
    #expect(report.read == 3 && report.inserted == 3)
    // Which of the two users an order has is not known.
    #expect(relationships(try #require(database).schema) == [])
    #expect(importing([text(rows.reversed())], options).database == database)
    #expect(importing(rows.map { text([$0]) }, options).database == database)
    let again = importing([text(rows)], into: database, options)
    #expect(again.database == database && again.report.unchanged == 3)
    let one = importing([text([rows[0]])], into: database, options)
    #expect(one.database == database && one.report.unchanged == 1)
    let guessed = try #require(inferring([("a.json", text(rows))]))
    #expect(guessed.schema.entities.map(\.name) == ["auth.user", "order", "shop.user"])
    #expect(
      guessed.explanation().contains(
        "order.user: left as it is (unsure: its values are IDs of auth.user and shop.user, and it is "
          + "called like each of them)\n"))
  }

  @Test("a reference goes to the one of two models of a name that has the row")
  func appReferences() throws {
    let rows = [
      row("auth.user", "1", "{}"), row("shop.user", "7", "{}"),
      row("shop.order", "1", "{\"user\":7}"),
    ]
    let database = importing([text(rows)], options).database
    #expect(relationships(try #require(database).schema) == ["order.user->shop.user"])
    let guessed = try #require(inferring([("a.json", text(rows))]))
    #expect(relationships(guessed.schema) == ["order.user->shop.user"])
  }

  @Test("rows without keys have the ID that the schema names, and natural keys name them")
  func naturalKeys() throws {
    let rows = [
      row("auth.user", nil, "{\"username\":\"ann\"}"),
      row("auth.user", nil, "{\"username\":\"bob\"}"),
      row("shop.order", "1", "{\"user\":[\"ann\"]}"), row("shop.order", "2", "{\"user\":null}"),
    ]
    let guessed = try #require(inferring([("a.json", text(rows))]))
    #expect(relationships(guessed.schema) == ["order.user->user"])
    #expect(guessed.schema.entity("user")?.idName == "username")
    let (database, report) = importing(
      [text(rows)], ImportOptions(format: .django, schema: guessed.schema))
    #expect(problems(report) == [])
    #expect(
      database?.nested("order", ids: ["1"], depth: 1).contains("{\"username\":\"ann\"}") == true)
  }

  @Test("a natural key of several values names a row whose ID they make")
  func compositeNaturalKeys() {
    let schema = Schema([
      Schema.Entity("person", idNames: ["first", "last"]),
      Schema.Entity("book", relationships: [Schema.Relationship("author", to: "person")]),
    ])
    let options = ImportOptions(format: .django, schema: schema)
    let person = row("a.person", nil, "{\"first\":\"Douglas\",\"last\":\"Adams\"}")
    let (database, report) = importing(
      [text([person, row("a.book", "1", "{\"author\":[\"Douglas\",\"Adams\"]}")])], options)
    #expect(problems(report) == [])
    #expect(database?.count == 2)
    for key in [
      "[\"Douglas\"]", "[]", "[\"Douglas\",[\"Adams\"]]", "[\"Douglas\",\"Noel\",\"Adams\"]",
    ] {
      let report = importing(
        [text([person, row("a.book", "1", "{\"author\":\(key)}")])], options
      ).report
      #expect(
        problems(report) == [
          "in.json: $[1].fields.author: error: typeMismatch: \"author\" of book is a natural key, which "
            + "has the values of \"first\" and \"last\" of a row of person; found a list of another form"
        ])
    }
    let dangling = importing(
      [text([person, row("a.book", "1", "{\"author\":[\"Douglas\",\"Noel\"]}")])], options
    ).report
    #expect(dangling.problems.map(\.kind) == [.danglingReference])
  }

  @Test(
    "rows without keys and without a schema are refused by name, with the field that could be one")
  func refused() {
    let rows = ["ann", "bob"].map {
      row("auth.user", nil, "{\"active\":true,\"username\":\"\($0)\"}")
    }
    let (database, report) = importing([text(rows)], options)
    #expect(database == nil)
    let message =
      "this row of user has no pk and no field \"id\", as after dumpdata --natural-primary; name the "
      + "field that is the ID in a schema; set \"id\": \"username\"? (every record has it, all differ)"
    #expect(report.problems.map(\.message) == [message, message])
    #expect(report.problems.map(\.cause.entity) == ["user", "user"])
    #expect(report.read == 2 && report.rejected == 2)
  }
}
