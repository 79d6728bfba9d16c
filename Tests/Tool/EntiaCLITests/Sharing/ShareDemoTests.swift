#if ENTIA_POSTGRESQL
  import EntiaLocalServer
  import Foundation
  import Testing

  @Suite(
    "entia share demo", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
  struct ShareDemoTests {
    private func start(_ connection: String) throws -> TypedProcess {
      let terminal = try TypedProcess(
        ["share", "demo", "--to", connection, "--space", "groceries"])
      try terminal.wait(for: "'help' lists the commands")
      return terminal
    }

    @Test("An edit in one terminal is seen in the other, also after the server was stopped")
    func terminals() async throws {
      let server = try await LocalServer()
      let connection = try server.makeEmptyDatabase()
      let first = try start(connection)
      #expect(try first.output.hasPrefix("the tables were missing, and are installed now\n"))
      let second = try start(connection)
      try first.type("add Buy milk")
      try second.wait(for: "others: added ")
      try second.type("done 1")
      try first.wait(for: "others: done ")

      server.stop()
      try first.wait(for: "\noffline: ")
      try second.wait(for: "\noffline: ")
      try first.type("add Call Bob")
      try first.type("add Water the plants")
      try second.type("edit 1 Buy oat milk")
      try first.wait(for: "Water the plants; 2 edits wait for the server\n")
      try second.wait(for: "Buy oat milk; 1 edit waits for the server\n")
      #expect(try !first.output.contains("oat"))
      try await server.start()
      for terminal in [first, second] { try terminal.wait(for: "\nonline again") }
      try first.wait(for: "others: edited ")
      try second.wait(for: "[ ] Water the plants\n")

      try first.type("undo")
      try second.wait(for: "others: removed ")
      let ends = try [first.finish(), second.finish()]
      #expect(ends.map(\.exitCode) == [0, 0])
      #expect(ends.map(\.errors) == ["", ""])
      let third = try start(connection)
      let notes = try third.output.split(separator: "\n").dropFirst()
        .map { $0.drop { $0 != "[" } }
      #expect(notes == ["[x] Buy oat milk", "[ ] Call Bob"])
      _ = try third.finish()
    }

    @Test("Commands from a pipe are run in order, and the end waits for the server")
    func pipe() async throws {
      let connection = try await LocalServer.shared().makeEmptyDatabase()
      let arguments = ["share", "demo", "--to", connection, "--space", "pipe"]
      let lines = """
        add Buy milk
        add \u{1B}[31mRed
        done 1
        edit 2 Call Bob
        undo
        redo
        undo
        remove 3
        swap 1
        list
        quit
        add Never

        """
      let outcome = try EntiaProcess.run(arguments, input: Data(lines.utf8))
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
      // IDs differ from run to run.
      let printed = outcome.outputText.split(separator: "\n").dropFirst(2).map { line in
        line.replacing(#/[a-z]{5}  \[/#, with: "ID  [")
      }
      #expect(
        printed == [
          "no notes", "added ID  [ ] Buy milk", "added ID  [ ] \u{FFFD}[31mRed",
          "done ID  [x] Buy milk", "edited ID  [ ] Call Bob", "edited ID  [ ] \u{FFFD}[31mRed",
          "edited ID  [ ] Call Bob", "edited ID  [ ] \u{FFFD}[31mRed",
          "there is no note '3'; 'list' shows the notes",
          "unknown command 'swap'; 'help' lists the commands", "1  ID  [x] Buy milk",
          "2  ID  [ ] \u{FFFD}[31mRed",
        ])
      let again = try EntiaProcess.run(arguments)
      #expect(again.outputText.split(separator: "\n").count == 3)
    }

    @Test("A server that is not there is no success, and the message names what to do")
    func missingServer() throws {
      let outcome = try EntiaProcess.run([
        "share", "demo", "--to", "host=/nonexistent user=entia dbname=app", "--space", "x",
      ])
      #expect(outcome.exitCode == 69)
      #expect(
        outcome.errorText.hasPrefix("entia share demo: the server cannot be reached: "),
        "\(outcome.errorText)")
      #expect(outcome.errorText.contains("  start it, or name another one: --to takes host="))
    }
  }
#endif
