import EntiaTestSupport
import Foundation
import Testing

/// No output destroys an input, whatever the names of the file are.
@Suite("Outputs that are inputs")
struct OverwritingTests {
  private let folder: TemporaryFolder
  private let rows = #"{"people": [{"id": 1, "name": "Ann"}]}"#

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write(rows, to: "p.json")
    _ = try folder.write(#"{"entities": {"people": {}}}"#, to: "s.json")
    let files = FileManager.default
    try files.linkItem(atPath: folder.path("p.json"), toPath: folder.path("hard.json"))
    try files.createSymbolicLink(
      atPath: folder.path("soft.json"), withDestinationPath: "p.json")
  }

  @Test(
    "An output that is an input is 64, and the input stays",
    arguments: [
      "schema p.json -o p.json", "schema p.json -o ./p.json", "schema p.json -op.json",
      "schema p.json -o hard.json", "schema p.json -o soft.json", "schema soft.json -o p.json",
      "import p.json -o p.json", "import p.json --schema s.json -o s.json",
      "import p.json --into p.json", "import p.json --into hard.json -o soft.json",
      "denormalize p.json --entity people -o p.json",
      "denormalize - --entity people -o p.json < p.json",
      "schema p.json >> p.json", "stats - < p.json >> hard.json",
    ])
  func refused(line: String) throws {
    let outcome = try EntiaProcess.shell("entia \(line)", in: folder)
    expectEqual(outcome.exitCode, 64, "\(outcome.errorText)")
    expectTrue(
      outcome.errorText.contains("would be overwritten, and it is an input")
        || outcome.errorText.contains("standard output goes into the input"),
      "\(outcome.errorText)")
    expectFalse(outcome.errorText.contains("Usage:"))
    try expectEqual(folder.text(of: "p.json"), rows)
    try expectEqual(folder.text(of: "s.json"), #"{"entities": {"people": {}}}"#)
    try expectEqual(folder.names(), ["hard.json", "p.json", "s.json", "soft.json"])
  }

  @Test("The message names both names of the file")
  func message() throws {
    let outcome = try EntiaProcess.shell("entia schema p.json -o soft.json", in: folder)
    expectEqual(
      outcome.errorText,
      "entia schema: 'soft.json' would be overwritten, and it is an input, named 'p.json'; "
        + "name another file to write\n")
  }

  @Test(
    "Text is not written under the name of a SQLite database",
    arguments: [
      "schema p.json -o x.sqlite", "get p.json people -o x.db", "explore p.json -o x.sqlite3",
      "denormalize p.json --entity people -o x.sqlite",
      "generate --authors 1 --posts 1 --comments 1 --seed 1 --format tables -o x.db",
    ])
  func databaseNames(line: String) throws {
    let outcome = try EntiaProcess.shell("entia \(line)", in: folder)
    expectTrue(outcome.exitCode == 64 && outcome.outputText == "")
    expectTrue(outcome.errorText.contains("would be a SQLite database by its name"))
    try expectEqual(folder.names(), ["hard.json", "p.json", "s.json", "soft.json"])
  }

  @Test(
    "Nothing is written uncompressed under the name of a compressed file",
    arguments: [
      "schema p.json -o x.gz", "export p.json -o x.json.GZ", "import p.json -o x.gz",
      "import p.json --into x.json.gz", "import p.json --into x.json.gz --dry-run",
    ])
  func compressedNames(line: String) throws {
    let outcome = try EntiaProcess.shell("entia \(line)", in: folder)
    expectTrue(outcome.exitCode == 64 && outcome.outputText == "")
    expectTrue(
      outcome.errorText.contains(
        "would not be compressed as its name says; name it without '.gz', and compress it with "
          + "'gzip'\n"))
    try expectEqual(folder.names(), ["hard.json", "p.json", "s.json", "soft.json"])
  }

  @Test("A compressed file that is missing is reported as missing, if it is only read")
  func missingCompressed() throws {
    let outcome = try EntiaProcess.shell("entia delete none.gz people 1", in: folder)
    expectTrue(outcome.exitCode == 66 && outcome.errorText.contains("none.gz"))
    expectFalse(outcome.errorText.contains("would not be compressed"), "\(outcome.errorText)")
  }

  @Test("--into's own file may be written, by any of its names")
  func into() throws {
    _ = try folder.write(#"{"people": [{"id": 2, "name": "Bob"}]}"#, to: "q.json")
    for name in ["p.json", "./p.json", "soft.json"] {
      let outcome = try EntiaProcess.shell(
        "entia import q.json --into p.json -o \(name)", in: folder)
      expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
      try expectTrue(folder.text(of: "p.json").contains("Bob"))
    }
    try expectEqual(folder.names(), ["hard.json", "p.json", "q.json", "s.json", "soft.json"])
  }

  @Test("Devices may be input and output at once")
  func devices() throws {
    let outcome = try EntiaProcess.shell(
      "entia import - --format ndjson --schema s.json --root people -o /dev/null < /dev/null",
      in: folder)
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
  }
}
