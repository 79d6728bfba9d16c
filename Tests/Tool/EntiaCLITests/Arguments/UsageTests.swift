import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// What the tool says and how it leaves before any data is looked at.
@Suite("Usage, help and exit codes")
struct UsageTests {
  @Test("A word too many is a mistake of the command line, and not a missing file")
  func unexpectedArgument() throws {
    for line in [
      "verify Fixtures/blog/expected.json extra", "export Fixtures/blog/expected.json x",
    ] {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, 64)
      expectTrue(outcome.errorText.contains("unexpected argument '"), "\(outcome.errorText)")
    }
  }

  @Test("--report json is printed for usage errors and missing files too")
  func failuresAsJSON() throws {
    for (line, code, kind) in [
      ("import Fixtures/blog/posts.json --root --report json", Int32(64), "usage"),
      ("import Fixtures/blog/expected.json --no-such-option --report json", 64, "usage"),
      ("import missing.json --report json", 66, "unreadable"),
      ("verify missing.json --report=json", 66, "unreadable"),
    ] {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, code)
      let report = try #require(
        try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      let problems = try #require(report["problems"] as? [[String: Any]])
      expectEqual(problems.first?["kind"] as? String, kind, "\(line)")
      expectFalse(outcome.errorText.isEmpty)
    }
  }

  private let post = "Fixtures/blog/posts.json"

  @Test("--help names every command and prints to standard output")
  func overview() throws {
    let outcome = try EntiaProcess.run("--help")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.errorText, "")
    expectEqual(
      outcome.outputText,
      """
      entia: each thing stored once. JSON in, normalized tables out.

      Usage:
        entia import FILE…
            [--format auto|nested|ndjson|tables|django|jsonapi|graphql|keyed|csv]
            [--schema SCHEMA.json] [--root ENTITY] [--id NAME] [--at PATH]
            [--delimiter CHAR] [--table TABLE]… [--into DB.json] [-o OUT.json]
            [--on-conflict error|replace|keep|merge] [--strict] [--report text|json]
            [--max-problems N] [--dry-run] [--no-wait] [--quiet]
        entia verify DB.json [--report text|json] [--max-problems N]
        entia export DB [-o OUT]
        entia denormalize DB.json --entity ENTITY [--id ID]… [--depth N]
            [--inverse ENTITY.MEMBER[:N][=NAME]]… [--max-bytes N] [-o OUT.json]
        entia schema FILE… [--mermaid] [--root ENTITY] [--at PATH] [--force] [-o OUT]
        entia diff OLD.json NEW.json [--schema SCHEMA.json] [--root ENTITY]
            [--id NAME] [--at PATH]
            [--format auto|nested|ndjson|tables|django|jsonapi|graphql|keyed|csv]
            [--delimiter CHAR] [--json]
        entia stats DB.json [--schema SCHEMA.json] [--root ENTITY] [--id NAME]
            [--at PATH]
            [--format auto|nested|ndjson|tables|django|jsonapi|graphql|keyed|csv]
            [--delimiter CHAR] [--json]
        entia explore DB [NEW] [--schema SCHEMA.json] [--root ENTITY] [--id NAME]
            [--at PATH]
            [--format auto|nested|ndjson|tables|django|jsonapi|graphql|keyed|csv]
            [--delimiter CHAR] [-o PAGE.html] [--open]
        entia get DB.json ENTITY [ID…] [--where CONDITION] [--search TEXT]
            [--sort MEMBER,…] [--limit N] [--format json|ndjson|csv|table] [-o OUT]
        entia patch DB.json ENTITY ID PATCH [--dry-run] [--no-wait]
        entia delete DB.json ENTITY ID… [--nullify] [--dry-run] [--no-wait]
        entia evict FILE.sqlite --rows N [--keep ENTITY[:ID]]… [--dry-run]
        entia generate --authors N --posts N --comments N --seed S
            [--format nested|tables|ndjson|jsonapi] [-o OUT.json]
        entia push DB --to CONNECTION --space NAME [--replace]
        entia pull --from CONNECTION --space NAME [-o OUT]
        entia share install [--to CONNECTION] [--print]
        entia --help | --version | COMMAND --help

      Commands:
        import         Import JSON files into one normalized database
        verify         List the problems of a database
        export         Write a database as JSON, or as a SQLite database
        denormalize    Print entities as nested objects
        schema         Print a schema, or guess one from data
        diff           Print how one database differs from another
        stats          Print statistics of a database
        explore        Write a page that shows a database in a browser
        get            Print rows of an entity
        patch          Change members of a row
        delete         Delete rows of an entity
        evict          Remove the oldest rows of a SQLite file
        generate       Generate a blog of any size as sample data
        push           Write a database into a space of a PostgreSQL server
        pull           Write a space of a PostgreSQL server into a database file
        share install  Create the tables of shared databases in a PostgreSQL database

      Exit codes:
        0   fine
        1   diff: the databases differ
        64  wrong usage
        65  bad data: every problem is listed, nothing is written
        66  no such input
        69  not here: SQLite or PostgreSQL in this build, a server, or a program to
            open a page
        73  cannot write
        74  cannot read

      """)
  }

  @Test(
    "COMMAND --help takes precedence over every mistake",
    arguments: [
      "import", "verify", "denormalize", "schema", "diff", "stats", "explore", "get", "patch",
      "delete", "evict", "generate",
    ])
  func commandHelp(command: String) throws {
    let outcome = try EntiaProcess.run("\(command) nosuch.json --nonsense --help")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.errorText, "")
    let description = try #require(
      EntiaCommand.commands.first { $0.description.name == command }?.description)
    expectEqual(outcome.outputText, HelpText.help(of: description))
  }

  @Test("--version and -v print the name and the number", arguments: ["--version", "-v"])
  func version(word: String) throws {
    let outcome = try EntiaProcess.run(word)
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.outputText, "entia \(EntiaCommand.version)\n")
  }

  @Test("-h and help are --help, of the tool and of a command")
  func shortHelp() throws {
    let overview = try EntiaProcess.run("--help").outputText
    for line in ["-h", "help"] { try expectEqual(EntiaProcess.run(line).outputText, overview) }
    let command = try EntiaProcess.run("schema --help").outputText
    for line in ["schema -h", "help schema", "schema nosuch.json -h"] {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, 0)
      expectEqual(outcome.outputText, command)
    }
    let unknown = try EntiaProcess.run("help shcema")
    expectEqual(unknown.exitCode, 64)
    expectTrue(unknown.errorText.contains("unknown command 'shcema'; did you mean 'schema'?"))
  }

  @Test(
    "A message about data is not followed by the usage line",
    arguments: [
      "import Fixtures/blog/posts.json", "denormalize Fixtures/blog/expected.json --entity post",
      "import Fixtures/blog/posts.json --schema Fixtures/blog/schema.json --root psots",
      "stats Fixtures/blog/posts.json",
    ])
  func noUsage(line: String) throws {
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, 64)
    expectFalse(outcome.errorText.contains("Usage:"), "\(outcome.errorText)")
    expectFalse(outcome.errorText.contains("--help"))
  }

  @Test(
    "A wrong first word is 64, with the nearest command",
    arguments: [
      (
        "",
        "entia: missing command: one of import, verify, export, denormalize, schema, diff, stats, explore, "
          + "get, patch, delete, evict, generate, push, pull, share install\n"
      ),
      ("imprt", "entia: unknown command 'imprt'; did you mean 'import'?\n"),
      ("--hlep", "entia: unknown option '--hlep'; did you mean '--help'?\n"),
      ("frobnicate", "entia: unknown command 'frobnicate'\n"),
    ])
  func wrongCommand(line: String, message: String) throws {
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, 64)
    expectEqual(outcome.outputText, "")
    expectEqual(outcome.errorText, message + "entia: 'entia --help' prints more.\n")
  }

  @Test("Wrong usage of a command is 64: every problem, then the usage line")
  func wrongUsage() throws {
    let outcome = try EntiaProcess.run("import \(post) --fromat=nested --report xml")
    expectEqual(outcome.exitCode, 64)
    expectEqual(outcome.outputText, "")
    expectEqual(
      outcome.errorText,
      """
      entia import: unknown option '--fromat'; did you mean '--format'?
      entia import: --report is one of text, json, not 'xml'
      \(HelpText.usage(of: ImportCommand.description))
      'entia import --help' prints more.

      """)
  }

  @Test(
    "A missing input is 66 with any options",
    arguments: [
      "import nosuch.json", "import nosuch.json --nonsense", "import --fromat nested nosuch.json",
      "import Fixtures/blog/posts.json --schema nosuch.json",
      "import Fixtures/blog/posts.json --into nosuch.json -o other.json",
      "verify nosuch.json --depth 2",
      "denormalize nosuch.json", "import Fixtures/blog/posts.json/nosuch.json",
    ])
  func missingInput(line: String) throws {
    let outcome = try EntiaProcess.run(line)
    expectEqual(outcome.exitCode, 66)
    expectEqual(outcome.outputText, "")
    expectTrue(outcome.errorText.contains("no such file: '"))
    expectTrue(outcome.errorText.contains("nosuch.json'\n"))
  }

  @Test("Every missing input is listed")
  func missingInputs() throws {
    let outcome = try EntiaProcess.run("import one.json \(post) two.json --schema three.json")
    expectEqual(
      outcome.errorText,
      """
      entia import: no such file: 'one.json'
      entia import: no such file: 'two.json'
      entia import: no such file: 'three.json'

      """)
  }
}
