import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Generated blogs")
struct GeneratedBlogTests {
  private func bytes(_ blog: GeneratedBlog, _ format: GeneratedBlog.Format) -> [UInt8] {
    var bytes: [UInt8] = []
    blog.write(as: format) { bytes += $0 }
    return bytes
  }

  private func database(
    _ blog: GeneratedBlog, _ format: GeneratedBlog.Format, _ options: ImportOptions
  ) throws -> RecordDatabase {
    let source = ImportSource(name: "blog.\(format)", bytes: bytes(blog, format))
    let (database, report) = Importer.importing([source], into: nil, options: options)
    expectEqual(report.problems, [], "\(format) of \(blog)")
    return try #require(database, "\(format) of \(blog)")
  }

  static let sizes = [
    [0, 0, 0], [0, 1, 0], [0, 3, 5], [1, 1, 0], [1, 1, 1], [2, 1, 1], [4, 6, 12],
    [10, 3, 40], [3, 50, 7], [60, 30, 30],
  ]

  @Test("Every shape imports without problems to equal databases of the requested sizes")
  func shapes() throws {
    for size in Self.sizes {
      for seed: UInt64 in [0, 1, .max] {
        let blog = try GeneratedBlog(
          authors: size[0], posts: size[1], comments: size[2], seed: seed)
        let schema = GeneratedBlog.schema
        let nested = try database(
          blog, .nested, ImportOptions(format: .nested, schema: schema, root: GeneratedBlog.root))
        let lines = try database(
          blog, .ndjson, ImportOptions(format: .ndjson, schema: schema, root: GeneratedBlog.root))
        let tables = try database(blog, .tables, ImportOptions())
        expectEqual(nested, lines, "\(blog)")
        expectEqual(nested, tables, "\(blog)")
        expectEqual(tables.count, size.reduce(0, +), "\(blog)")
        expectEqual(tables.verifyProblems(file: "blog"), [], "\(blog)")
      }
    }
  }

  @Test("Every author is referenced, and every comment belongs to one post")
  func completeness() throws {
    let blog = try GeneratedBlog(authors: 60, posts: 30, comments: 40, seed: 5)
    let database = try database(blog, .tables, ImportOptions())
    for record in database.records where record.id.entity != "posts" {
      let holders = database.holders(of: record.id)
      expectFalse(holders.isEmpty, "\(record.id)")
      if record.id.entity == "comments" { expectEqual(holders.count, 1, "\(record.id)") }
    }
  }

  @Test("A JSON:API document holds the same rows, each resource once, and links to all of them")
  func document() throws {
    let blog = try GeneratedBlog(authors: 5, posts: 8, comments: 20, seed: 3)
    let database = try database(blog, .tables, ImportOptions())
    let document = try JSONValue.parse(bytes(blog, .jsonapi))
    expectEqual(document["jsonapi"]?["version"]?.text, "\"1.1\"")
    var resources: [JSONValue] = []
    for name in ["data", "included"] {
      guard case .array(let elements) = document[name] else {
        Issue.record("\(name) is no array")
        return
      }
      expectEqual(elements.count, name == "data" ? 8 : 25)
      resources += elements
    }
    for resource in resources {
      guard case .string(let type) = resource["type"], case .string(let id) = resource["id"] else {
        Issue.record("a resource without type or ID")
        return
      }
      let row = try #require(database.record(RecordID(entity: type, key: .string(id))))
      for (name, value) in row.members {
        switch value {
        case .plain(let text) where resource["attributes"]?[name] != nil:
          expectEqual(resource["attributes"]?[name].map(JSONText.init), text)
        case .plain(let text):
          expectTrue(text.isNull)
          expectEqual(resource["relationships"]?[name]?.text, #"{"data":null}"#)
        case .reference(let target):
          expectEqual(resource["relationships"]?[name]?.text, "{\"data\":\(identifier(target))}")
        case .references(let targets):
          let list = targets.map(identifier).joined(separator: ",")
          expectEqual(resource["relationships"]?[name]?.text, "{\"data\":[\(list)]}")
        }
      }
    }
    let ids = resources.map { [$0["type"]?.text, $0["id"]?.text] }
    expectEqual(Set(ids).count, 33)
  }

  private func identifier(_ id: RecordID) -> String {
    "{\"type\":\"\(id.entity)\",\"id\":\"\(id.key.text)\"}"
  }

  @Test("A seed determines the bytes; another seed has other bytes")
  func determinism() throws {
    let blog = try GeneratedBlog(authors: 2, posts: 2, comments: 3, seed: 42)
    expectEqual(
      String(decoding: bytes(blog, .ndjson), as: UTF8.self),
      #"""
      {"id":"p1","title":"Map slow thread question","tags":["history","optics"],"published":true,"rating":3.38,"views":326259,"where":null,"author":{"id":"a1","name":"Uma Rossi","email":"a1@blog.example","born":1988},"comments":[{"id":"c1","text":"Clock needle smoke rain needle lens voice tide iron wheel.","likes":46,"author":{"id":"a1","name":"Uma Rossi","email":"a1@blog.example","born":1988}}]}
      {"id":"p2","title":"Cold shell harbour clock colour","tags":["how-to","physics","fossils"],"published":false,"rating":null,"views":686133,"where":{"place":"Valparaíso","at":[-33.0472,-71.6127]},"author":{"id":"a2","name":"Priya Tanaka","email":null,"born":1953},"comments":[{"id":"c2","text":"Clock light slow cliff.","likes":30,"author":{"id":"a1","name":"Uma Rossi","email":"a1@blog.example","born":1988}},{"id":"c3","text":"Fire pattern table ink slow rain music thread heat cliff.","likes":3,"author":{"id":"a1","name":"Uma Rossi","email":"a1@blog.example","born":1988}}]}
      """# + "\n")
    for format in GeneratedBlog.Format.allCases {
      expectEqual(bytes(blog, format), bytes(blog, format))
      let other = try GeneratedBlog(authors: 2, posts: 2, comments: 3, seed: 43)
      expectTrue(bytes(blog, format) != bytes(other, format))
    }
  }

  @Test("The text is written in pieces of bounded size, and an error of the closure ends it")
  func pieces() throws {
    struct Enough: Error {}
    let blog = try GeneratedBlog(
      authors: 1000, posts: 1_000_000_000, comments: 1_000_000_000, seed: 9)
    for format in GeneratedBlog.Format.allCases {
      var pieces: [Int] = []
      #expect(throws: Enough.self) {
        try blog.write(as: format) { (piece) throws(Enough) in
          pieces.append(piece.count)
          if pieces.count == 5 { throw Enough() }
        }
      }
      expectEqual(pieces.count, 5)
      expectTrue(pieces.allSatisfy { (60_000..<100_000).contains($0) }, "\(pieces)")
    }
  }

  @Test("Impossible sizes are refused with the reason")
  func refusals() throws {
    func refusal(_ authors: Int, _ posts: Int, _ comments: Int) -> String? {
      do {
        _ = try GeneratedBlog(authors: authors, posts: posts, comments: comments, seed: 0)
        return nil
      } catch {
        return error.description
      }
    }
    expectEqual(refusal(-1, 0, 0), "-1 authors are not from 0 to 1000000000")
    expectEqual(refusal(0, .max, 0), "\(Int.max) posts are not from 0 to 1000000000")
    expectEqual(refusal(0, 0, 1), "1 comments need at least 1 post that they belong to")
    expectEqual(
      refusal(9, 2, 3), "9 authors need as many posts and comments that name them; there are 5")
    expectNil(refusal(1_000_000_000, 1_000_000_000, 1_000_000_000))
  }
}

extension JSONValue {
  /// The value as compact text.
  fileprivate var text: String { String(decoding: bytes(), as: UTF8.self) }
}
