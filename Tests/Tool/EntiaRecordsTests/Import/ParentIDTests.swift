import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("IDs derived from the parent")
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

  @Test("the parent, the member and the position identify a record, in any order of members")
  func made() throws {
    let (database, report) = importing([nested], options)
    expectEqual(problems(report), [])
    expectTrue(report.inserted == 9 && report.read == 9)
    let text = try #require(database?.text)
    expectTrue(
      text.contains(
        """
            "comments": {
              "comments/own/replies/0": {"id":"comments/own/replies/0","text":"d"},
              "own": {"id":"own","text":"c","replies":["comments/own/replies/0"]},
              "posts/p~11/comments/0": {"id":"posts/p~11/comments/0","text":"a",\
        "replies":["posts/p~11/comments/0/replies/0","own"]},
              "posts/p~11/comments/0/replies/0": {"id":"posts/p~11/comments/0/replies/0","text":"b"},
              "posts/p~11/comments/1": {"id":"posts/p~11/comments/1","text":"a"}
            },
            "places": {
              "posts/2/place": {"id":"posts/2/place","city":"x"},
              "posts/p~11/place": {"id":"posts/p~11/place","city":"x"}
            },
        """), "\(text)")
    expectTrue(text.contains("\"places\": {\"id\":\"id\",\"idFromParent\":true}"))
    expectEqual(
      RecordDatabase.read(ImportSource(name: "db", bytes: Array(text.utf8))).database, database)
  }

  @Test("denormalized records without an ID have none, and import to the same rows at any depth")
  func denormalized() throws {
    let database = try #require(importing([nested], options).database)
    let back = database.nested("posts", depth: 9)
    expectEqual(
      back,
      """
      [
        {"id":"p/1","comments":[{"text":"a","replies":[{"text":"b"},{"id":"own","text":"c",\
      "replies":[{"text":"d"}]}]},{"text":"a"}],"place":{"city":"x"}},
        {"id":2,"comments":[],"place":{"city":"x"}}
      ]

      """)
    expectEqual(importing([back], options).database, database)
    var comments = options
    comments.root = "comments"
    for depth in 0...3 {
      let (again, report) = importing(
        [database.nested("posts", depth: depth)], into: database, options)
      expectTrue(again == database && report.isRefused == false)
      // A row that stands at the top says its ID, and so do those in it.
      let parts = database.nested("comments", depth: depth)
      expectEqual(importing([parts], into: database, comments).database?.table, database.table)
    }
  }

  @Test("records at the top level and records inside a record without an ID have no parent")
  func wrong() {
    var comments = options
    comments.root = "comments"
    expectEqual(
      problems(importing(["[{\"replies\":[{},{}]}]"], comments).report),
      [
        "in.json: $[0]: error: missingID: this record of comments has no \"id\" and is not "
          + "nested in a row that could provide one"
      ])
    expectEqual(
      problems(importing(["[{\"comments\":[{\"replies\":[{}]},{\"id\":null}]}]"], options).report),
      [
        "in.json: $[0]: error: missingID: this record of posts has no \"id\"",
        "in.json: $[0].comments[1]: error: missingID: the \"id\" of this record of comments "
          + "is null",
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
    expectEqual(problems(report), [])
    expectEqual(database?.text, importing([nested], options).database?.text)
    let top = "{\"data\": {\"comment\": {\"__typename\": \"comments\"}}}"
    expectEqual(
      problems(importing([top], ImportOptions(schema: schema)).report),
      [
        "in.json: $.data.comment: error: missingID: this record of comments has no \"id\" and "
          + "is not nested in a row that could provide one"
      ])
  }

  @Test("100,000 levels without IDs are one problem, in linear time")
  func deep() {
    let levels = 100_000
    let text =
      "[{\"id\":1,\"comments\":["
      + String(repeating: "{\"replies\":[", count: levels) + String(repeating: "]}", count: levels)
      + "]}]"
    let report = importing([text], options).report
    expectEqual(report.problems.map(\.kind), [.missingID])
    expectEqual(
      report.problems.map(\.message),
      [
        "the ID that this record of comments takes from its parent is longer than 512 bytes; "
          + "give it "
          + "one of its own"
      ])
  }
}
