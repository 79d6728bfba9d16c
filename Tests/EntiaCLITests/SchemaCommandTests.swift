import Foundation
import Testing

/// `entia schema`, from the outside.
@Suite("entia schema")
struct SchemaCommandTests {
  private let blog = "Fixtures/blog/schema.json"

  @Test("A schema as text")
  func text() throws {
    let outcome = try EntiaProcess.run("schema \(blog)")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.outputText == """
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
    #expect(
      outcome.outputText == """
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
    #expect(written.exitCode == 0 && written.outputText == "")
    #expect(try folder.text(of: "blog.mmd") == outcome.outputText)
  }

  @Test("Names that a diagram cannot have are quoted or made into words")
  func names() throws {
    let schema = """
      {"entities": {"blog \\"posts\\" 100%": {"id": "№", "relationships": {"a\\u000ab": {"to": "x"}}},
                    "x": {"id": "1st"}, "": {}}}
      """
    let outcome = try EntiaProcess.run("schema - --mermaid", input: schema)
    #expect(
      outcome.outputText == """
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

  @Test("What is no schema is 65 with every place; no file is 66")
  func problems() throws {
    let bad = try EntiaProcess.run("schema Fixtures/bad/schema-target.schema.json")
    #expect(bad.exitCode == 65)
    #expect(bad.outputText == "")
    #expect(
      bad.errorText.hasPrefix("entia schema: Fixtures/bad/schema-target.schema.json: $.entities."))
    #expect(try EntiaProcess.run("schema nowhere.json").exitCode == 66)
    #expect(try EntiaProcess.run("schema").exitCode == 64)
  }
}
