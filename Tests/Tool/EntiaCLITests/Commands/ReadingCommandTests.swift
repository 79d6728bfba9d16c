import EntiaTestSupport
import Foundation
import Testing

/// `entia verify` and `entia denormalize`, from the outside.
@Suite("entia verify and entia denormalize")
struct ReadingCommandTests {
  private let folder: TemporaryFolder
  private let blog = "Fixtures/blog/expected.json"

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A valid database verifies with 0")
  func sound() throws {
    let outcome = try EntiaProcess.run("verify \(blog)")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.outputText, "\(blog): 22 rows in 3 entities, no problems\n")
  }

  @Test("Dangling references are listed with their places, and 65")
  func dangling() throws {
    let outcome = try EntiaProcess.run("verify Fixtures/dangling/expected.json")
    expectEqual(outcome.exitCode, 65)
    expectTrue(outcome.outputText.hasSuffix("Fixtures/dangling/expected.json: 3 problems\n"))
    expectTrue(
      outcome.outputText.contains("$.entities.posts.p1.author: error: danglingReference: "))
  }

  @Test(
    "A file that is no database is 65 for both",
    arguments: ["verify -", "denormalize - --entity x"])
  func notADatabase(line: String) throws {
    let outcome = try EntiaProcess.run(line, input: "{\"entities\": {\"posts\": 1")
    expectEqual(outcome.exitCode, 65)
    expectTrue((outcome.outputText + outcome.errorText).contains("-: $"))
    expectTrue((outcome.outputText + outcome.errorText).contains("malformedJSON"))
  }

  @Test("IDs are printed in the requested order; depth 0 is as stored and 1 the default")
  func depths() throws {
    let asStored = try EntiaProcess.run(
      "denormalize \(blog) --entity comments --id c7 --id=c2 --depth 0")
    expectEqual(
      asStored.outputText,
      """
      [
        {"id":"c7","text":"Anonymous, but polite.","likes":1,"author":null},
        {"id":"c2","text":"Bring a hammer & a dog.","likes":12,"author":"a1"}
      ]

      """)
    let one = try EntiaProcess.run("denormalize \(blog) --entity comments --id c2")
    expectTrue(one.outputText.contains(#""author":{"id":"a1","name":"Mary Anning","#))
    try expectEqual(
      EntiaProcess.run("denormalize \(blog) --entity comments --id c2 --depth 1").output, one.output
    )
  }

  @Test("--inverse nests the rows that refer to a row; an invalid inverse is wrong usage")
  func inverses() throws {
    let line = "denormalize \(blog) --entity authors --id a1 --depth 0"
    let books = try EntiaProcess.run(line + " --inverse comments.author=said")
    expectEqual(books.exitCode, 0)
    expectTrue(books.outputText.contains(#""said":[{"id":"#))
    expectTrue(books.outputText.contains(#""author":"a1""#))
    for (inverse, message) in [
      ("comments", "--inverse comments: expected ENTITY.MEMBER[:N][=NAME]"),
      ("comment.author", "\"comment\" is no entity of the database; did you mean \"comments\"?"),
      ("comments.auther", "\"auther\" is no relationship of comments; did you mean \"author\"?"),
      (
        "comments.author=x --inverse posts.author=x",
        "two inverses of authors are named \"x\"; give each a name of its own, such as --inverse "
          + "ENTITY.MEMBER=NAME"
      ),
    ] {
      let wrong = try EntiaProcess.run(line + " --inverse " + inverse)
      expectTrue(wrong.exitCode == 64 && wrong.output.isEmpty)
      let place = message.hasPrefix("--") ? "" : "\(blog): "
      expectTrue(
        wrong.errorText.hasPrefix("entia denormalize: \(place)\(message)"), "\(wrong.errorText)")
    }
  }

  @Test("A number's text finds the row with that number")
  func numberID() throws {
    let outcome = try EntiaProcess.run(
      "denormalize Fixtures/shared/expected.json --entity makers --id 7")
    expectEqual(outcome.outputText, "[\n  {\"id\":7,\"name\":\"Hill & Co.\"}\n]\n")
  }

  @Test("Output over --max-bytes is 65, names the fan-out and leaves the file as it was")
  func maximumBytes() throws {
    let out = try folder.write("before", to: "out.json")
    let line = "denormalize Fixtures/blog/expected.json --entity posts --depth 2 --max-bytes 240"
    let file = try EntiaProcess.run(line + " -o \(out)")
    expectTrue(file.exitCode == 65 && file.output.isEmpty)
    expectTrue(
      file.errorText.contains(
        "\(blog): the output is longer than 240 bytes: 0 of 6 rows are written; nested rows by "
          + "depth: 1; \"comments\" of posts \"p1\" alone refers to 3; use a smaller --depth"))
    try expectEqual(folder.text(of: "out.json"), "before")
    let printed = try EntiaProcess.run(line)
    expectTrue(printed.exitCode == 65 && printed.errorText == file.errorText)
  }

  @Test("-o writes there and prints nothing")
  func outputFile() throws {
    let outcome = try EntiaProcess.run(
      "denormalize \(blog) --entity authors --id a1 -o \(folder.path("out.json"))")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.outputText, "")
    try expectTrue(folder.text(of: "out.json").hasPrefix("[\n  {\"id\":\"a1\""))
  }

  @Test(
    "An unknown entity is 64 with a suggestion; unknown IDs are 65 and all listed")
  func unknown() throws {
    let entity = try EntiaProcess.run("denormalize \(blog) --entity author")
    expectEqual(entity.exitCode, 64)
    expectEqual(entity.outputText, "")
    expectTrue(
      entity.errorText.hasPrefix(
        "entia denormalize: \(blog): \"author\" is no entity of the database; did you mean "
          + "\"authors\"?\n"))
    let ids = try EntiaProcess.run("denormalize \(blog) --entity authors --id a1 --id x --id y")
    expectEqual(ids.exitCode, 65)
    expectEqual(ids.outputText, "")
    expectEqual(ids.errorText, "entia denormalize: \(blog): authors has no row \"x\", \"y\"\n")
  }

  @Test("A folder is 74, and an output that cannot be written 73")
  func files() throws {
    try expectEqual(EntiaProcess.run("verify Fixtures").exitCode, 74)
    try expectEqual(EntiaProcess.run("denormalize Fixtures --entity posts").exitCode, 74)
    try expectEqual(
      EntiaProcess.run("denormalize \(blog) --entity posts -o \(folder.path("no/out.json"))")
        .exitCode, 73)
  }

  @Test("100,000 levels of nesting are a problem or a database, never a trap")
  func deep() throws {
    let depth = 100_000
    let open = String(repeating: "[", count: depth)
    let unclosed = try EntiaProcess.run("verify -", input: open)
    expectEqual(unclosed.exitCode, 65)
    let closed = open + String(repeating: "]", count: depth)
    let outcome = try EntiaProcess.run(
      ["import", "-", "-o", "-"], input: Data("{\"a\":[{\"id\":1,\"deep\":\(closed)}]}".utf8))
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    expectTrue(outcome.outputText.contains(closed))
  }
}
