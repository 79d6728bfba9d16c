import EntiaTestSupport
import Foundation
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
      "--root names the entity of the schema at the top level of the file"
    ),
    (
      "import Fixtures/blog/django.json --into Fixtures/blog/posts.json", 65,
      "Fixtures/blog/posts.json: $: error: typeMismatch: expected an object of tables, found an "
        + "array; --into has to be a database, as import -o writes it\n"
    ),
    (
      "verify Fixtures/blog/posts.json", 65,
      "expected an object of tables, found an array; what verify reads has to be a database, "
        + "as import -o writes it\nFixtures/blog/posts.json: 1 problem\n"
    ),
    (
      "import Fixtures/blog/schema.json", 65,
      "Fixtures/blog/schema.json: $: warning: typeMismatch: this looks like a schema instead of "
        + "data; pass a schema with --schema\n"
    ),
    (
      "import Fixtures/blog/django.json --format nested --schema Fixtures/blog/schema.json --root "
        + "posts", 65,
      "Fixtures/blog/django.json: $: warning: typeMismatch: this looks like django, and was read "
        + "as nested; --format auto recognizes the format\n"
    ),
    (
      "import Fixtures/described/jsonapi.json --format tables", 65,
      "Fixtures/described/jsonapi.json: $: warning: typeMismatch: this looks like jsonapi, and was "
        + "read as tables; --format auto recognizes the format\n"
    ),
  ]

  @Test(
    "a message is followed by advice",
    arguments: mistakes)
  func hints(line: String, exitCode: Int32, hint: String) throws {
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, exitCode)
    let text = outcome.outputText + outcome.errorText
    expectTrue(text.contains(hint), "\(text)")
  }

  @Test("correct usage has no hint")
  func none() throws {
    for line in [
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root post",
      "import Fixtures/bad/many.json --schema Fixtures/bad/schema.json --root posts",
      "verify Fixtures/dangling/expected.json",
    ] {
      let outcome = try EntiaProcess.run(line)
      let text = outcome.outputText + outcome.errorText
      for hint in ["no schema yet", "--root says", "looks like", "as import -o"] {
        expectFalse(text.contains(hint), "\(line): \(text)")
      }
    }
  }

  @Test("a given schema is not requested again, and its entities are listed")
  func knownSchema() throws {
    let folder = try TemporaryFolder()
    let outcome = try EntiaProcess.run(
      "import Fixtures/blog/posts.json --into Fixtures/blog/expected.json -o \(folder.path("o"))")
    expectEqual(outcome.exitCode, 64)
    expectFalse(outcome.errorText.contains("no schema yet"), "\(outcome.errorText)")
    expectTrue(
      outcome.errorText.contains(
        "--root names the entity of the schema at the top level of the file: authors, comments, posts"
      ), "\(outcome.errorText)")
  }

  @Test("a hint about standard input names a file to save it to")
  func standardInput() throws {
    let outcome = try EntiaProcess.run(["import", "-"], input: Data("[{\"id\":1}]".utf8))
    expectEqual(outcome.exitCode, 64)
    expectFalse(outcome.errorText.contains("entia schema -"), "\(outcome.errorText)")
    expectTrue(
      outcome.errorText.contains("save the input to a file, and 'entia schema FILE' guesses one"))
  }

  @Test("a database may be given as --schema")
  func databaseAsSchema() throws {
    let outcome = try EntiaProcess.run(
      "import Fixtures/blog/posts.json --schema Fixtures/blog/expected.json --root posts -o -")
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    let expected = try EntiaProcess.run(
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts -o -")
    expectEqual(outcome.output, expected.output)
  }

  @Test("UTF-16 is named, and how to convert it", arguments: ["UTF-16", "UTF-16LE", "UTF-16BE"])
  func utf16(encoding: String) throws {
    let text = "{\"a\": [{\"id\": 1}]}"
    let units = Array(text.utf16)
    let bytes =
      encoding == "UTF-16BE"
      ? units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      : units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let mark: [UInt8] = encoding == "UTF-16" ? [0xFF, 0xFE] : []
    let outcome = try EntiaProcess.run(["stats", "-"], input: Data(mark + bytes))
    expectEqual(outcome.exitCode, 65)
    expectTrue(
      outcome.errorText.contains(
        "the text is UTF-16, and JSON is UTF-8; 'iconv -f UTF-16 -t UTF-8' converts it"),
      "\(outcome.errorText)")
  }
}
