import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Composite IDs")
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
    expectEqual(problems(report), [])
    let output = try #require(database?.text)
    expectTrue(
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
    expectTrue(output.contains("\"lines\": {\"id\":[\"order\",\"number\"],\"relationships\""))
    let read = RecordDatabase.read(ImportSource(name: "db", bytes: Array(output.utf8)))
    expectTrue(read.database == database && read.report.problems.isEmpty)
    expectEqual(importing([database?.nested("orders", depth: 9) ?? ""], options).database, database)
    let difference = try #require(database).difference(from: RecordDatabase())
    expectTrue(difference.text().contains("+ \"7/1\" {\"number\":1,\"order\":7,\"text\":\"a\"}"))
  }

  @Test("a part of an ID that is missing or of another kind is reported")
  func wrong() {
    let text = """
      [{"id": 1, "lines": [{"order": 1}, {"order": null, "number": 1}, {"order": 1, "number": [1]},
        {"order": {}, "number": 2}, {"order": 1, "number": "\\u0041\\n", "number": 1}]}]
      """
    expectEqual(
      problems(importing([text], options).report),
      [
        "in.json: $[0].lines[0]: error: missingID: this record of lines has no \"number\", "
          + "which is "
          + "a part of its ID",
        "in.json: $[0].lines[1].order: error: missingID: \"order\" of this record of lines is a "
          + "part of its ID: expected a number, a string or one row, found null",
        "in.json: $[0].lines[2].number: error: missingID: \"number\" of this record of lines is "
          + "a part of its ID: expected a number, a string or one row, found an "
          + "array",
        "in.json: $[0].lines[3].order: error: missingID: this record of orders has no \"id\"",
        "in.json: $[0].lines[4].number: error: duplicateKey: the object already has a member of "
          + "this name",
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
      expectEqual(problems(report), [])
      expectEqual(report.files[0].format, format)
      expectEqual(database?.canonicalText, expected.canonicalText, "\(format)")
      expectEqual(report.ignored.map(\.name), format == .django ? ["pk"] : [])
    }
  }

  @Test("an ID outside the members must equal the composite of the members")
  func mismatch() {
    let tables = "{\"lines\":{\"1/2\":{\"order\":1,\"number\":3}}}"
    let resource = """
      {"data": {"type": "lines", "id": "1", "attributes": {"order": 1, "number": 3}}}
      """
    let options = ImportOptions(schema: schema)
    expectEqual(
      importing([tables], options).report.problems.map(\.message),
      [
        "the row under \"1/2\" is lines \"1/3\"",
        "\"order\" of lines \"1/3\" refers to orders 1, which does not exist",
      ])
    expectEqual(
      importing([resource], options).report.problems.map(\.message).first,
      "the id of this record of lines is \"1\", but its members result in \"1/3\"")
  }

  @Test("a schema lists each part of an ID once, and no part is a list")
  func schemas() throws {
    let text = """
      {"entities": {"a": {"id": ["x", "y"], "relationships": {"x": {"to": "a"}}},
                    "b": {"id": ["x"]}}}
      """
    let schema = try Schema.parse(Array(text.utf8), file: "s").get()
    try expectEqual(Schema.parse(schema.bytes(), file: "s").get(), schema)
    expectTrue(schema.entity("a")?.hasCompositeID == true && schema.entity("a")?.idName == "x+y")
    expectTrue(schema.entity("b")?.hasCompositeID == false && schema.entity("b")?.idName == "x")
    let wrong = """
      {"entities": {"a": {"id": ["x", "x", 1], "idFromParent": true},
        "b": {"id": []}, "c": {"id": ["x", "y"], "idFromParent": true, "relationships":
          {"x": {"to": "a", "many": true}, "y": {"to": {"t": "a"}}}}, "d": {"idFromParent": 1}}}
      """
    guard case .failure(let failure) = Schema.parse(Array(wrong.utf8), file: "s") else {
      Issue.record("accepted")
      return
    }
    expectEqual(
      failure.problems.map { "\($0.path) \($0.message)" },
      [
        "$.entities.a.id[1] \"x\" is already a part of this ID",
        "$.entities.a.id[2] expected a string, found a number",
        "$.entities.b.id expected at least one member of the ID, found an empty array",
        "$.entities.c.relationships.x \"x\" is a part of the ID of \"c\" and cannot name a list of "
          + "rows",
        "$.entities.c.relationships.y \"y\" is a part of the ID of \"c\" and cannot name rows of "
          + "several entities",
        "$.entities.c.idFromParent the ID of \"c\" is composed of its members and cannot be "
          + "derived from the parent",
        "$.entities.d.idFromParent expected true or false, found a number",
      ])
  }
}
