import EntiaTestSupport
import Foundation
import Testing

/// What stands where an output is to be written is respected.
@Suite("Links and read-only files as outputs")
struct LinkedOutputTests {
  private let folder: TemporaryFolder
  private let generate =
    "entia generate --authors 1 --posts 1 --comments 1 --seed 1 --format tables"

  init() throws { folder = try TemporaryFolder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: target)
  }

  @Test("A dangling link is written through to its target, and stays a link")
  func dangling() throws {
    try link("one.json", to: "two.json")
    try link("two.json", to: folder.path("target.json"))
    let outcome = try EntiaProcess.shell("\(generate) -o one.json", in: folder)
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    try expectTrue(folder.text(of: "target.json").hasPrefix("{"))
    try expectEqual(
      FileManager.default.destinationOfSymbolicLink(atPath: folder.path("one.json")), "two.json")
    try expectEqual(folder.names(), ["one.json", "target.json", "two.json"])
  }

  @Test("A link into a folder that is not there is 73, and stays a link")
  func nowhere() throws {
    try link("out.json", to: "no/target.json")
    let outcome = try EntiaProcess.shell("\(generate) -o out.json", in: folder)
    expectEqual(outcome.exitCode, 73)
    expectEqual(
      outcome.errorText, "entia generate: cannot write 'out.json': No such file or directory\n")
    try expectEqual(folder.names(), ["out.json"])
  }

  @Test("A link to itself is 73")
  func loop() throws {
    try link("out.json", to: "out.json")
    let outcome = try EntiaProcess.shell("\(generate) -o out.json", in: folder)
    expectEqual(outcome.exitCode, 73)
    try expectEqual(folder.names(), ["out.json"])
  }

  #if ENTIA_SQLITE
    @Test("A SQLite database under another name, or behind a link, is not replaced by a text")
    func database() throws {
      _ = try folder.write("{\"authors\": [{\"id\": 1}]}", to: "db.json")
      var outcome = try EntiaProcess.shell("entia import db.json -o own.sqlite", in: folder)
      expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
      let own = URL(filePath: folder.path("own.sqlite"))
      let bytes = try Data(contentsOf: own)
      try FileManager.default.copyItem(at: own, to: URL(filePath: folder.path("plain.txt")))
      try link("middle", to: "own.sqlite")
      try link("link.json", to: "middle")
      for command in [
        "get db.json authors", "export db.json", "import db.json", "schema db.json",
        "denormalize db.json --entity authors", "explore db.json",
        "generate --authors 1 --posts 1 --comments 1 --seed 1 --format tables",
      ] {
        for name in ["link.json", "plain.txt"] {
          outcome = try EntiaProcess.shell("entia \(command) -o \(name)", in: folder)
          expectEqual(outcome.exitCode, 73, "\(command)")
          expectEqual(
            outcome.errorText,
            """
            entia \(command.prefix { $0 != " " }): cannot write '\(name)': it is a SQLite \
            database, and the output is text; name another file, or remove it first

            """)
          try expectEqual(Data(contentsOf: URL(filePath: folder.path(name))), bytes)
        }
      }
      // A database is replaced by one, and written back, whatever it is called.
      for line in [
        "export db.json -o own.sqlite", "patch plain.txt authors 1 '{\"x\": 1}'",
        "import db.json --into plain.txt -o ./plain.txt --on-conflict keep",
        "patch link.json authors 1 '{\"x\": 1}'",
      ] {
        outcome = try EntiaProcess.shell("entia \(line)", in: folder)
        expectEqual(outcome.exitCode, 0, "\(line): \(outcome.errorText)")
      }
      outcome = try EntiaProcess.shell("entia get link.json authors --format ndjson", in: folder)
      expectEqual(outcome.outputText, "{\"id\":1,\"x\":1}\n")
    }
  #endif

  @Test("A file that was made read-only is 73 before anything is read, and stays as it is")
  func readOnly() throws {
    let path = try folder.write("{}", to: "db.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    _ = try folder.write("no JSON", to: "bad.json")
    try link("link.json", to: "db.json")
    for line in [
      "\(generate) -o db.json", "\(generate) -o link.json", "entia import bad.json --into db.json",
    ] {
      let outcome = try EntiaProcess.shell(line, in: folder)
      expectEqual(outcome.exitCode, 73, "\(outcome.errorText)")
      expectTrue(
        outcome.errorText.hasSuffix(
          "the file is read-only; 'chmod u+w' makes it writable\n"), "\(outcome.errorText)")
      try expectEqual(folder.text(of: "db.json"), "{}")
    }
    try expectEqual(folder.names(), ["bad.json", "db.json", "link.json"])
  }
}
