import EntiaStore
import EntiaSystemSQLite
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The lock of a file among processes")
struct FileLockTests {
  func makeFile(_ folder: TemporaryFolder) throws -> String {
    let path = folder.file()
    try #require(FileManager.default.createFile(atPath: path, contents: Data("x".utf8)))
    return path
  }

  @Test("A sole writer excludes all others, and is named", .prompt)
  func sole() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    var lock: FileLock? = try FileLock.sole(path)
    expectEqual(FileLock.user(of: path)?.process, getpid())
    for attempt in [FileLock.sole, FileLock.shared] {
      let held = #expect(throws: FileLock.Held.self) { _ = try attempt(path) }
      expectEqual(held?.user?.process, getpid())
      expectEqual(held?.user?.kind, .sole)
    }
    lock = nil
    withExtendedLifetime(lock) {}
    expectNil(FileLock.user(of: path))
    expectFalse(FileManager.default.fileExists(atPath: FileLock.path(of: path)))
    _ = try FileLock.sole(path)
  }

  @Test("Sharing processes exclude a sole writer, and each other only in transactions", .prompt)
  func shared() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    var first: FileLock? = try FileLock.shared(path)
    let second = try FileLock.shared(path)
    let held = #expect(throws: FileLock.Held.self) { _ = try FileLock.sole(path) }
    expectEqual(held?.user?.kind, .shared)
    try second.withLock {
      let inside = #expect(throws: FileLock.Held.self) { try first?.withLock {} }
      expectEqual(inside?.user?.kind, .transaction)
      expectEqual(inside?.user?.process, getpid())
    }
    try expectEqual(first?.withLock { 1 }, 1)
    first = nil
    withExtendedLifetime(first) {}
    #expect(throws: FileLock.Held.self) { _ = try FileLock.sole(path) }
    withExtendedLifetime(second) {}
  }

  #if os(Linux)
    @Test("A transaction that cannot begin, because the disk is full, keeps no other one out")
    func fullDisk() throws {
      let folder = try TemporaryFolder()
      let path = try makeFile(folder)
      let lock = try FileLock.shared(path)
      let file = FileLock.path(of: path)
      try FileManager.default.removeItem(atPath: file)
      // Whatever is written to this device, the disk is full.
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/full")
      #expect(throws: FileLock.Failure.self) { try lock.withLock { Issue.record("it began") } }
      let other = open("/dev/full", O_RDWR | O_CLOEXEC)
      expectEqual(flock(other, LOCK_EX | LOCK_NB), 0)
      close(other)
      try FileManager.default.removeItem(atPath: file)
      try expectEqual(lock.withLock { 1 }, 1)
    }
  #endif

  @Test("A process that writes without a pause lets another one write that waits", .prompt)
  func fairness() async throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    let counts = Mutex((transactions: 0, isStopping: false, hasEnded: false))
    let busy = try FileLock.shared(path)
    Thread { [busy = SendableLock(value: busy)] in
      while !counts.withLock({ $0.isStopping }) {
        do {
          try busy.value.withLock {
            counts.withLock { $0.transactions += 1 }
            usleep(20_000)
          }
        } catch {
          // The other object has the lock for a moment only.
          continue
        }
      }
      counts.withLock { $0.hasEnded = true }
    }.start()
    let waiting = try FileLock.shared(path)
    var overtaken = 0
    for _ in 0..<10 {
      // Each wait begins inside a transaction of the other object.
      let former = counts.withLock { $0.transactions }
      while counts.withLock({ $0.transactions }) == former { usleep(200) }
      let start = counts.withLock { $0.transactions }
      try waiting.withLock {}
      overtaken += counts.withLock { $0.transactions } - start
    }
    // A process is given way after it has waited for 50 milliseconds.
    #expect(overtaken < 60)
    counts.withLock { $0.isStopping = true }
    while !counts.withLock({ $0.hasEnded }) { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("A process that is stopped while it waits delays another one once", .prompt)
  func stoppedWaiter() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    let lock = try FileLock.shared(path)
    let waiter = open(FileLock.path(of: path), O_RDONLY | O_CLOEXEC)
    defer { close(waiter) }
    entia_set_mark(waiter, entia_waiter, 1)
    let clock = ContinuousClock()
    let first = try clock.measure { try lock.withLock {} }
    let rest = try clock.measure { for _ in 0..<100 { try lock.withLock {} } }
    #if os(Linux)
      #expect(first >= .milliseconds(100))
    #endif
    #expect(rest < .seconds(5))
    // A later process that waits is given way again.
    entia_set_mark(waiter, entia_waiter, 0)
    try lock.withLock {}
    entia_set_mark(waiter, entia_waiter, 1)
    #if os(Linux)
      #expect(try clock.measure { try lock.withLock {} } >= .milliseconds(100))
    #endif
  }

  @Test("An object that is released during another transaction is in the list no longer")
  func releasedDuringTransaction() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    let second = try FileLock.shared(path)
    var first: FileLock? = try FileLock.shared(path)
    // The transaction lasts as long as the release waits.
    try second.withLock { first = nil }
    withExtendedLifetime(first) {}
    expectEqual(LockFileText(path: FileLock.path(of: path))?.sharers.filter(\.isAlive).count, 1)
    let third = try FileLock.shared(path)
    expectEqual(LockFileText(path: FileLock.path(of: path))?.sharers.count, 2)
    withExtendedLifetime((second, third)) {}
  }

  @Test("A file can be opened by a sole writer when a release during a transaction was too late")
  func soleAfterLateRelease() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    var second: FileLock? = try FileLock.shared(path)
    var first: FileLock? = try FileLock.shared(path)
    try second?.withLock { first = nil }
    withExtendedLifetime(first) {}
    second = nil
    withExtendedLifetime(second) {}
    _ = try FileLock.sole(path)
  }

  @Test("A lock file that was removed protects nothing: the next transaction creates it")
  func removed() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    let lock = try FileLock.shared(path)
    try FileManager.default.removeItem(atPath: FileLock.path(of: path))
    try lock.withLock {
      expectTrue(FileManager.default.fileExists(atPath: FileLock.path(of: path)))
      #expect(throws: FileLock.Held.self) { _ = try FileLock.sole(path) }
    }
  }

  @Test("Lines of processes that have ended, and lines of other versions, are ignored")
  func ended() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    // The first process is not ours, and the second has ended and its number is used again.
    let text = """
      sole 1073741823 5 0\(String(repeating: " ", count: 44))
      shared 1073741822 7 1
      shared \(getpid()) 1 2
      unknown line
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: FileLock.path(of: path)))
    #if os(Linux)
      expectNil(FileLock.user(of: path))
      _ = try FileLock.sole(path)
    #endif
  }

  #if os(Linux)
    @Test("A process that has ended is not alive, although its parent has not waited for it")
    func unnoticedEnd() throws {
      let program = strdup("/bin/true")
      defer { free(program) }
      var process: pid_t = 0
      try #require(posix_spawn(&process, "/bin/true", nil, nil, [program, nil], nil) == 0)
      defer { waitpid(process, nil, 0) }
      var info = siginfo_t()
      try #require(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == 0)
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      let fields = try #require(text.split(separator: ")").last).split(separator: " ")
      let user = try #require(FileUser(line: "sole \(process) \(fields[19]) 0"))
      expectFalse(user.isAlive)
    }
  #endif

  @Test("The lock has the permissions of the database")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let path = try makeFile(folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let lock = try FileLock.sole(path)
    func permissions() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: lock.path)[.posixPermissions] as? Int
    }
    try expectEqual(permissions(), 0o640)
    // The file is created again.
    try FileManager.default.removeItem(atPath: lock.path)
    try lock.renew()
    try expectEqual(permissions(), 0o640)
  }
}

/// A lock that one thread uses.
private struct SendableLock: @unchecked Sendable {
  let value: FileLock
}
