import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Denormalizing that follows inverses")
struct RecordInverseTests {
  private let schema = Schema([
    Schema.Entity("posts"),
    Schema.Entity(
      "comments",
      relationships: [
        Schema.Relationship("post", to: "posts"), Schema.Relationship("parent", to: "comments"),
        Schema.Relationship("likes", to: "comments", isMany: true),
      ]),
  ])

  private func database() throws -> RecordDatabase {
    let options = ImportOptions(format: .tables, schema: schema)
    return try #require(
      importing(
        [
          """
          {"posts": [{"id": "p1", "comments": 2}, {"id": "p2"}],
           "comments": [{"id": 1, "post": "p1"}, {"id": 2, "post": "p1", "parent": 1},
                        {"id": 3, "parent": 2}, {"id": 4, "parent": 3, "likes": [1, 4]}]}
          """
        ], options
      ).database)
  }

  private func nested(
    _ database: RecordDatabase, _ entity: String, _ ids: [String], depth: Int = 0,
    _ inverses: RecordInverse..., maximumBytes: Int = 1 << 20
  ) -> String {
    switch database.denormalized(
      entity: entity, ids: ids, depth: depth, following: inverses, maximumBytes: maximumBytes)
    {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure(let problem): problem.description
    }
  }

  @Test("a post with its comments and their replies, each inverse with its own depth")
  func depths() throws {
    let database = try database()
    expectEqual(
      nested(database, "posts", ["p1"], RecordInverse("comments", "post")),
      """
      [
        {"id":"p1","comments":[{"id":1,"post":"p1"},{"id":2,"post":"p1","parent":1}]}
      ]

      """)
    expectEqual(
      nested(
        database, "posts", ["p2", "p1"], depth: 1, RecordInverse("comments", "post", as: "all"),
        RecordInverse("comments", "parent", as: "replies", depth: 2)),
      """
      [
        {"id":"p2","all":[]},
        {"id":"p1","comments":2,"all":[{"id":1,"post":"p1","replies":[{"id":2,"post":"p1","parent":1,\
      "replies":[{"id":3,"parent":2}]}]},{"id":2,"post":"p1",\
      "parent":{"id":1,"post":"p1","replies":[2]},"replies":[{"id":3,"parent":2,"replies":[{"id":4,\
      "parent":3,"likes":[{"id":1,"post":"p1"},4]}]}]}]}
      ]

      """)
  }

  @Test("cycles end, and references in lists count")
  func cycles() throws {
    let database = try database()
    expectEqual(
      nested(
        database, "comments", ["4"], RecordInverse("comments", "likes", as: "likers", depth: 9)),
      "[\n  {\"id\":4,\"parent\":3,\"likes\":[1,4],\"likers\":[4]}\n]\n")
  }

  @Test("an unknown relationship and too long output are failures")
  func problems() throws {
    let database = try database()
    for (inverse, problem) in [
      (
        RecordInverse("comment", "post"),
        "\"comment\" is no entity of the database; did you mean \"comments\"?"
      ),
      (
        RecordInverse("comments", "posts"),
        "\"posts\" is no relationship of comments; did you mean \"post\"?"
      ),
      (
        RecordInverse("comments", "post", as: "id"),
        "\"id\" is the ID of posts; nest the rows under another name"
      ),
    ] {
      expectEqual(nested(database, "posts", ["p1"], inverse), problem)
    }
    expectTrue(
      nested(database, "posts", ["p1"], RecordInverse("comments", "post"), maximumBytes: 40)
        .contains("\"comments\" of posts \"p1\" alone refers to 2"))
  }

  @Test("two inverses of one entity need two names")
  func repeatedNames() throws {
    let database = try database()
    let parent = RecordInverse("comments", "parent", as: "x")
    for other in [parent, RecordInverse("comments", "likes", as: "x")] {
      expectEqual(
        nested(database, "comments", ["1"], other, parent),
        "two inverses of comments are named \"x\"; give each a name of its own")
    }
    // Inverses of different entities may share one.
    let post = RecordInverse("comments", "post", as: "x")
    expectEqual(
      nested(database, "posts", ["p1"], parent, post),
      """
      [
        {"id":"p1","comments":2,"x":[{"id":1,"post":"p1","x":[{"id":2,"post":"p1","parent":1}]},\
      {"id":2,"post":"p1","parent":1,"x":[{"id":3,"parent":2}]}]}
      ]

      """)
  }

  @Test("the rows that refer to a row are looked up once, wherever it is nested")
  func work() throws {
    let comments = (1...200).map { "{\"id\": \($0), \"post\": \"p\"}" }.joined(separator: ", ")
    let options = ImportOptions(format: .tables, schema: schema)
    let database = try #require(
      importing(["{\"posts\": [{\"id\": \"p\"}], \"comments\": [\(comments)]}"], options).database)
    let inverse = RecordInverse("comments", "post", as: "all")
    var lists = HolderLists(database, [inverse, RecordInverse("comments", "parent")])
    let post = RecordID(entity: "posts", key: .string("p"))
    for _ in 0..<1000 {
      expectEqual(lists.holders(of: post, through: 0)?.count, 200)
      expectNil(lists.holders(of: post, through: 1))
    }
    expectEqual(lists.examinedCount, 200)
    // Each row is nested as it is alone.
    let ids = ["3", "200", "1"]
    let alone = ids.map { id in
      nested(database, "comments", [id], depth: 1, inverse).split(separator: "\n")[1]
    }
    let together = nested(database, "comments", ids, depth: 1, inverse)
    expectEqual(together, "[\n" + alone.joined(separator: ",\n") + "\n]\n")
  }

  @Test("inverses are parsed from text")
  func texts() {
    expectEqual(RecordInverse("comments.post"), RecordInverse("comments", "post"))
    expectEqual(RecordInverse("comments.post:3"), RecordInverse("comments", "post", depth: 3))
    expectEqual(
      RecordInverse("auth.user.boss:2=staff"),
      RecordInverse("auth.user", "boss", as: "staff", depth: 2))
    for text in ["", "a", ".a", "a.", "a.b:", "a.b:x", "a.b:0", "a.b=", "a.b:-1"] {
      expectNil(RecordInverse(text), "\(text)")
    }
  }
}
