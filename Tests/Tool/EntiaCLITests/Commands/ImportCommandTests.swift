import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// `entia import`, from the outside.
@Suite("entia import")
struct ImportCommandTests {
  private let folder: TemporaryFolder
  private let blog = "Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root posts"

  init() throws {
    folder = try TemporaryFolder()
  }

  private func expected(_ name: String) throws -> Data {
    try Data(contentsOf: Repository.root.appending(path: "Fixtures/\(name)"))
  }

  private func counts(_ outcome: EntiaProcess.Outcome) throws -> [String: Int] {
    let report = try JSONSerialization.jsonObject(with: outcome.output)
    return try #require(report as? [String: Any]).compactMapValues { $0 as? Int }
  }

  @Test("Without -o only the report is printed, to standard output")
  func reportOnly() throws {
    let outcome = try EntiaProcess.run("import " + blog)
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.errorText, "")
    expectEqual(
      outcome.outputText,
      """
      Fixtures/blog/posts.json: nested
      read 35: 22 inserted, 0 updated, 13 unchanged, 0 rejected
         4 authors
        12 comments
         6 posts

      """)
  }

  @Test("-o FILE writes the database there and the report to standard output")
  func outputFile() throws {
    let outcome = try EntiaProcess.run("import \(blog) -o \(folder.path("out.json"))")
    expectEqual(outcome.exitCode, 0)
    expectTrue(outcome.outputText.contains("22 inserted"))
    try expectEqual(Data(folder.text(of: "out.json").utf8), expected("blog/expected.json"))
  }

  @Test("-o - writes the database to standard output and the report to standard error")
  func standardOutput() throws {
    let outcome = try EntiaProcess.run("import \(blog) -o - --report json")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.output, try expected("blog/expected.json"))
    expectEqual(outcome.errors, try expected("blog/report.expected.json"))
  }

  @Test("- reads standard input: the records, the schema or the database to add to")
  func standardInput() throws {
    let cases = [
      ("import - --schema Fixtures/blog/schema.json --root posts -o -", "blog/posts.json"),
      ("import Fixtures/blog/posts.json --schema - --root posts -o -", "blog/schema.json"),
      ("import \(blog) --into - -o -", "blog/expected.json"),
    ]
    for (line, input) in cases {
      let outcome = try EntiaProcess.run(
        line.split(separator: " ").map(String.init), input: expected(input))
      expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
      expectEqual(outcome.output, try expected("blog/expected.json"), "\(line)")
    }
  }

  @Test("Empty input is malformed, but no lines of ndjson are no records")
  func emptyInput() throws {
    let schema = "--schema Fixtures/blog/schema.json --root posts"
    try expectEqual(EntiaProcess.run("import - --format nested \(schema)").exitCode, 65)
    try expectEqual(EntiaProcess.run("import - --format ndjson \(schema)").exitCode, 0)
  }

  @Test("--dry-run does everything but write, problems included")
  func dryRun() throws {
    let line = "import \(blog) --dry-run -o \(folder.path("out.json"))"
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, 0)
    expectTrue(outcome.outputText.contains("22 inserted"))
    try expectEqual(folder.names(), [])
    let bad = try EntiaProcess.run(
      "import Fixtures/bad/conflict.json --schema Fixtures/bad/schema.json --root posts --dry-run")
    expectEqual(bad.exitCode, 65)
  }

  @Test(
    "nested and ndjson without --schema or --root, or with an unknown --root, are 64",
    arguments: [
      "Fixtures/blog/posts.json", "Fixtures/blog/posts.ndjson",
      "Fixtures/blog/posts.json --format nested --root posts",
      "Fixtures/blog/posts.ndjson --format ndjson --schema Fixtures/blog/schema.json",
    ])
  func missingSchemaOrRoot(line: String) throws {
    let outcome = try EntiaProcess.run("import " + line)
    expectEqual(outcome.exitCode, 64)
    expectEqual(outcome.outputText, "")
    let complaint = outcome.errorText.prefix { $0 != "\n" }
    expectTrue(complaint.contains("--schema") && complaint.contains("--root"))
  }

  @Test("A --root that is no entity is reported with a suggestion")
  func unknownRoot() throws {
    let outcome = try EntiaProcess.run(
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root psots")
    expectEqual(outcome.exitCode, 64)
    expectTrue(outcome.errorText.contains("--root \"psots\" is no entity of the schema"))
    expectTrue(outcome.errorText.contains("did you mean \"posts\"?"))
  }

  @Test("Law 29: importing again into what was written changes nothing, and the report states it")
  func idempotence() throws {
    let database = folder.path("db.json")
    try expectEqual(EntiaProcess.run("import \(blog) -o \(database)").exitCode, 0)
    let before = try folder.text(of: "db.json")
    let again = try EntiaProcess.run(
      "import \(blog) --into \(database) -o \(database) --report json")
    expectEqual(again.exitCode, 0)
    let counts = try counts(again)
    expectEqual(counts["read"], 35)
    expectEqual(counts["unchanged"], 35)
    expectEqual(counts["inserted"], 0)
    expectEqual(counts["updated"], 0)
    try expectEqual(folder.text(of: "db.json"), before)
  }

  @Test("--into writes back, and with --dry-run does not; the report says which")
  func intoIsWrittenBack() throws {
    let database = try folder.write("{}", to: "db.json")
    let dry = try EntiaProcess.run("import \(blog) --into \(database) --dry-run")
    expectEqual(dry.exitCode, 0)
    expectTrue(dry.outputText.hasSuffix("\ndry run: '\(database)' was not written\n"))
    try expectEqual(folder.text(of: "db.json"), "{}")
    let outcome = try EntiaProcess.run("import \(blog) --into \(database)")
    expectEqual(outcome.exitCode, 0)
    expectTrue(outcome.outputText.hasSuffix("\nwrote '\(database)'\n"))
    try expectEqual(Data(folder.text(of: "db.json").utf8), expected("blog/expected.json"))
    try expectEqual(folder.names(), ["db.json"])
  }

  @Test("CSV is read with its own separator, and --delimiter sets one")
  func delimiters() throws {
    let expected = #"""
      {"id":1,"n":"x"}
      {"id":2,"n":"y,z"}

      """#
    for (name, text, option) in [
      ("semicolons.csv", "id;n\n1;x\n2;\"y,z\"\n", []), ("tabs.csv", "id\tn\n1\tx\n2\ty,z\n", []),
      ("odd.csv", "id:n\n1:x\n2:y,z\n", ["--delimiter", ":"]),
      ("tab.csv", "id\tn\n1\tx\n2\ty,z\n", ["--delimiter=tab"]),
    ] {
      let path = try folder.write(text, to: name)
      let output = folder.path("out.json")
      let imported = try EntiaProcess.run(
        ["import", path, "--root", "r", "--id", "id", "-o", output] + option)
      expectEqual(imported.exitCode, 0, "\(imported.errorText)")
      let rows = try EntiaProcess.run(["get", output, "r", "--format", "ndjson"])
      expectEqual(rows.outputText, expected)
    }
    let mixed = try folder.write("id,n\n1;x\n", to: "mixed.csv")
    let outcome = try EntiaProcess.run(["import", mixed])
    expectEqual(outcome.exitCode, 65)
    expectTrue(
      outcome.errorText.contains(
        "line 2: 1 field, where the header has 2; the header is separated by a comma, and this line "
          + "by a semicolon: --delimiter sets one for all lines"), "\(outcome.errorText)")
    for wrong in ["", ";;", "\"", "é"] {
      try expectEqual(EntiaProcess.run(["import", mixed, "--delimiter=\(wrong)"]).exitCode, 64)
    }
  }

  @Test("--into creates a missing database, unless another file is written")
  func intoCreates() throws {
    let database = folder.path("new.json")
    let dry = try EntiaProcess.run("import \(blog) --into \(database) --dry-run")
    expectEqual(dry.exitCode, 0)
    try expectEqual(folder.names(), [])
    let outcome = try EntiaProcess.run("import \(blog) --into \(database)")
    expectEqual(outcome.exitCode, 0)
    expectTrue(outcome.outputText.hasSuffix("\ncreated '\(database)'\n"))
    try expectEqual(Data(folder.text(of: "new.json").utf8), expected("blog/expected.json"))
    let missing = folder.path("missing.json")
    let elsewhere = try EntiaProcess.run(
      "import \(blog) --into \(missing) -o \(folder.path("out.json"))")
    expectEqual(elsewhere.exitCode, 66)
    expectEqual(elsewhere.errorText, "entia import: no such file: '\(missing)'\n")
    let same = try EntiaProcess.run("import \(blog) --into \(missing) -o \(missing)")
    expectEqual(same.exitCode, 0)
    expectTrue(same.outputText.hasSuffix("\ncreated '\(missing)'\n"))
  }

  @Test("--into with -o of another file reads the one and writes the other")
  func intoElsewhere() throws {
    let database = try folder.write("{}", to: "db.json")
    let outcome = try EntiaProcess.run(
      "import \(blog) --into \(database) -o \(folder.path("out.json"))")
    expectEqual(outcome.exitCode, 0)
    try expectEqual(folder.text(of: "db.json"), "{}")
    try expectEqual(Data(folder.text(of: "out.json").utf8), expected("blog/expected.json"))
  }

  @Test("Standard input cannot be written back")
  func intoStandardInput() throws {
    let outcome = try EntiaProcess.run("import \(blog) --into -", input: "{}")
    expectEqual(outcome.exitCode, 64)
    expectEqual(
      outcome.errorText,
      "entia import: --into - cannot be written back; name the file to write with -o\n")
  }

  @Test("A database that cannot be read as one is 65, and a schema too")
  func badBase() throws {
    let broken = try folder.write("{\"entities\": ", to: "broken.json")
    for option in ["--into", "--schema"] {
      let outcome = try EntiaProcess.run(
        "import Fixtures/blog/tables.json \(option) \(broken) -o \(folder.path("out.json"))")
      expectEqual(outcome.exitCode, 65)
      expectTrue(outcome.errorText.contains("broken.json: $.entities: error: malformedJSON: "))
      try expectEqual(folder.names(), ["broken.json"])
    }
  }

  @Test(
    "A conflict with the database is refused, or resolved by --on-conflict",
    arguments: [
      ("error", Int32(65), nil), ("keep", 0, #"{"id":"a1","name":"Mary","born":1799}"#),
      ("replace", 0, #"{"id":"a1","name":"Marie"}"#),
      ("merge", 0, #"{"id":"a1","name":"Marie","born":1799}"#),
    ] as [(String, Int32, String?)])
  func conflicts(policy: String, exitCode: Int32, row: String?) throws {
    let old = try folder.write(
      #"{"authors": {"a1": {"id": "a1", "name": "Mary", "born": 1799}}}"#, to: "old.json")
    let new = try folder.write(#"{"authors": [{"id": "a1", "name": "Marie"}]}"#, to: "new.json")
    let before = try folder.text(of: "old.json")
    let outcome = try EntiaProcess.run(
      "import \(new) --into \(old) --on-conflict \(policy) -o \(old)")
    expectEqual(outcome.exitCode, exitCode, "\(outcome.outputText)")
    let after = try folder.text(of: "old.json")
    if let row {
      expectTrue(after.contains(row))
    } else {
      expectEqual(after, before)
      expectEqual(
        outcome.errorText,
        """
        \(new): $.authors[0]: error: conflict: authors "a1" differs in "name" ("Marie" here, \
        "Mary" there) from the one in the database
        --on-conflict resolves conflicts: replace uses the later row, keep the earlier one, merge \
        the later value of each member

        """)
    }
  }

  @Test("Problems go to standard error, grouped, and the report to standard output")
  func problems() throws {
    let rows = (0..<5).map { "{\"code\": \"c\($0)\", \"kind\": 1}" }
    let file = try folder.write("[\(rows.joined(separator: ", "))]", to: "in.json")
    let outcome = try EntiaProcess.run("import \(file) --root a --id id --max-problems 2")
    expectEqual(outcome.exitCode, 65)
    expectEqual(
      outcome.outputText,
      """
      \(file): nested
      read 5: 0 inserted, 0 updated, 0 unchanged, 5 rejected
      5 errors, 0 warnings; nothing was written

      """)
    expectEqual(
      outcome.errorText,
      """
      error: 5 × missingID in a: no "id"; set "id": "code"? (every record has it, all differ)
        \(file): $[0]
        \(file): $[1]
        … and 3 more

      """)
    let json = try EntiaProcess.run("import \(file) --root a --id id --report json")
    expectTrue(json.exitCode == 65 && json.errorText == "")
    try expectEqual(counts(json)["rejected"], 5)
    let limited = try EntiaProcess.run(
      "import \(file) --root a --id id --report json --max-problems 2")
    expectEqual(limited.outputText, json.outputText)
    expectEqual(json.outputText.split(separator: "\n").count { $0.contains("missingID") }, 5)
    let wrong = try EntiaProcess.run("import \(file) --root a --id id --max-problems few")
    expectTrue(wrong.exitCode == 64 && wrong.outputText == "")
    expectTrue(wrong.errorText.contains("--max-problems"))
  }

  @Test("verify lists its problems in groups too")
  func verifyGroups() throws {
    let rows = (0..<5).map { "{\"id\": \($0), \"to\": \($0 + 9)}" }
    let database = try folder.write(
      "{\"schema\": {\"entities\": {\"a\": {\"relationships\": {\"to\": {\"to\": \"a\"}}}}}, "
        + "\"entities\": {\"a\": [\(rows.joined(separator: ", "))]}}", to: "db.json")
    let outcome = try EntiaProcess.run("verify \(database) --max-problems 1")
    expectTrue(outcome.exitCode == 65 && outcome.errorText == "")
    expectEqual(
      outcome.outputText,
      """
      error: 5 × danglingReference in a: "to" refers to rows of a that do not exist
        \(database): $.entities.a[0].to: "to" of a 0 refers to a 9, which does not exist
        … and 4 more
      \(database): 5 problems

      """)
  }

  @Test(
    "The usage is not printed after a message about data",
    arguments: [
      "import Fixtures/blog/posts.json", "import Fixtures/blog/posts.json --root psots --id id",
      "import Fixtures/bad/many.json --schema Fixtures/bad/schema.json --root posts",
      "stats Fixtures/blog/posts.json", "schema Fixtures/bad/comment.json",
      "denormalize Fixtures/blog/expected.json --entity psots",
      "get Fixtures/blog/expected.json posts nobody",
    ])
  func noUsage(line: String) throws {
    let outcome = try EntiaProcess.run(line)
    expectFalse(outcome.errorText.contains("Usage"), "\(outcome.errorText)")
  }

  @Test("A file that cannot be written is 73 and the report does not claim otherwise")
  func cannotWrite() throws {
    let outcome = try EntiaProcess.run("import \(blog) -o \(folder.path("no/out.json"))")
    expectEqual(outcome.exitCode, 73)
    expectEqual(outcome.outputText, "")
    expectTrue(outcome.errorText.hasPrefix("entia import: cannot write '"))
    expectTrue(outcome.errorText.hasSuffix("No such file or directory\n"))
  }

  @Test(
    "A folder in place of a file is 74", arguments: ["", " --schema Fixtures", " --into Fixtures"])
  func cannotRead(option: String) throws {
    let file = option.isEmpty ? "Fixtures/blog" : "Fixtures/blog/tables.json"
    let outcome = try EntiaProcess.run("import \(file)\(option)")
    expectEqual(outcome.exitCode, 74)
    expectEqual(outcome.outputText, "")
    expectTrue(outcome.errorText.hasSuffix("': Is a directory\n"))
  }

  @Test("A closed pipe does not kill the tool")
  func brokenPipe() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.currentDirectoryURL = Repository.root
    let tool = try EntiaProcess.executable().path(percentEncoded: false)
    let codes = folder.path("codes")
    process.arguments = [
      "-c",
      "(sleep 0.2; '\(tool)' --help 2>/dev/null; echo $? > '\(codes)') | true; sleep 0.5",
    ]
    try process.run()
    process.waitUntilExit()
    try expectEqual(folder.text(of: "codes"), "73\n")
  }
}
