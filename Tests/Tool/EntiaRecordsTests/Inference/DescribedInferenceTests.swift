import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Schemas of JSON:API, GraphQL and keyed inputs")
struct DescribedInferenceTests {
  private func inference(_ texts: [String], root: String? = nil) throws -> SchemaInference {
    let sources = texts.enumerated().map {
      ImportSource(name: "in\($0).json", bytes: Array($1.utf8))
    }
    return try SchemaInference.inferring(from: sources, root: root).get()
  }

  private let jsonAPI = """
    {"data": [{"type": "posts", "id": "1", "attributes": {"title": "x"}, "relationships": {
       "author": {"data": {"type": "people", "id": "1"}},
       "tags": {"data": [{"type": "tags", "id": "1"}]}, "none": {"data": null}}}],
     "included": [{"type": "people", "id": "1"}, {"type": "tags", "id": "1"}]}
    """

  @Test("a JSON:API document defines its whole schema")
  func document() throws {
    let inference = try inference([jsonAPI])
    expectEqual(
      inference.explanation(),
      """
      people: an entity, ID in "id" (sure: declared by the input for its 1 row)
      posts: an entity, ID in "id" (sure: declared by the input for its 1 row)
      posts.author: to one of people (sure: the input's references include the type)
      posts.tags: to many of tags (sure: the input's references include the type)
      tags: an entity, ID in "id" (sure: declared by the input for its 1 row)

      """)
    expectTrue(inference.roots.isEmpty)
    let options = ImportOptions(schema: inference.schema)
    expectEqual(
      importing([jsonAPI], options).database, importing([jsonAPI], ImportOptions()).database)
  }

  @Test("a GraphQL response defines its schema; contradictions between inputs are reported")
  func response() throws {
    let text = """
      {"data": {"post": {"__typename": "posts", "id": 1, "author":
        {"__typename": "users", "id": 2}}}}
      """
    let schema = try inference([text]).schema
    expectEqual(schema.entity("posts")?.relationship("author")?.target, "users")
    let sources = [text, jsonAPI].map { ImportSource(name: "in", bytes: Array($0.utf8)) }
    guard case .failure(let failure) = SchemaInference.inferring(from: sources) else {
      Issue.record("no contradiction")
      return
    }
    expectEqual(
      failure.problems.map(\.description),
      [
        "in: $.entities.posts.relationships.author: error: schemaConflict: \"author\" of \"posts\" is "
          + "to one of \"people\" here and to one of \"users\" in the schema so far"
      ])
  }

  @Test("records under their IDs are imported with the guessed schema")
  func keyed() throws {
    let text = """
      {"a1": {"name": "Ann", "pet": {"id": 7, "name": "Rex"}},
       "a2": {"name": "Bob", "pet": {"id": 7, "name": "Rex"}, "friend": "a1"},
       "a3": {"name": "Cid", "friend": "a2"}}
      """
    let inference = try inference([text], root: "people")
    expectEqual(inference.roots.map { $0.entity }, ["people"])
    expectTrue(
      inference.explanation().contains(
        "people: an entity, ID in \"id\" (likely: 3 rows, each under another name, and no member "
          + "that could be an ID)\n"))
    expectEqual(inference.schema.entity("people")?.relationship("pet")?.target, "pets")
    let (database, report) = importing(
      [text], ImportOptions(schema: inference.schema, root: "people"))
    expectTrue(problems(report) == [] && report.files.map(\.format) == [.keyed])
    expectEqual(database?.count, 4)
  }

  @Test("problems of a described input are those of an import")
  func wrong() {
    for (text, problem) in [
      ("{\"data\":[{\"type\":\"a\"}]}", "in: $.data[0]: error: missingID: this resource has no id"),
      ("{\"data\":[]}", "in: $: error: typeMismatch: there are no records to guess from"),
    ] {
      let source = ImportSource(name: "in", bytes: Array(text.utf8))
      guard case .failure(let failure) = SchemaInference.inferring(from: [source]) else {
        Issue.record("\(text) was accepted")
        continue
      }
      expectEqual(failure.problems.map(\.description), [problem])
    }
  }

  @Test("inputs that are read in pieces give the same guesses, problems and schemas")
  func pieces() throws {
    for seed in 0..<UInt64(20) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random)
      for text in [
        graph.nestedArray(depth: 2), graph.tables(asObjects: true), graph.django, graph.jsonAPI,
        graph.graphQL, graph.nestedRecords(depth: 1).joined(separator: "\n"),
        graph.nestedArray(depth: 1) + "}",
      ] {
        let whole = SchemaInference.inferring(
          from: [ImportSource(name: "in", bytes: Array(text.utf8))])
        let pieced = SchemaInference.inferring(from: [StreamedText([.text(text)]).source("in")])
        let small = ImportSource(name: "in") {
          var rest = Array(text.utf8)[...]
          return { memory in
            let piece = rest.prefix(min(3, memory.count))
            memory.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
          }
        }
        for result in [pieced, SchemaInference.inferring(from: [small])] {
          switch (whole, result) {
          case (.success(let one), .success(let other)):
            expectTrue(one.explanation() == other.explanation() && one.schema == other.schema)
          case (.failure(let one), .failure(let other)):
            expectEqual(one.description, other.description)
          default: Issue.record("seed \(seed): \(text)")
          }
        }
      }
    }
  }

  @Test("an input that fails in the middle is a problem of its own")
  func failure() {
    struct Unplugged: Error, CustomStringConvertible { let description = "the disk is gone" }
    let source = ImportSource(name: "in") {
      var isRead = false
      return { memory in
        if isRead { throw Unplugged() }
        isRead = true
        memory.copyBytes(from: Array("[{\"id\":1}, ".utf8))
        return 11
      }
    }
    guard case .failure(let failure) = SchemaInference.inferring(from: [source]) else {
      Issue.record("accepted")
      return
    }
    expectEqual(
      failure.problems.map(\.description),
      [
        "in: $: error: unreadable: the input cannot be read to its end: the disk is gone"
      ])
  }

  @Test("a database's own schema is kept, with derived IDs, types and aliases")
  func known() throws {
    let options = ImportOptions(format: .nested, schema: RandomGallery.schema, root: "albums")
    var random = SeededGenerator(seed: 3)
    let gallery = RandomGallery(using: &random)
    let bytes = try #require(importing([gallery.text], options).database).write()
    let source = ImportSource(name: "db", bytes: bytes)
    let inference = try SchemaInference.inferring(from: [source]).get()
    expectFalse(inference.guesses.contains { $0.claim == "kept whole" })
    let schema = inference.schema
    expectEqual(schema.difference(from: RandomGallery.schema), [])
  }
}
