import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Processes that change one database at a time lose nothing.
@Suite("A database that several processes change")
struct DatabaseOutputTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try folder.write("{}", to: "db.json")
  }

  private func rows(_ name: String, _ ids: Range<Int>) throws -> String {
    let rows = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
    return try folder.write("{\"a\":[\(rows)]}", to: name)
  }

  @Test("Concurrent imports are all stored, even into a file that does not exist yet")
  func imports() throws {
    for target in ["db.json", "new.json"] {
      let running = try (0..<4).map { index in
        let input = try rows("\(index).json", index * 2000..<(index + 1) * 2000)
        return try EntiaProcess.start(["import", input, "--into", folder.path(target)])
      }
      for process in running { try expectEqual(process.outcome().exitCode, 0) }
      let outcome = try EntiaProcess.run("verify \(folder.path(target))")
      expectTrue(outcome.outputText.contains(": 8000 rows in 1 entity, no problems"))
    }
    try expectFalse(folder.names().contains { $0.hasPrefix(".") })
  }

  @Test("A waiting process reports it, and continues when the other one has finished")
  func waiting() throws {
    let input = try rows("in.json", 0..<1)
    var lock = try FileLock.take(beside: database, waits: true) {
      Issue.record("nothing to wait for")
    }
    expectTrue(lock != nil)
    let running = try EntiaProcess.start(["import", input, "--into", database])
    try EntiaProcess.wait { try running.errorText.hasSuffix("…\n") }
    try expectEqual(running.errorText, "waiting for another entia that changes '\(database)'…\n")
    try expectEqual(folder.text(of: "db.json"), "{}")
    expectTrue(running.process.isRunning)
    lock = nil
    try expectEqual(running.outcome().exitCode, 0)
    try expectEqual(folder.names(), ["db.json", "in.json"])
  }

  @Test("--no-wait is 73 at once; a dry run needs no lock")
  func noWait() throws {
    let input = try rows("in.json", 0..<1)
    let lock = try FileLock.take(beside: database, waits: true) {}
    let outcome = try EntiaProcess.run("import \(input) --into \(database) --no-wait")
    expectEqual(outcome.exitCode, 73)
    expectEqual(
      outcome.errorText, "entia import: another entia changes '\(database)'; try again later\n")
    try expectEqual(EntiaProcess.run("import \(input) --into \(database) --dry-run").exitCode, 0)
    withExtendedLifetime(lock) {}
    try expectEqual(folder.text(of: "db.json"), "{}")
  }

  @Test("One lock serves every name of a file")
  func links() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.json"), withDestinationPath: "db.json")
    let input = try rows("in.json", 0..<1)
    let lock = try FileLock.take(beside: database, waits: true) {}
    let outcome = try EntiaProcess.run(
      "import \(input) --into \(folder.path("link.json")) --no-wait")
    withExtendedLifetime(lock) {}
    expectEqual(outcome.exitCode, 73)
  }

  @Test("A lock file that a killed process left behind locks nothing")
  func crashed() throws {
    _ = try folder.write("", to: ".db.json.entia-lock")
    let input = try rows("in.json", 0..<1)
    try expectEqual(EntiaProcess.run("import \(input) --into \(database) --no-wait").exitCode, 0)
    try expectEqual(folder.names(), ["db.json", "in.json"])
  }

  @Test(
    "A file that a program without the lock changes after it was read is not overwritten",
    arguments: [false, true])
  func changed(isReplaced: Bool) throws {
    let file = try DatabaseOutput(database, ParsedArguments(), console: Console())
    if isReplaced {
      try FileManager.default.removeItem(atPath: database)
    }
    _ = try folder.write("[]", to: "db.json")
    #expect(
      throws: CommandFailure(
        .cannotWrite,
        "another program changed '\(database)' after it was read, and nothing was written; run "
          + "the command again")
    ) {
      _ = try file.write(RecordDatabase(), since: nil, console: Console())
    }
    try expectEqual(folder.text(of: "db.json"), "[]")
    try expectEqual(folder.names(), [".db.json.entia-lock", "db.json"])
  }

  @Test("A file that another program creates meanwhile is not overwritten")
  func appeared() throws {
    let path = folder.path("new.json")
    let file = try DatabaseOutput(path, ParsedArguments(), console: Console())
    _ = try folder.write("[]", to: "new.json")
    #expect(throws: CommandFailure.self) {
      _ = try file.write(RecordDatabase(), since: nil, console: Console())
    }
    try expectEqual(folder.text(of: "new.json"), "[]")
  }

  @Test("A lock file that was removed by hand is not mistaken for another process's")
  func removedByHand() throws {
    var first = try FileLock.take(beside: database, waits: false) {}
    try FileManager.default.removeItem(atPath: folder.path(".db.json.entia-lock"))
    let second = try FileLock.take(beside: database, waits: false) {}
    expectTrue(first != nil && second != nil)
    first = nil
    let third = try FileLock.take(beside: database, waits: false) {}
    expectNil(third)
    withExtendedLifetime(second) {}
  }

  @Test("A lock file is open for writing, which the locks of network file systems need")
  func writable() throws {
    for descriptor in [
      try SystemCalls.openToLock(database), try SystemCalls.openToProbe(database),
    ] {
      expectEqual(fcntl(descriptor, F_GETFL) & O_ACCMODE, O_RDWR)
      try SystemCalls.closeFile(descriptor)
    }
  }

  @Test("A descriptor that the file system cannot lock is as good as locked")
  func unlockable() throws {
    try expectTrue(SystemCalls.lock(-1, waits: false))
    #expect(throws: SystemCalls.Failure.self) { try SystemCalls.lockStrictly(-1, waits: false) }
  }
}
