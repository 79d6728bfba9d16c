import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

#if ENTIA_POSTGRESQL
  import EntiaLocalServer

  @Suite(
    "share install, push and pull",
    .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  struct SpaceCommandTests {
    private let folder: TemporaryFolder
    private let fixture = "Fixtures/blog/expected.json"

    init() throws { folder = try TemporaryFolder() }

    private func run(_ words: [String], exit code: Int32 = 0) throws -> EntiaProcess.Outcome {
      let outcome = try EntiaProcess.run(words)
      expectEqual(outcome.exitCode, code, "\(words): \(outcome.errorText)")
      return outcome
    }

    private func expected() throws -> Data {
      try Data(contentsOf: Repository.root.appending(path: fixture))
    }

    @Test("What was pushed is pulled byte for byte, from JSON and from SQLite")
    func roundTrip() async throws {
      let connection = try await LocalServer.shared().makeEmptyDatabase()
      let installed = try run(["share", "install", "--to", connection])
      expectEqual(installed.outputText, "the tables are installed\n")
      _ = try run(["share", "install", "--to", connection])
      let pushed = try run(["push", fixture, "--to", connection, "--space", "blog"])
      expectEqual(pushed.outputText, "pushed 22 rows into space 'blog'\n")
      expectEqual(pushed.errorText, "")
      let pulled = try run(["pull", "--from", connection, "--space", "blog"])
      try expectEqual(pulled.output, expected())
      expectEqual(pulled.errorText, "")
      let json = folder.path("blog.json")
      _ = try run(["pull", "--from", connection, "--space", "blog", "-o", json])
      try expectEqual(Data(contentsOf: URL(filePath: json)), expected())
      #if ENTIA_SQLITE
        let file = folder.path("blog.sqlite")
        _ = try run(["pull", "--from", connection, "--space", "blog", "-o", file])
        try expectEqual(run(["export", file]).output, expected())
        _ = try run(["push", file, "--to", connection, "--space", "copy"])
        try expectEqual(run(["pull", "--from", connection, "--space", "copy"]).output, expected())
      #endif
    }

    @Test("A space with rows is replaced only with --replace")
    func replace() async throws {
      let connection = try await LocalServer.shared().makeEmptyDatabase()
      _ = try run(["share", "install", "--to", connection])
      let push = ["--to", connection, "--space", "it's"]
      _ = try run(["push", fixture] + push)
      let refused = try run(["push", "Fixtures/music/expected.json"] + push, exit: 73)
      expectEqual(
        refused.errorText,
        """
        entia push: space 'it's' has 22 rows; nothing was written
          --replace replaces them; 'entia pull' saves them first

        """)
      try expectEqual(run(["pull", "--from", connection, "--space", "it's"]).output, expected())
      _ = try run(["push", "Fixtures/music/expected.json", "--replace"] + push)
      let music = try Data(
        contentsOf: Repository.root.appending(path: "Fixtures/music/expected.json"))
      try expectEqual(run(["pull", "--from", connection, "--space", "it's"]).output, music)
    }

    @Test("--print prints a script for psql, without a server")
    func print() async throws {
      let script = try run(["share", "install", "--print"]).outputText
      expectTrue(script.hasPrefix("BEGIN;") && script.contains("CREATE TABLE"))
      let server = try await LocalServer.shared()
      let connection = try server.makeEmptyDatabase()
      let name = String(connection.split(separator: "=").last ?? "")
      _ = try run(["share", "install", "--print", "--to", connection])
      let without = try run(["push", fixture, "--to", connection, "--space", "x"], exit: 69)
      expectTrue(without.errorText.contains("'entia share install --to CONNECTION'"))
      try server.query(script, database: name)
      _ = try run(["push", fixture, "--to", connection, "--space", "x"])
    }

    @Test("Every message names what to do, and none has the password")
    func errors() async throws {
      let server = try await LocalServer.shared()
      let connection = try server.makeEmptyDatabase()
      _ = try run(["share", "install", "--to", connection])
      let missing = try run(["pull", "--from", connection, "--space", "none"], exit: 66)
      expectEqual(
        missing.errorText,
        "entia pull: space 'none' does not exist, or the role may neither see nor create it\n")
      let pull = ["pull", "--space", "x", "--from"]
      for (string, advice) in [
        ("host=/nonexistent user=entia password=s3cret", "start it, or name another one: --from"),
        (server.string(database: "none") + " password=s3cret", "createdb NAME"),
        (server.string(user: "none") + " password=s3cret", "createuser NAME"),
        ("postgresql://entia:s3cret@%2Fnonexistent/app", "start it, or name another one: --from"),
        ("host=x password='s3cret", "--from takes 'postgresql://user@host/app'"),
      ] {
        let outcome = try run(pull + [string], exit: 69)
        let text = outcome.outputText + outcome.errorText
        expectTrue(text.contains(advice), "\(text)")
        expectFalse(text.contains("s3cret"), "\(text)")
        let isWarned =
          text.contains("warning: --from contains a password") && text.contains("PGPASSFILE")
        expectEqual(isWarned, !string.contains("'s3cret"), "\(text)")
      }
    }

    @Test("A missing file is reported before the server is asked")
    func missingFile() throws {
      let outcome = try run(
        ["push", "none.json", "--to", "host=/nonexistent", "--space", "x"], exit: 66)
      expectEqual(outcome.errorText, "entia push: no such file: 'none.json'\n")
    }
  }
#else
  @Suite("share install, push and pull, without libpq")
  struct SpaceCommandTests {
    @Test(
      "The commands name the package that the build lacked",
      arguments: [
        "share install --to x", "share install --print",
        "push Fixtures/blog/expected.json --to x --space y", "pull --from x --space y",
      ])
    func unavailable(_ line: String) throws {
      let outcome = try EntiaProcess.run(line)
      expectEqual(outcome.exitCode, 69)
      expectTrue(outcome.errorText.contains("libpq-dev"), "\(outcome.errorText)")
    }
  }
#endif

@Suite("Commands of two words")
struct CommandGroupTests {
  @Test("The group lists its commands, and suggests one for another word")
  func group() throws {
    let missing = try EntiaProcess.run(["share"])
    expectEqual(missing.exitCode, 64)
    expectTrue(missing.errorText.contains("missing command: share install"))
    let unknown = try EntiaProcess.run(["share", "instal"])
    expectEqual(unknown.exitCode, 64)
    expectTrue(
      unknown.errorText.contains(
        "unknown command 'share instal'; did you mean 'share install'?"))
    let near = try EntiaProcess.run(["shar", "install"])
    expectTrue(near.errorText.contains("unknown command 'shar'; did you mean 'share"))
  }

  @Test("Commands outside the group are suggested", arguments: ["push", "pull"])
  func outside(word: String) throws {
    for words in [["share", word, "--to", "x"], ["help", "share", word]] {
      let outcome = try EntiaProcess.run(words)
      expectEqual(outcome.exitCode, 64)
      expectEqual(
        outcome.errorText,
        """
        entia: unknown command 'share \(word)'; did you mean 'entia \(word)'?
        entia: 'entia --help' prints more.

        """)
    }
  }

  @Test("Each has its help, and the group too")
  func help() throws {
    for words in [["share", "install", "--help"], ["help", "share", "install"]] {
      let outcome = try EntiaProcess.run(words)
      expectEqual(outcome.exitCode, 0)
      expectTrue(outcome.outputText.contains("entia share install [--to CONNECTION] [--print]"))
    }
    for words in [["share", "--help"], ["help", "share"]] {
      let outcome = try EntiaProcess.run(words)
      expectEqual(outcome.exitCode, 0)
      expectTrue(
        outcome.outputText.contains("share install") && !outcome.outputText.contains("import"))
    }
  }

  @Test("What is missing is usage, without libpq too")
  func usage() throws {
    try expectTrue(EntiaProcess.run("pull --from x").errorText.contains("missing --space NAME"))
    try expectTrue(
      EntiaProcess.run("pull --space x").errorText.contains("missing --from CONNECTION"))
    try expectEqual(EntiaProcess.run("push").exitCode, 64)
  }

  @Test("The commands of the article on sharing are commands of the tool")
  func article() throws {
    let article = try String(
      contentsOf: Repository.root.appending(
        path: "Sources/Library/Entia/Entia.docc/Concepts/Sharing.md"), encoding: .utf8)
    let section = try #require(article.components(separatedBy: "\n## Try it\n").last)
      .components(separatedBy: "\n## ")[0]
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("$ entia ") }
    expectEqual(lines.count, 2)
    for line in lines {
      let words = line.split(separator: " ").dropFirst(2).map(String.init)
      let description = try #require(
        EntiaCommand.commands.map { $0.description }.first {
          words.joined(separator: " ").hasPrefix($0.name + " ")
        })
      let rest = words.dropFirst(description.name.split(separator: " ").count)
      let parsed = ArgumentParser.parse(Array(rest), as: description)
      expectTrue(parsed.problems.isEmpty, "\(line)")
    }
  }
}
