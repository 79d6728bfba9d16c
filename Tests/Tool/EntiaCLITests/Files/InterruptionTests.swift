import EntiaTestSupport
import Foundation
import Testing

/// However a process ends, no unfinished file stays for good.
@Suite("Signals")
struct InterruptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A tool that writes for minutes, once its unfinished file is there.
  private func writing() throws -> EntiaProcess.Running {
    let running = try EntiaProcess.start([
      "generate", "--authors=100000", "--posts=50000000", "--comments=50000000", "--seed=1",
      "-o", folder.path("out.json"),
    ])
    try EntiaProcess.wait { try partials().count == 1 }
    return running
  }

  private func partials() throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".partial") }
  }

  @Test(
    "INT, TERM, HUP and QUIT remove the unfinished file and exit with 128 plus their number",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT].filter { !isIgnored($0) })
  func signals(number: Int32) throws {
    _ = try folder.write("old", to: "out.json")
    let running = try writing()
    kill(running.process.processIdentifier, number)
    let outcome = try running.outcome()
    expectEqual(running.process.terminationReason, .exit)
    expectEqual(outcome.exitCode, 128 + number)
    try expectEqual(folder.names(), ["out.json"])
    try expectEqual(folder.text(of: "out.json"), "old")
  }

  /// Whether the tests were started with a signal ignored, as in the background of a shell. Their
  /// processes ignore it then too.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = signal(number, SIG_IGN)
    signal(number, handler)
    return handler.map { unsafeBitCast($0, to: Int.self) } == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  @Test("The lock of a database is removed with it")
  func lock() throws {
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    let database = try folder.write("{}", to: "db.json")
    let running = try EntiaProcess.start(["import", pipe, "--into", database])
    try EntiaProcess.wait { try folder.names().contains(".db.json.entia-lock") }
    kill(running.process.processIdentifier, SIGTERM)
    try expectEqual(running.outcome().exitCode, 128 + SIGTERM)
    try expectEqual(folder.names(), ["db.json", "pipe"])
  }

  @Test("A signal that is ignored from the beginning, as by nohup, stays ignored")
  func ignored() throws {
    let outcome = try EntiaProcess.shell(
      "trap '' HUP; entia import - --into db.json < pipe & sleep 0.3; kill -HUP $!; "
        + "echo '{\"a\":[{\"id\":1}]}' > pipe; wait $!",
      in: try folderWithPipe())
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    try expectEqual(folder.names(), ["db.json", "pipe"])
  }

  private func folderWithPipe() throws -> TemporaryFolder {
    mkfifo(folder.path("pipe"), 0o600)
    return folder
  }

  @Test(
    "Unfinished files of killed processes are removed by the next one; those of running ones are kept"
  )
  func stale() throws {
    let killed = try writing()
    kill(killed.process.processIdentifier, SIGKILL)
    killed.process.waitUntilExit()
    try expectEqual(partials().count, 1)
    _ = try folder.write("somebody else's", to: ".entia.partial")
    let stale = try partials()
    let living = try EntiaProcess.start([
      "generate", "--authors=100000", "--posts=50000000", "--comments=50000000", "--seed=1",
      "-o", folder.path("living.json"),
    ])
    try EntiaProcess.wait { try partials().contains { !stale.contains($0) } }
    let kept = try partials().filter { !stale.contains($0) || $0 == ".entia.partial" }
    let line = "generate --authors 1 --posts 1 --comments 1 --seed 1 -o \(folder.path("new.json"))"
    try expectEqual(EntiaProcess.run(line).exitCode, 0)
    try expectEqual(partials(), kept)
    kill(living.process.processIdentifier, SIGTERM)
    try expectEqual(living.outcome().exitCode, 128 + SIGTERM)
    try expectEqual(folder.names(), [".entia.partial", "new.json"])
  }

  @Test("A closed pipe ends the tool without a message")
  func closedPipe() throws {
    let outcome = try EntiaProcess.shell(
      "{ entia generate --authors 1000 --posts 100000 --comments 100000 --seed 1; "
        + "echo $? > code; } | head -c 10",
      in: folder)
    expectEqual(outcome.outputText.utf8.count, 10)
    expectEqual(outcome.errorText, "")
    try expectEqual(folder.text(of: "code"), "73\n")
  }
}
