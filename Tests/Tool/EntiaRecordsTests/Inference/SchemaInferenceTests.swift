import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Guessing a schema")
struct SchemaInferenceTests {
  @Test(
    "A nested blog: entities, both kinds of references, an object without an ID, and the reasons")
  func blog() throws {
    let inference = try guess(nestedBlog, name: "data/posts.json")
    expectEqual(inference.schema, blogSchema)
    expectEqual(
      inference.explanation(),
      """
      authors: an entity, ID in "id" (sure: 3 records, 2 IDs, records of one ID agree)
      comments: an entity, ID in "id" (sure: 2 records, 2 IDs, every ID is unique)
      comments.author: to one of authors (sure: 1 object and 1 ID)
      posts: an entity, ID in "id" (sure: 2 records, 2 IDs, every ID is unique)
      posts.author: to one of authors (sure: 2 objects)
      posts.comments: to many of comments (sure: 2 objects and 1 ID)
      data/posts.json holds posts: import it with --root posts

      """)
    expectEqual(
      String(decoding: inference.bytes(), as: UTF8.self),
      """
      {
        "entities": {
          "authors": {
            "id": "id"
          },
          "comments": {
            "id": "id",
            "relationships": {
              "author": {"to":"authors"}
            }
          },
          "posts": {
            "id": "id",
            "relationships": {
              "author": {"to":"authors"},
              "comments": {"to":"comments","many":true}
            }
          }
        }
      }

      """)
    try expectEqual(Schema.parse(inference.bytes(), file: "").get(), inference.schema)
  }

  @Test("The schema of a generated blog is guessed from every importable shape")
  func generated() throws {
    let blog = try GeneratedBlog(authors: 20, posts: 50, comments: 100, seed: 1)
    for format in [GeneratedBlog.Format.nested, .ndjson, .tables] {
      var bytes: [UInt8] = []
      blog.write(as: format) { bytes += $0 }
      let inference = try guess(
        String(decoding: bytes, as: UTF8.self),
        name: "posts.\(format == .ndjson ? "ndjson" : "json")")
      expectEqual(inference.schema, GeneratedBlog.schema, "\(format)")
    }
  }

  @Test("Tables: references are guessed by name and value, with and without an ending such as ID")
  func tables() throws {
    let inference = try guess(
      """
      {"teams": [{"id": 1, "captain": 11}, {"id": 2, "captain": 12}],
       "players": [{"id": 11, "team_id": 1, "number": 7}, {"id": 12, "teamId": 2, "number": 1},
                   {"id": 13, "homeTeam": 2, "number": 2}],
       "matches": [{"id": "m1", "teams": [1, 2], "score": [1, 2]}]}
      """)
    expectEqual(
      inference.summary,
      "matches(id) teams->teams*; players(id) homeTeam->teams teamId->teams team_id->teams; "
        + "teams(id)")
    expectEqual(
      inference.line(about: "players.homeTeam"),
      "players.homeTeam: to one of teams "
        + "(likely: its 1 value is an ID of teams, and so is it called)")
    expectEqual(
      inference.line(about: "teams.captain"),
      "teams.captain: left as it is "
        + "(unsure: its 2 values are IDs of players, which may be chance)")
    expectEqual(
      inference.line(about: "matches.score"),
      "matches.score: left as it is "
        + "(unsure: its 2 values are IDs of teams, which may be chance)")
  }

  @Test(
    "Values that match by more than chance are references under any name; the IDs of other rows are not"
  )
  func telling() throws {
    let inference = try guess(
      """
      {"users": [{"id": "u-17", "boss": null, "login": "u-17"}, {"id": "u-4", "boss": "u-17", "login": "u-4"},
                 {"id": "u-9", "boss": "u-4", "login": "u-9"}],
       "orders": [{"id": 900113, "next": 733801}, {"id": 733801, "next": 911277},
                  {"id": 911277, "next": 900113}]}
      """)
    expectEqual(inference.summary, "orders(id) next->orders; users(id) boss->users")
    expectEqual(
      inference.line(about: "users.boss"),
      "users.boss: to one of users "
        + "(likely: all its 2 values are IDs of users, which is unlikely to be chance)")
  }

  @Test(
    "A member that is named like an entity but matches few of its rows is reported and left out")
  func foreign() throws {
    let inference = try guess(
      #"{"authors": [{"id": 1}, {"id": 2}], "posts": [{"id": 1, "author": 7}, {"id": 2, "author": 8}]}"#
    )
    expectEqual(inference.summary, "authors(id); posts(id)")
    expectEqual(
      inference.line(about: "posts.author"),
      "posts.author: left as it is "
        + "(unsure: it is called like authors, and few of its values are IDs there)")
  }

  @Test("Records nested in records of their kind are one entity at any depth, and in cycles")
  func recursion() throws {
    let depth = 2000
    let tree = (1...depth).map { "{\"id\":\($0),\"name\":\"n\",\"children\":[" }.joined()
    let chain = try guess(
      "[" + tree + String(repeating: "]}", count: depth) + "]", name: "nodes.json")
    expectEqual(chain.summary, "nodes(id) children->nodes*")
    let people = try guess(
      """
      [{"id": "ada", "age": 3, "friend": {"id": "bea", "age": 4, "friend": "ada"}},
       {"id": "cyd", "age": 5, "friend": null}]
      """, name: "people.json")
    expectEqual(people.summary, "people(id) friend->people")
  }

  @Test("Positions that share rows are one entity; contradicting positions of one name are two")
  func unity() throws {
    let shared = try guess(
      """
      [{"id": 1, "author": {"id": "a1", "name": "Ann"}, "editor": {"id": "a1", "name": "Ann"}},
       {"id": 2, "author": {"id": "a2", "name": "Bob"}, "editor": {"id": "a3", "name": "Cyd"}}]
      """)
    expectEqual(shared.summary, "authors(id); items(id) author->authors editor->authors")
    let apart = try guess(
      """
      [{"id": 1, "type": {"id": 1, "name": "red"}, "shop": {"id": 5, "type": {"id": 1, "name": "big"}}},
       {"id": 2, "type": {"id": 2, "name": "blue"}, "shop": {"id": 6, "type": {"id": 2, "name": "small"}}}]
      """)
    expectTrue(
      apart.summary
        == "items(id) shop->shops type->types; shop_types(id); shops(id) type->shop_types; types(id)"
        || apart.summary
          == "item_types(id); items(id) shop->shops type->item_types; shops(id) type->types; types(id)"
    )
  }

  @Test("Strings of which some are IDs are reported, and are references if nearly all are")
  func partialOverlap() throws {
    func packages(_ missing: Int) throws -> SchemaInference {
      let rows = (0..<20).map { index in
        "{\"package\": \"p\(index)\", \"needs\": [\"\(index < missing ? "q" : "p")\(index)\"]}"
      }
      return try #require(inferring([("packages.json", "[\(rows.joined(separator: ","))]")]))
    }
    try expectEqual(
      packages(2).line(about: "packages.needs"),
      "packages.needs: to many of packages (likely: 18 of its 20 values are IDs of packages, "
        + "which is unlikely to be chance; the others would dangle)")
    try expectEqual(
      packages(10).line(about: "packages.needs"),
      "packages.needs: left as it is (unsure: 10 of its 20 values are IDs of packages)")
    try expectNil(packages(19).line(about: "packages.needs"))
  }

  @Test("Records are read at a path")
  func path() throws {
    let page = #"{"count": 2, "data": {"items": [{"id": 1, "by": {"id": 2}}, {"id": 3}]}}"#
    let source = ImportSource(name: "posts.json", bytes: Array(page.utf8))
    let path = try #require(JSONPath("$.data.items"))
    let inference = try SchemaInference.inferring(from: [source], at: path).get()
    expectTrue(inference.summary == "bies(id); posts(id) by->bies" || inference.withoutIDs.isEmpty)
    expectTrue(
      inference.explanation().hasSuffix(
        "\nposts.json holds posts: import it with --at '$.data.items' --root posts\n"))
    let missing = try #require(JSONPath("$.data.item"))
    guard case .failure(let failure) = SchemaInference.inferring(from: [source], at: missing) else {
      Issue.record("there is no such path")
      return
    }
    expectEqual(
      failure.problems.map(\.message),
      [
        "there are no records at $.data.item: there is no member \"item\"; did you mean "
          + "\"items\"?"
      ])
  }

  @Test("Django's rows with a key to their own entity and a member that sounds like a reference")
  func django() throws {
    let inference = try guess(
      """
      [{"model": "hr.employee", "pk": 1, "fields": {"reports_to": null, "office": 3}},
       {"model": "hr.employee", "pk": 2, "fields": {"reports_to": 1, "office": 4}},
       {"fields": {"city": 1}, "pk": 3, "model": "hr.office"},
       {"model": "hr.office", "pk": 4, "fields": {"city": 2}}]
      """)
    expectEqual(inference.summary, "employee(id) office->office reports_to->employee; office(id)")
  }

  @Test("The text for one row is in the singular")
  func oneRow() throws {
    let one = try guess(#"[{"model": "hr.office", "pk": 3, "fields": {"city": 1}}]"#)
    expectTrue(one.explanation().contains("1 row, with the ID in pk"), "\(one.explanation())")
    let two = try guess(
      #"[{"model": "a.b", "pk": 3, "fields": {}}, {"model": "a.b", "pk": 4, "fields": {}}]"#)
    expectTrue(two.explanation().contains("2 rows, with the ID in pk"))
  }

  @Test("A database's own schema is kept, and only its gaps are guessed")
  func ownSchema() throws {
    let inference = try guess(
      """
      {"schema": {"entities": {"posts": {"id": "key", "relationships": {"by": {"to": "authors"}}},
                               "authors": {}}},
       "entities": {"posts": [{"key": "p1", "by": "a1", "author": "a2"}, {"key": "p2", "author": "a1"}],
                    "authors": [{"id": "a1"}, {"id": "a2"}]}}
      """)
    expectEqual(inference.summary, "authors(id); posts(key) author->authors by->authors")
    expectEqual(
      inference.line(about: "posts.by"),
      "posts.by: to one of authors (sure: declared by the file's schema)")
  }

  @Test("Several files are analyzed together in any order, and --root names the nested ones")
  func files() throws {
    let posts = #"[{"id": "p1", "author": "a1"}, {"id": "p2", "author": "a2"}]"#
    let authors = "{\"id\": \"a1\"}\n{\"id\": \"a2\"}\n"
    let files = [("posts.json", posts), ("authors.ndjson", authors)]
    let inference = try #require(inferring(files))
    expectEqual(inference.summary, "authors(id); posts(id) author->authors")
    expectEqual(inference.roots.map(\.entity), ["posts", "authors"])
    expectEqual(inferring(files.reversed())?.schema, inference.schema)
    expectEqual(inferring([("-", posts)], root: "news")?.roots.map(\.entity), ["news"])
    expectEqual(inferring([("-", posts)])?.roots.map(\.entity), ["records"])
  }

  @Test("Maps with thousands of keys are not entities, and cost no more than their bytes")
  func maps() throws {
    let members = (0..<20_000).map { "\"k\($0)\": {\"id\": \($0)}" }.joined(separator: ",")
    let inference = try guess("[{\"id\": 1, \"map\": {\(members)}}]")
    expectEqual(inference.summary, "items(id)")
    expectEqual(
      inference.line(about: "items.map"),
      "items.map: kept whole (likely: its objects have other members each, as maps do)")
  }

  @Test("Random graphs, nested and as tables, import with the schema that is guessed from them")
  func law() throws {
    for seed in 0..<UInt64(scaled(100)) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random)
      for (name, text) in [
        ("nodes.json", graph.nestedArray(depth: Int.random(in: 0...4, using: &random))),
        ("nodes.json", graph.tables(asObjects: true)), ("nodes.json", graph.django),
      ] {
        let inference = try #require(inferring([(name, text)]), "seed \(seed)")
        let source = ImportSource(name: name, bytes: Array(text.utf8))
        let options = ImportOptions(schema: inference.schema, root: inference.roots.first?.entity)
        let (_, report) = Importer.importing([source], into: nil, options: options)
        let errors = report.problems.filter { $0.severity == .error }
        expectEqual(errors, [], "seed \(seed): \(inference.explanation())\n\(text)")
        try expectEqual(
          Schema.parse(inference.bytes(), file: "").get(), inference.schema, "seed \(seed)")
      }
    }
  }
}
