import EntiaTestSupport
import Foundation
import Testing

/// `entia schema`, from the outside.
@Suite("entia schema")
struct SchemaCommandTests {
  private let blog = "Fixtures/blog/schema.json"

  @Test("A schema as text")
  func text() throws {
    let outcome = try EntiaProcess.run("schema \(blog)")
    expectEqual(outcome.exitCode, 0)
    expectEqual(
      outcome.outputText,
      """
      Fixtures/blog/schema.json

      tables:
        authors, ID in id
        comments, ID in id
        posts, ID in id

      relationships:
        author: comments -> authors, to one or none
        author: posts -> authors, to one or none
        comments: posts -> comments, to many, ordered

      """)
  }

  @Test("A schema as a Mermaid diagram, the same whether printed or written")
  func mermaid() throws {
    let folder = try TemporaryFolder()
    let outcome = try EntiaProcess.run("schema \(blog) --mermaid")
    expectEqual(
      outcome.outputText,
      """
      erDiagram
        authors {
          ID id PK
        }
        comments {
          ID id PK
        }
        posts {
          ID id PK
        }
        comments }o--o| authors : "author"
        posts }o--o| authors : "author"
        posts }o--o{ comments : "comments"

      """)
    let written = try EntiaProcess.run("schema \(blog) --mermaid -o \(folder.path("blog.mmd"))")
    expectTrue(written.exitCode == 0 && written.outputText == "")
    try expectEqual(folder.text(of: "blog.mmd"), outcome.outputText)
  }

  @Test("Names that are invalid in a diagram are quoted or converted to words")
  func names() throws {
    let schema = """
      {"entities": {"blog \\"posts\\" 100%": {"id": "№", "relationships": {"a\\u000ab": {"to": "x"}}},
                    "x": {"id": "1st"}, "": {}}}
      """
    let outcome = try EntiaProcess.run("schema - --mermaid", input: schema)
    expectEqual(
      outcome.outputText,
      """
      erDiagram
        "_" {
          ID id PK
        }
        "blog 'posts' 100_" {
          ID x__ PK
        }
        x {
          ID x_1st PK
        }
        "blog 'posts' 100_" }o--o| x : "a_b"

      """)
  }

  @Test("An invalid schema is 65 with every path; a missing file is 66")
  func problems() throws {
    let bad = try EntiaProcess.run("schema Fixtures/bad/schema-target.schema.json")
    expectEqual(bad.exitCode, 65)
    expectEqual(bad.outputText, "")
    expectTrue(
      bad.errorText.hasPrefix("entia schema: Fixtures/bad/schema-target.schema.json: $.entities."))
    try expectEqual(EntiaProcess.run("schema nowhere.json").exitCode, 66)
    try expectEqual(EntiaProcess.run("schema").exitCode, 64)
  }

  /// Files of the fixtures, with what their top level holds, and the schema that they should give.
  static let data: [(file: String, root: String?, schema: String)] =
    ["posts.json", "posts.ndjson", "tables.json", "rows.json", "django.json", "expected.json"].map {
      ("blog/\($0)", $0.hasPrefix("posts") ? "posts" : nil, "blog/schema.json")
    } + [
      ("cycle/people.json", "people", "cycle/schema.json"),
      ("cycle/tables.json", nil, "cycle/schema.json"),
      ("shared/orders.json", "orders", "shared/schema.json"),
      ("shared/expected.json", nil, "shared/schema.json"),
    ]

  @Test("The schema of every valid fixture is guessed, and imports it to the expected database")
  func guessed() throws {
    let folder = try TemporaryFolder()
    for (file, root, schema) in Self.data {
      let guess = folder.path("schema.json")
      let outcome = try EntiaProcess.run("schema Fixtures/\(file) -o \(guess)")
      expectEqual(outcome.exitCode, 0, "\(file): \(outcome.errorText)")
      expectEqual(outcome.outputText, "", "\(file)")
      let name = root.map { " --root \($0)" } ?? ""
      let imported = try EntiaProcess.run("import Fixtures/\(file) --schema \(guess)\(name) -o -")
      let wanted = try EntiaProcess.run(
        "import Fixtures/\(file) --schema Fixtures/\(schema)\(name) -o -")
      expectEqual(imported.exitCode, 0, "\(file): \(imported.errorText)")
      expectEqual(imported.output, wanted.output, "\(file)")
      expectEqual(imported.errors, wanted.errors, "\(file)")
    }
  }

  @Test("A guessed schema is written to standard output, and the certainties to standard error")
  func explained() throws {
    let outcome = try EntiaProcess.run("schema Fixtures/shared/orders.json")
    expectEqual(outcome.exitCode, 0)
    expectEqual(
      outcome.errorText,
      """
      lines: an entity, ID in "id" (sure: 3 records, 3 IDs, every ID is unique)
      lines.product: to one of products (likely: 3 objects)
      makers: an entity, ID in "id" (sure: 3 records, 2 IDs, records of one ID agree)
      orders: an entity, ID in "number" (likely: 2 records, 2 IDs, every ID is unique)
      orders.lines: to many of lines (sure: 3 objects)
      products: an entity, ID in "sku" (likely: 3 records, 2 IDs, records of one ID agree)
      products.maker: to one of makers (sure: 3 objects)
      Fixtures/shared/orders.json holds orders: import it with --root orders

      """)
    expectTrue(
      outcome.outputText.hasSuffix(
        """
            "products": {
              "id": "sku",
              "relationships": {
                "maker": {"to":"makers"}
              }
            }
          }
        }

        """))
    let diagram = try EntiaProcess.run("schema Fixtures/blog/posts.json --mermaid")
    expectEqual(diagram.output, try EntiaProcess.run("schema \(blog) --mermaid").output)
    let named = try EntiaProcess.run(
      ["schema", "-", "--root", "news"], input: Data(#"[{"id": 1}, {"id": 2}]"#.utf8))
    expectTrue(named.errorText.hasSuffix("- holds news: import it with --root news\n"))
  }

  @Test(
    "Invalid inputs are reported with their positions and exit codes",
    arguments: [
      ("nosuch.json", Int32(66), "no such file: 'nosuch.json'"),
      ("Fixtures/blog", 74, "cannot read 'Fixtures/blog': Is a directory"),
      (
        "Fixtures/bad/empty.json", 65,
        "Fixtures/bad/empty.json: $: error: malformedJSON: the text is empty; expected a value"
      ),
      (
        "Fixtures/blog/posts.json Fixtures/bad/comment.json", 65,
        "Fixtures/bad/comment.json: $"
      ),
      (
        "- ", 65,
        "-: $: error: typeMismatch: expected an array or an object of records, found a string"
      ),
      (
        "Fixtures/blog/posts.json --mermiad", 64,
        "unknown option '--mermiad'; did you mean '--mermaid'?"
      ),
      (
        "Fixtures/blog/posts.json -o Fixtures/nowhere/out.json", 73,
        "cannot write 'Fixtures/nowhere/out.json': No such file or directory"
      ),
    ] as [(String, Int32, String)])
  func wrongInput(line: String, exitCode: Int32, message: String) throws {
    let outcome = try EntiaProcess.run("schema \(line)", input: "\"a text\"")
    expectEqual(outcome.exitCode, exitCode)
    expectEqual(outcome.outputText, "")
    expectTrue(outcome.errorText.contains("entia schema: \(message)"), "\(outcome.errorText)")
  }
}
