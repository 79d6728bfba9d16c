import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("GraphQL responses without types")
struct GraphQLSchemaTests {
  private let schema = Schema([
    Schema.Entity(
      "people",
      relationships: [
        Schema.Relationship("best", to: "people"),
        Schema.Relationship("friends", to: "friendships", isMany: true),
        Schema.Relationship("posts", to: "posts", isMany: true),
      ]),
    Schema.Entity("posts", relationships: [Schema.Relationship("author", to: "people")]),
    Schema.Entity(
      "friendships", takesIDFromParent: true,
      relationships: [Schema.Relationship("node", to: "people")]),
  ])

  private func rows(_ database: RecordDatabase?, _ entity: String) -> [String]? {
    database?.records.filter { $0.id.entity == entity }.map(\.id.key.text)
  }

  @Test("the schema and the root name the entities of objects without a type")
  func named() throws {
    let text = #"""
      {"data": {"all": {"totalCount": 2, "nodes": [
        {"id": 1, "best": {"id": 2, "name": "B"},
         "posts": {"edges": [{"cursor": "c", "node": {"id": 7, "author": {"id": 1}}}]}}]}}}
      """#
    for format in [ImportFormat.graphql, .auto] {
      let options = ImportOptions(format: format, schema: schema, root: "people")
      let (database, report) = importing([text], options)
      expectTrue(problems(report).isEmpty && report.files.map(\.format) == [.graphql])
      expectTrue(rows(database, "people") == ["1", "2"] || rows(database, "people") == ["2", "1"])
      expectEqual(rows(database, "posts"), ["7"])
      expectEqual(database?.result.map(\.keys), [[.number(JSONNumber(1))]])
      expectEqual(
        report.ignored.map { "\($0.name) \($0.count)" }, ["edges.cursor 1", "totalCount 1"])
    }
  }

  @Test("fields of edges are kept in rows of a join entity")
  func joins() throws {
    let text = #"""
      {"data": {"all": [{"id": 1, "friends": {"edges": [
        {"since": 1999, "node": {"id": 2}}, {"since": 2001, "node": {"id": 3}}]}}]}}
      """#
    let options = ImportOptions(format: .graphql, schema: schema, root: "people")
    let (database, report) = importing([text], options)
    expectTrue(problems(report).isEmpty && report.ignored.isEmpty)
    let links = try #require(database).records.filter { $0.id.entity == "friendships" }
    expectEqual(
      links.map { $0["since"] },
      ["1999", "2001"].map { .plain(JSONText(.number(JSONNumber($0) ?? JSONNumber(0)))) })
    expectEqual(links.compactMap { $0["node"] }.count, 2)
  }

  @Test("without both, the message recommends __typename in the query")
  func unnamed() {
    for format in [ImportFormat.graphql, .auto] {
      let (database, report) = importing(
        [#"{"data": {"posts": [{"id": 1, "title": "A"}]}}"#], ImportOptions(format: format))
      expectNil(database)
      expectEqual(
        problems(report).last,
        "in.json: $.data: error: typeMismatch: no object of the response has a __typename: ask "
          + "for __typename and id in every selection of the query, or name the entities with "
          + "--schema and --root")
      // What looks like a response without being called one may be a page.
      expectEqual(
        problems(report).dropLast(),
        format == .graphql
          ? []
          : [
            "in.json: $: warning: typeMismatch: the only array of objects is $.data.posts; if it "
              + "holds the records, add --at '$.data.posts'"
          ])
    }
    let empty = importing([#"{"data": {"posts": []}}"#], ImportOptions(format: .graphql))
    expectTrue(empty.database != nil && problems(empty.report).isEmpty)
  }

  @Test(
    "a response without records is an empty import, not a problem",
    arguments: [
      #"{"data": {"posts": {"__typename": "PostConnection", "edges": []}}}"#,
      #"{"data": {"posts": {"edges": [], "pageInfo": {"hasNextPage": false}}}}"#,
      #"{"data": {"posts": {"nodes": [], "totalCount": 0, "pageInfo": {"endCursor": null}}}}"#,
      #"{"data": {"viewer": {"__typename": "Viewer", "posts": []}}}"#,
      #"{"data": {"viewer": {"login": "ann", "posts": {"edges": []}}, "other": null}}"#,
    ])
  func empty(text: String) {
    let (database, report) = importing([text], ImportOptions(format: .graphql))
    expectTrue(database?.isEmpty == true && problems(report).isEmpty, "\(problems(report))")
  }

  @Test(
    "an empty page beside objects that cannot be read does not hide them",
    arguments: [
      #"{"data": {"posts": {"edges": []}, "people": [{"name": "x"}]}}"#,
      #"{"data": {"posts": {"edges": [{"node": {"title": "x"}}]}}}"#,
      #"{"data": {"posts": {"edges": []}, "post": {"title": "x", "tags": []}}}"#,
      #"{"data": {"post": {"title": "x", "tags": ["a"]}}}"#,
    ])
  func unread(text: String) {
    let (database, report) = importing([text], ImportOptions(format: .graphql))
    expectTrue(database == nil && report.problems.map(\.kind) == [.typeMismatch])
  }

  @Test("a table named data remains a table")
  func tables() {
    let text = #"{"data": {"1": {"id": 1, "nodes": [2], "meta": {"x": {}}}}}"#
    expectEqual(importing([text], ImportOptions()).report.files.map(\.format), [.tables])
  }
}
