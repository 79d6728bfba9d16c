import Testing

@testable import EntiaCLI

/// Mistakes that people make: each message says what to do.
@Suite("Hints")
struct HintTests {
  private static let mistakes: [(line: String, exitCode: Int32, hint: String)] = [
    (
      "import Fixtures/blog/posts.json", Int32(64),
      "no schema yet? 'entia schema Fixtures/blog/posts.json' guesses one"
    ),
    (
      "import Fixtures/blog/posts.json --root posts", 64,
      "no schema yet? 'entia schema Fixtures/blog/posts.json' guesses one"
    ),
    (
      "stats Fixtures/blog/posts.json", 64,
      "no schema yet? 'entia schema Fixtures/blog/posts.json' guesses one"
    ),
    (
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json", 64,
      "--root says which entity of the schema the top of the file holds"
    ),
    (
      "import Fixtures/blog/django.json --into Fixtures/blog/posts.json", 65,
      "Fixtures/blog/posts.json: $: error: typeMismatch: expected an object of tables, found an "
        + "array; --into is a database, as import -o writes it\n"
    ),
    (
      "verify Fixtures/blog/posts.json", 65,
      "expected an object of tables, found an array; what verify reads is a database, as import "
        + "-o writes it\nFixtures/blog/posts.json: 1 problem\n"
    ),
    (
      "import Fixtures/blog/schema.json", 65,
      "Fixtures/blog/schema.json: $: warning: typeMismatch: this looks like a schema, not like "
        + "data; a schema is given with --schema\n"
    ),
    (
      "import Fixtures/blog/django.json --format nested --schema Fixtures/blog/schema.json --root "
        + "posts", 65,
      "Fixtures/blog/django.json: $: warning: typeMismatch: this looks like django, and was read "
        + "as nested; --format auto looks for itself\n"
    ),
    (
      "import Fixtures/described/jsonapi.json --format tables", 65,
      "Fixtures/described/jsonapi.json: $: warning: typeMismatch: this looks like jsonapi, and was "
        + "read as tables; --format auto looks for itself\n"
    ),
  ]

  @Test(
    "what went wrong is followed by what to do",
    arguments: mistakes)
  func hints(line: String, exitCode: Int32, hint: String) throws {
    let outcome = try EntiaProcess.run(line)
    #expect(outcome.exitCode == exitCode)
    let text = outcome.outputText + outcome.errorText
    #expect(text.contains(hint), "\(text)")
  }

  @Test("who did all that is asked gets no hint")
  func none() throws {
    for line in [
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root post",
      "import Fixtures/bad/many.json --schema Fixtures/bad/schema.json --root posts",
      "verify Fixtures/dangling/expected.json",
    ] {
      let outcome = try EntiaProcess.run(line)
      let text = outcome.outputText + outcome.errorText
      for hint in ["no schema yet", "--root says", "looks like", "as import -o"] {
        #expect(!text.contains(hint), "\(line): \(text)")
      }
    }
  }
}
