import EntiaTestSupport
import Foundation
import Testing

/// `entia diff` and `entia stats`, from the outside.
@Suite("entia diff and entia stats")
struct ComparingCommandTests {
  private let folder: TemporaryFolder
  private let blog = "Fixtures/blog/expected.json"
  private let schema = "--schema Fixtures/blog/schema.json --root posts"

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The blog with an author born later, and one comment less.
  private func changedBlog() throws -> String {
    let text = try String(
      contentsOf: Repository.root.appending(path: blog), encoding: .utf8)
    let lines = text.replacing("\"born\":1799", with: "\"born\":1800").split(separator: "\n")
    return try folder.write(
      lines.filter { !$0.contains("\"c7\": ") }.joined(separator: "\n"), to: "new.json")
  }

  @Test("Differences are printed with exit code 1, as text and as JSON")
  func different() throws {
    let outcome = try EntiaProcess.run("diff \(blog) \(try changedBlog())")
    expectEqual(outcome.exitCode, 1)
    expectEqual(outcome.errorText, "")
    expectEqual(
      outcome.outputText,
      """
      authors: 1 updated
        ~ "a1"
            born: 1799 -> 1800
      comments: 1 removed
        - "c7" {"id":"c7","text":"Anonymous, but polite.","likes":1,"author":null}
      2 differences

      """)
    let json = try EntiaProcess.run("diff \(blog) \(folder.path("new.json")) --json")
    expectEqual(json.exitCode, 1)
    expectTrue(json.outputText.contains(#"{"id":"a1","fields":{"born":{"old":1799,"new":1800}}}"#))
    try expectTrue(JSONSerialization.jsonObject(with: json.output) is [String: Any])
  }

  @Test("Equal databases are 0, one of them from standard input")
  func equal() throws {
    let data = try Data(contentsOf: Repository.root.appending(path: blog))
    let outcome = try EntiaProcess.run(["diff", blog, "-"], input: data)
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.outputText, "no differences\n")
  }

  @Test("Every shape of the blog is the same database, with a schema")
  func shapes() throws {
    for name in ["posts.ndjson", "tables.json", "rows.json", "django.json", "expected.json"] {
      let outcome = try EntiaProcess.run(
        "diff Fixtures/blog/posts.json Fixtures/blog/\(name) \(schema)")
      expectEqual(outcome.outputText, "no differences\n", "\(name): \(outcome.errorText)")
      expectEqual(outcome.exitCode, 0, "\(name)")
    }
  }

  @Test("The columns of two CSV files have the same types, so that equal fields are equal")
  func tables() throws {
    let old = try folder.write("id,code,tag\n1,1,7\n2,2,8\n", to: "old.csv")
    let new = try folder.write("id,code,tag\n1,1,7\n2,b,8\n", to: "new.csv")
    for (files, change) in [([old, new], #""2" -> "b""#), ([new, old], #""b" -> "2""#)] {
      let outcome = try EntiaProcess.run(["diff", "--root", "rows", "--id", "id"] + files)
      expectEqual(outcome.exitCode, 1)
      expectEqual(
        outcome.outputText, "rows: 1 updated\n  ~ 2\n      code: \(change)\n1 difference\n")
    }
  }

  @Test("stats counts rows, references, orphans, chains and cycles")
  func statistics() throws {
    let outcome = try EntiaProcess.run("stats Fixtures/blog/posts.json \(schema)")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.errorText, "")
    expectEqual(
      outcome.outputText,
      """
      rows: 22
         4 authors
        12 comments
         6 posts, 6 of them results

      references: 29
        comments.author -> authors: 11 in 11 rows
          most to one row: 3, to authors "a1"
        posts.author -> authors: 6 in 6 rows
          most to one row: 2, to authors "a1"
        posts.comments -> comments, to many: 12 in 5 rows
          most in one row: 3, in posts "p1"
          most to one row: 1, to comments "c1"

      orphans:
        no reference dangles
        no row is unreferenced

      deepest chains:
        from authors: 0 references: authors "a1"
        from comments: 1 reference: comments "c1" -> authors "a2"
        from posts: 2 references: posts "p1" -> comments "c1" -> authors "a2"

      cycles: none

      """)
    let cyclic = try EntiaProcess.run("stats Fixtures/cycle/expected.json")
    expectTrue(
      cyclic.outputText.hasSuffix(
        "cycles: 2, with 4 rows\n  largest: 3 rows, with people \"ada\"\n"))
    let dangling = try EntiaProcess.run("stats Fixtures/dangling/expected.json --json")
    expectEqual(dangling.exitCode, 0)
    let counts = try JSONSerialization.jsonObject(with: dangling.output) as? [String: Any]
    expectEqual(counts?["dangling"] as? Int, 3)
  }

  @Test(
    "Invalid inputs of diff and stats are reported with their positions and exit codes",
    arguments: [
      ("nosuch.json", Int32(66), "no such file: 'nosuch.json'"),
      ("Fixtures", 74, "cannot read 'Fixtures': Is a directory"),
      (
        "Fixtures/bad/empty.json", 65,
        "Fixtures/bad/empty.json: $: error: malformedJSON: the text is empty; expected a value"
      ),
      (
        "Fixtures/bad/truncated.json --schema Fixtures/bad/schema.json --root posts", 65,
        "Fixtures/bad/truncated.json: $"
      ),
      (
        "Fixtures/blog/posts.json", 64,
        "Fixtures/blog/posts.json: the format cannot be recognized: an array of nested records "
          + "needs --root, and --schema or --id"
      ),
      (
        "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root post", 64,
        "Fixtures/blog/posts.json: --root \"post\" is no entity of the schema; did you mean "
          + "\"posts\"?"
      ),
      (
        "Fixtures/blog/posts.json --schema Fixtures/bad/schema-target.schema.json --root posts", 65,
        "Fixtures/bad/schema-target.schema.json: $.entities.posts"
      ),
      ("Fixtures/blog/expected.json --jsn", 64, "unknown option '--jsn'; did you mean '--json'?"),
      ("Fixtures/blog/expected.json --json=yes", 64, "--json takes no value"),
      ("Fixtures/blog/expected.json --root", 64, "--root needs a value: --root ENTITY"),
    ] as [(String, Int32, String)])
  func wrongInput(line: String, exitCode: Int32, message: String) throws {
    for command in ["diff \(blog)", "stats"] {
      let outcome = try EntiaProcess.run("\(command) \(line)")
      expectEqual(outcome.exitCode, exitCode, "\(command)")
      expectEqual(outcome.outputText, "", "\(command)")
      let name = command.prefix { $0 != " " }
      expectTrue(
        outcome.errorText.contains("entia \(name): \(message)"), "\(command): \(outcome.errorText)")
    }
  }

  @Test("Problems of both databases are reported together")
  func bothWrong() throws {
    let outcome = try EntiaProcess.run("diff Fixtures/bad/blank.json Fixtures/bad/comment.json")
    expectEqual(outcome.exitCode, 65)
    expectTrue(outcome.errorText.contains("entia diff: Fixtures/bad/blank.json: $"))
    expectTrue(outcome.errorText.contains("entia diff: Fixtures/bad/comment.json: $"))
  }

  @Test("diff reports each missing file by its name")
  func missingOperand() throws {
    let one = try EntiaProcess.run("diff \(blog)")
    expectEqual(one.exitCode, 64)
    expectTrue(one.errorText.hasPrefix("entia diff: missing NEW.json\nUsage:\n"))
    let twice = try EntiaProcess.run("diff - -")
    expectTrue(
      twice.errorText.hasPrefix("entia diff: standard input ('-') can be read only once\n"))
  }
}
