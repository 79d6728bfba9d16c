import EntiaRecords
import EntiaTestSupport
import Testing

/// Members that would stand beside the ID under its name.
@Suite("Repeated IDs in one record")
struct RepeatedIDTests {
  private func rows(_ database: RecordDatabase?) -> [String]? {
    database?.records.map { $0.members.map(\.name).joined(separator: " ") }
  }

  private func api(_ resource: String, _ schema: Schema? = nil) -> (rows: [String]?, [String]) {
    let (database, report) = importing(
      ["{\"data\":[{\"type\":\"t\",\"id\":\"5\",\(resource)}]}"],
      ImportOptions(format: .jsonapi, schema: schema))
    return (rows(database), problems(report))
  }

  @Test("in a JSON:API document an equal attribute is the ID, a number or a string")
  func attributes() {
    for id in ["5", "\"5\""] {
      let (rows, problems) = api("\"attributes\":{\"id\":\(id),\"a\":1}")
      expectTrue(rows == ["a"] && problems == [])
    }
    for id in ["6", "\"x\"", "null", "[5]", "5.0"] {
      let (rows, problems) = api("\"attributes\":{\"a\":1,\"id\":\(id)}")
      expectTrue(
        rows == nil
          && problems == [
            "in.json: $.data[0].attributes.id: error: conflict: t \"5\" has another \"id\" among its "
              + "attributes; leave one of them out, or make them equal"
          ])
    }
    let named = Schema([Schema.Entity("t", idName: "key")])
    expectEqual(api("\"attributes\":{\"id\":7,\"key\":5}", named).rows, ["id"])
    expectNil(api("\"attributes\":{\"key\":7}", named).rows)
  }

  @Test("a relationship with the name of the ID is a problem")
  func relationships() {
    let (rows, problems) = api(
      "\"relationships\":{\"id\":{\"data\":{\"type\":\"t\",\"id\":\"5\"}}}")
    expectTrue(
      rows == nil
        && problems == [
          "in.json: $.data[0].relationships.id: error: typeMismatch: \"id\" is the ID of t and cannot "
            + "be a relationship; name its ID otherwise in a schema"
        ])
  }

  @Test("a GraphQL alias of the ID must equal the ID")
  func aliases() {
    let schema = Schema([
      Schema.Entity("T", aliases: ["key": "id", "self": "id"]),
      Schema.Entity("U"),
    ])
    func graph(_ members: String) -> (rows: [String]?, [String]) {
      let (database, report) = importing(
        ["{\"data\":{\"x\":{\"__typename\":\"T\",\(members)}}}"],
        ImportOptions(format: .graphql, schema: schema))
      return (rows(database), problems(report))
    }
    expectEqual(graph("\"id\":5,\"key\":5,\"a\":1").rows, ["a"])
    expectEqual(graph("\"key\":\"x\",\"self\":\"x\"").rows, [""])
    for (members, name) in [
      ("\"id\":5,\"key\":6", "key"), ("\"id\":5,\"key\":\"5\"", "key"),
      ("\"id\":5,\"key\":null", "key"),
      ("\"id\":5,\"self\":{\"__typename\":\"U\",\"id\":1}", "self"),
    ] {
      let (rows, problems) = graph(members)
      expectTrue(
        rows == nil
          && problems == [
            "in.json: $.data.x.\(name): error: conflict: \"\(name)\" is the ID of T by the schema, and "
              + "the record has another ID"
          ], "\(members)")
    }
  }
}
