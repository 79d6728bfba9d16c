import EntiaTestSupport
import Foundation
import Testing

/// `--at` and `--id`, in every command that takes them.
@Suite("--at and --id")
struct PathAndIDTests {
  private let folder: TemporaryFolder
  private let page: String

  init() throws {
    folder = try TemporaryFolder()
    page = try folder.write(
      #"{"count": 2, "results": [{"key": 1, "name": "A"}, {"key": 2, "name": "B"}]}"#,
      to: "people.json")
  }

  private let reading = "--at $.results --root people --id key"

  @Test("An ID inside a member is looked for only where the records have such a member")
  func nestedID() throws {
    let nested = #"[{"n": "x", "v": {"code": 3}}, {"n": "x", "v": {"code": 4}}]"#
    let flat = #"[{"n": "x"}, {"n": "x"}]"#
    for (text, hasHint) in [(nested, true), (flat, false)] {
      let path = try folder.write(text, to: "s.json")
      let outcome = try EntiaProcess.run(["schema", path])
      expectEqual(outcome.exitCode, 65)
      expectEqual(outcome.errorText.contains("jq 'map(.id = .v.code)'"), hasHint)
      expectEqual(outcome.errorText.contains("jq"), hasHint, "\(outcome.errorText)")
    }
  }

  @Test("import, stats and diff read the records at the path by the ID")
  func readsRecords() throws {
    let database = folder.path("db.json")
    let imported = try EntiaProcess.run("import \(page) \(reading) -o \(database)")
    expectEqual(imported.exitCode, 0, "\(imported.errorText)")
    expectTrue(imported.outputText.contains("2 inserted"))
    try expectEqual(EntiaProcess.run("verify \(database)").exitCode, 0)
    let stats = try EntiaProcess.run("stats \(page) \(reading)")
    expectEqual(stats.exitCode, 0, "\(stats.errorText)")
    expectEqual(stats.output, try EntiaProcess.run("stats \(database)").output)
    let same = try EntiaProcess.run("diff \(page) \(page) \(reading)")
    expectEqual(same.exitCode, 0, "\(same.errorText)")
  }

  @Test("schema reads the records at the path, and its advice imports them")
  func schema() throws {
    let schema = folder.path("schema.json")
    let guessed = try EntiaProcess.run("schema \(page) --at $.results -o \(schema)")
    expectEqual(guessed.exitCode, 0, "\(guessed.errorText)")
    expectTrue(
      guessed.errorText.hasSuffix(
        "people.json holds people: import it with --at '$.results' --root people\n"))
    let imported = try EntiaProcess.run(
      "import \(page) --at $.results --root people --schema \(schema) -o -")
    expectEqual(imported.exitCode, 0, "\(imported.errorText)")
  }

  @Test("import and schema name the path of the records in a page, and schema prints none")
  func advice() throws {
    let imported = try EntiaProcess.run("import \(page)")
    expectEqual(imported.exitCode, 64)
    expectEqual(
      imported.errorText,
      """
      entia import: \(page): the format cannot be recognized: an object that does not contain \
      tables needs --root, and --schema or --id; the only array of objects is $.results; if it \
      holds the records, add --at '$.results'
      entia import: no schema yet? 'entia schema \(page) --at '$.results'' guesses one

      """)
    let guessed = try EntiaProcess.run("schema \(page)")
    expectTrue(guessed.exitCode == 65 && guessed.outputText == "")
    expectTrue(
      guessed.errorText.hasSuffix(
        """
        entia schema: \(page): people has no ID that serves: no member is an ID in its 1 record; \
        import needs one
        entia schema: if $.results holds the records: 'entia schema \(page) --at '$.results'' guesses \
        one
        entia schema: no schema is printed, because an import with it would be refused; --force \
        prints it, to name the ID in it: a member, or several that make one

        """), "\(guessed.errorText)")
    let forced = try EntiaProcess.run("schema \(page) --force")
    expectEqual(forced.exitCode, 0)
    expectTrue(forced.outputText.hasPrefix("{\n  \"entities\": {\n    \"people\": {"))
  }

  @Test("an object with only data may be a response or a page: the messages cover both")
  func data() throws {
    let file = try folder.write(#"{"data": {"users": [{"id": 1}, {"id": 2}]}}"#, to: "users.json")
    let outcome = try EntiaProcess.run("import \(file)")
    expectEqual(outcome.exitCode, 65)
    expectTrue(outcome.errorText.contains("ask for __typename and id"), "\(outcome.errorText)")
    expectTrue(
      outcome.errorText.contains(
        "the only array of objects is $.data.users; if it holds the records, add --at "
          + "'$.data.users'"), "\(outcome.errorText)")
    let guessed = try EntiaProcess.run("schema \(file)")
    expectEqual(guessed.exitCode, 65)
    expectTrue(
      guessed.errorText.contains(
        "if $.data.users holds the records: 'entia schema \(file) --at '$.data.users'' guesses one"
      ), "\(guessed.errorText)")
    let path = "--at $.data.users"
    let schema = folder.path("schema.json")
    try expectEqual(EntiaProcess.run("schema \(file) \(path) -o \(schema)").exitCode, 0)
    let imported = try EntiaProcess.run(
      "import \(file) \(path) --root users --schema \(schema)")
    expectTrue(imported.outputText.contains("2 inserted"), "\(imported.errorText)")
  }

  @Test(
    "invalid paths, missing paths, and an ID without a root",
    arguments: [
      (
        "import FILE --at $x --root a --id b", Int32(64), "--at takes a path such as '$.data.items'"
      ),
      ("stats FILE --at $x --root a --id b", 64, "--at takes a path such as '$.data.items'"),
      ("schema FILE --at $x", 64, "--at takes a path such as '$.data.items', not '$x'"),
      (
        "import FILE --at $.result --root a --id b", 65,
        "there are no records at $.result: there is no member \"result\"; did you mean "
          + "\"results\"?"
      ),
      ("stats FILE --at $.result --root a --id b", 65, "did you mean \"results\"?"),
      ("diff FILE FILE --at $.result --root a --id b", 65, "did you mean \"results\"?"),
      ("schema FILE --at $.result", 65, "did you mean \"results\"?"),
      ("schema FILE --at $.count", 65, "there are no records to guess from"),
      ("import FILE --at $.results --id key", 64, "--id needs --root, the name of the entity"),
      ("stats FILE --id key", 64, "--id needs --root, the name of the entity"),
      (
        "diff FILE FILE --root a --id key --schema Fixtures/blog/schema.json", 64,
        "--id is for reading without a schema; set the ID in the schema"
      ),
      (
        "import FILE --at $.results", 64,
        "no schema yet? 'entia schema FILE --at '$.results'' guesses one"
      ),
      (
        "import FILE --at $.results --root people --id nick", 65,
        "error: 2 × missingID in people: no \"nick\"; set \"id\": \"key\"? (every record has it, all "
          + "differ)"
      ),
    ] as [(String, Int32, String)])
  func wrong(line: String, exitCode: Int32, message: String) throws {
    let outcome = try EntiaProcess.run(line.replacing("FILE", with: page))
    expectEqual(outcome.exitCode, exitCode)
    let expected = message.replacing("FILE", with: page)
    expectTrue(outcome.errorText.contains(expected), "\(outcome.errorText)")
  }

  @Test("CSV has no paths")
  func csv() throws {
    let file = try folder.write("id,name\n1,A\n", to: "a.csv")
    for command in ["import", "schema", "stats"] {
      let outcome = try EntiaProcess.run("\(command) \(file) --at $.rows")
      expectEqual(outcome.exitCode, 64)
      expectTrue(
        outcome.errorText.contains(
          "--at is a path in JSON and cannot be used with csv; leave it out"))
    }
  }
}
