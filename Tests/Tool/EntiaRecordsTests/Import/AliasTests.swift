import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Aliases in GraphQL responses")
struct AliasTests {
  private func schema() throws -> Schema {
    let text = """
      {"entities": {"posts": {"relationships": {"author": {"to": "authors"}},
        "aliases": {"writer": "author", "headline": "title", "key": "id"}}, "authors": {}}}
      """
    return try Schema.parse(Array(text.utf8), file: "s").get()
  }

  @Test("an alias may be of a member, an ID or a relationship")
  func aliases() throws {
    let schema = try self.schema()
    try expectEqual(Schema.parse(schema.bytes(), file: "s").get(), schema)
    expectEqual(schema.entity("posts")?.aliases.map { $0.alias }, ["headline", "key", "writer"])
    let text = """
      {"data": {"post": {"__typename": "posts", "key": 1, "headline": "T", "title": "T",
        "writer": {"__typename": "authors", "id": 2}}}}
      """
    let (database, report) = importing([text], ImportOptions(schema: schema))
    expectEqual(problems(report), [])
    let id = RecordID(entity: "posts", key: .number(JSONNumber(1)))
    let row = try #require(database?.record(id))
    expectEqual(row["author"], .reference(RecordID(entity: "authors", key: .number(JSONNumber(2)))))
    expectEqual(row.members.map { $0.name }, ["title", "author"])
  }

  @Test("a member with two names and two values is a conflict")
  func conflict() throws {
    let text = """
      {"data": {"post": {"__typename": "posts", "id": 1, "headline": "T", "title": "U"}}}
      """
    expectEqual(
      problems(importing([text], ImportOptions(schema: try schema())).report),
      [
        "in.json: $.data.post.title: error: conflict: this record has two values of \"title\", "
          + "under its name and its aliases"
      ])
  }

  @Test("the IDs and aliases of two schemas are compared and merged")
  func differences() throws {
    let new = try schema()
    let old = Schema([
      Schema.Entity(
        "posts", takesIDFromParent: true,
        relationships: [Schema.Relationship("author", to: "authors")],
        aliases: ["writer": "editor", "old": "x"]), Schema.Entity("authors"),
    ])
    expectEqual(
      new.difference(from: old).map(\.description),
      [
        "~ posts: ID in \"id or parent\" -> \"id\"", "+ posts, alias \"headline\": \"title\"",
        "+ posts, alias \"key\": \"id\"", "- posts, alias \"old\": \"x\"",
        "~ posts, alias \"writer\": \"editor\" -> \"author\"",
      ])
    expectEqual(new.difference(from: new), [])
    let base = try #require(importing(["{}"], ImportOptions(schema: old)).database)
    let (database, report) = importing(["{}"], into: base, ImportOptions(schema: new))
    expectEqual(
      problems(report),
      [
        "the schema: $.entities.posts.id: error: schemaConflict: the ID of \"posts\" is \"id\" "
          + "here "
          + "and \"id\" or taken from the parent in the schema so far",
        "the schema: $.entities.posts.aliases.writer: error: schemaConflict: \"writer\" of "
          + "\"posts\" "
          + "is \"author\" here and \"editor\" in the schema so far",
      ])
    expectNil(database)
    let later = try #require(importing(["{}"], ImportOptions(schema: new)).database)
    let json = String(decoding: later.difference(from: base).json(), as: UTF8.self)
    expectTrue(
      json.contains(
        "{\"entity\":\"posts\",\"change\":\"alias\",\"alias\":\"old\",\"old\":\"x\",\"new\":null}"))
  }
}
