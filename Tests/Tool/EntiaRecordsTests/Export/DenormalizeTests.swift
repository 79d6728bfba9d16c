import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Denormalizing")
struct DenormalizeTests {
  private let schema = Schema([
    Schema.Entity(
      "n",
      relationships: [
        Schema.Relationship("next", to: "n"), Schema.Relationship("all", to: "n", isMany: true),
      ])
  ])

  private func database(_ rows: String) throws -> RecordDatabase {
    let options = ImportOptions(format: .nested, schema: schema, root: "n")
    return try #require(importing(["[\(rows)]"], options).database)
  }

  @Test("relationships are followed to the given depth, which is 1 by default")
  func depths() throws {
    let database = try database(
      "{\"id\":1,\"next\":2},{\"id\":2,\"next\":3},{\"id\":3,\"next\":null}")
    func one(_ depth: Int) -> String { database.nested("n", ids: ["1"], depth: depth) }
    expectEqual(one(0), "[\n  {\"id\":1,\"next\":2}\n]\n")
    expectEqual(one(1), "[\n  {\"id\":1,\"next\":{\"id\":2,\"next\":3}}\n]\n")
    expectEqual(
      one(2), "[\n  {\"id\":1,\"next\":{\"id\":2,\"next\":{\"id\":3,\"next\":null}}}\n]\n")
    expectEqual(one(99), one(2))
    expectEqual(one(-1), one(0))
    expectEqual(database.denormalized(entity: "n", ids: ["1"]), .success(Array(one(1).utf8)))
  }

  @Test(
    "a row that repeats on its branch is written as its ID; on another branch it is nested again")
  func repeats() throws {
    let database = try database(
      "{\"id\":1,\"next\":1},{\"id\":2,\"all\":[3,3,2]},{\"id\":3,\"next\":2}")
    expectEqual(database.nested("n", ids: ["1"], depth: 9), "[\n  {\"id\":1,\"next\":1}\n]\n")
    expectEqual(
      database.nested("n", ids: ["2"], depth: 9),
      "[\n  {\"id\":2,\"all\":[{\"id\":3,\"next\":2},{\"id\":3,\"next\":2},2]}\n]\n")
  }

  @Test("a dangling reference is written as the ID")
  func dangling() throws {
    let database = try database("{\"id\":1,\"next\":\"x\",\"all\":[7,1]}")
    expectEqual(database.nested("n", depth: 3), "[\n  {\"id\":1,\"next\":\"x\",\"all\":[7,1]}\n]\n")
  }

  @Test(
    "rows have the requested order, or that of the input; an entity without rows is an empty array")
  func order() throws {
    let database = try database("{\"id\":\"b\"},{\"id\":10},{\"id\":9},{\"id\":\"a\"}")
    expectEqual(
      database.nested("n"),
      "[\n  {\"id\":\"b\"},\n  {\"id\":10},\n  {\"id\":9},\n  "
        + "{\"id\":\"a\"}\n]\n")
    expectEqual(
      database.nested("n", ids: ["b", "10", "b"]),
      "[\n  {\"id\":\"b\"},\n  {\"id\":10},\n  "
        + "{\"id\":\"b\"}\n]\n")
    let blog = try #require(importing(["[]"]).database)
    expectEqual(blog.nested("posts"), "[]\n")
  }

  @Test("an unknown entity and unknown IDs are reported")
  func unknown() throws {
    let database = try #require(importing([nestedBlog]).database)
    expectEqual(
      database.denormalized(entity: "author"),
      .failure(.selection(.unknownEntity("author", suggestion: "authors"))))
    expectEqual(
      database.nested("author"),
      "\"author\" is no entity of the database; did you mean \"authors\"?")
    expectEqual(database.nested("zzz"), "\"zzz\" is no entity of the database")
    expectEqual(
      database.denormalized(entity: "posts", ids: ["p9", "p1", "7"]),
      .failure(.selection(.unknownIDs(["p9", "7"], entity: "posts"))))
    expectEqual(database.nested("posts", ids: ["p9", "7"]), "posts has no row \"p9\", \"7\"")
  }

  @Test("a long chain of rows and a row of 10,000 parts neither trap nor take quadratic space")
  func large() throws {
    let count = shortened(100_000)
    var chain = ""
    for index in 0..<count { chain += "{\"id\":\(index),\"next\":" }
    chain += "{\"id\":\(count),\"next\":0}" + String(repeating: "}", count: count)
    let long = try database(chain)
    expectEqual(long.count, count + 1)
    expectEqual(long.nested("n", ids: ["0"], depth: .max), "[\n  \(chain)\n]\n")

    let parts = (0..<10_000).map(String.init).joined(separator: ",")
    let rows = (0..<10_000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    let wide = try database(rows + ",{\"id\":\"all\",\"all\":[\(parts)]}")
    #expect(wide.nested("n", ids: ["all"]).utf8.count < 200_000)
  }
}
