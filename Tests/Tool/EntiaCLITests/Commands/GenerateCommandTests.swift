import EntiaTestSupport
import Foundation
import Testing

/// `entia generate`, from the outside.
@Suite("entia generate")
struct GenerateCommandTests {
  private let folder: TemporaryFolder
  private let sizes = "generate --authors 30 --posts 200 --comments 500 --seed 11"
  private let schema = "--schema Fixtures/blog/schema.json --root posts"

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("nested, ndjson and tables import without problems to one database")
  func shapes() throws {
    var databases: [Data] = []
    for (format, name) in [
      ("nested", "blog.json"), ("ndjson", "blog.ndjson"), ("tables", "tables.json"),
    ] {
      let file = folder.path(name)
      let made = try EntiaProcess.run("\(sizes) --format \(format) -o \(file)")
      expectTrue(made.exitCode == 0 && made.outputText == "" && made.errorText == "")
      let report = try EntiaProcess.run("import \(file) \(schema) --report json")
      expectTrue(report.outputText.contains("\"problems\": []"), "\(report.outputText)")
      expectTrue(
        report.outputText.contains(
          "\"entities\": {\n    \"authors\": 30,\n    \"comments\": 500,\n    \"posts\": 200\n  }"))
      databases.append(try EntiaProcess.run("import \(file) \(schema) -o -").output)
    }
    expectEqual(databases[0], databases[1])
    expectEqual(databases[0], databases[2])
    let alone = try EntiaProcess.run("import \(folder.path("tables.json")) -o -")
    expectEqual(alone.output, databases[0])
  }

  @Test("Every process writes the same bytes, to a file as to standard output; nested is default")
  func determinism() throws {
    let file = folder.path("out.json")
    try expectEqual(EntiaProcess.run("\(sizes) -o \(file)").exitCode, 0)
    let printed = try EntiaProcess.run("\(sizes) --format nested")
    try expectEqual(Data(folder.text(of: "out.json").utf8), printed.output)
    try expectEqual(EntiaProcess.run("\(sizes) -o -").output, printed.output)
  }

  @Test("An existing file is replaced; one that cannot be written is kept, and it is 73")
  func files() throws {
    let old = try folder.write("old", to: "out.json")
    try expectEqual(EntiaProcess.run("\(sizes) -o \(old)").exitCode, 0)
    try expectTrue(folder.text(of: "out.json").hasPrefix("[\n  {\"id\":\"p1\""))
    try expectEqual(folder.names(), ["out.json"])
    let nowhere = folder.path("no/out.json")
    let outcome = try EntiaProcess.run("\(sizes) -o \(nowhere)")
    expectEqual(outcome.exitCode, 73)
    expectEqual(
      outcome.errorText, "entia generate: cannot write '\(nowhere)': No such file or directory\n")
  }

  @Test(
    "Invalid sizes and seeds are 64, and nothing is written",
    arguments: [
      (
        "--authors -1 --posts 1 --comments 1 --seed 1",
        "--authors needs a whole number from 0, not '-1'"
      ),
      (
        "--authors 1 --posts many --comments 1 --seed 1",
        "--posts needs a whole number from 0, not 'many'"
      ),
      (
        "--authors 1 --posts 1 --comments 1.5 --seed 1",
        "--comments needs a whole number from 0, not '1.5'"
      ),
      (
        "--authors 1 --posts 1 --comments 1 --seed 0x1",
        "--seed needs a whole number from 0, not '0x1'"
      ),
      ("--authors 1 --posts 1 --comments 1", "missing --seed S"),
      ("--authors 1 --posts 1 --comments 1 --seed 1 extra", "unexpected argument 'extra'"),
      (
        "--authors 1 --posts 1 --comments 1 --seed 1 --format xml",
        "--format is one of nested, tables, ndjson, jsonapi, not 'xml'"
      ),
      (
        "--authors 1 --posts 2000000000 --comments 1 --seed 1",
        "2000000000 posts are not from 0 to 1000000000"
      ),
      (
        "--authors 0 --posts 0 --comments 3 --seed 1",
        "3 comments need at least 1 post that they belong to"
      ),
      (
        "--authors 9 --posts 1 --comments 1 --seed 1",
        "9 authors need as many posts and comments that name them; there are 2"
      ),
    ])
  func usage(line: String, message: String) throws {
    let outcome = try EntiaProcess.run("generate \(line) -o \(folder.path("out.json"))")
    expectEqual(outcome.exitCode, 64)
    expectEqual(outcome.outputText, "")
    expectTrue(outcome.errorText.hasPrefix("entia generate: \(message)\nUsage:\n"))
    try expectEqual(folder.names(), [])
  }
}
