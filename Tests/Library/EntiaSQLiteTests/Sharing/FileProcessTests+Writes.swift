import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

extension FileProcessTests {
  @Test(
    """
    Laws 38 and 39: of a process that is killed or stopped at any of its writes, nothing confirmed \
    is lost and nothing is there in part; readers read meanwhile, and others go on
    """, arguments: [SIGKILL, SIGSTOP])
  func everyWrite(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let client = try SharedFileTests.Client(folder.file())
    let reader = try DatabaseFile<Library>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    var children: [ChildProcess] = []
    // Unless the tests are scaled, every third write; which ones differs between the signals.
    let (first, step) = isScaled || Self.isSlow ? (1, 1) : (signal == SIGSTOP ? 2 : 1, 3)
    for write in stride(from: first, through: Self.isSlow ? 5_000 : max(50, scaled(50)), by: step) {
      let arguments = [folder.file(), "\(write)", "write", "\(write)"]
      let child = try ChildProcess(
        "EntiaBesideChild", signal == SIGSTOP ? arguments + ["stop"] : arguments)
      children.append(child)
      for _ in 0..<16_000 where !child.hasEnded && !child.isSuspended {
        try await Task.sleep(for: .milliseconds(2))
      }
      expectTrue(signal == SIGSTOP ? child.isSuspended : child.hasEnded, "write \(write)")
      expectTrue(problems(of: try reader.load()).isEmpty, "write \(write)")
      try client.store.setAuthor("own", "\(write)")
      child.signal(SIGCONT)
      try await client.sharing.settled()
      child.kill()
      expectEqual(client.store.author("own"), "\(write)")
    }
    let newest = try reader.load()
    expectEqual(newest.authors.find(by: "own")?.name, client.store.author("own"))
    expectTrue(children.contains { !$0.confirmed.isEmpty })
    try check(newest, of: reader, after: children, "signal \(signal)")
    try client.file.close()
    try expectEqual(DatabaseFile<Library>(path: folder.file()).load(), newest)
  }

  #if os(Linux)
    /// Dispatch itself wakes one thread of each process once a second, to count busy threads.
    @Test("Idle processes that share a file are woken by nothing of Entia's", .prompt)
    func idle() async throws {
      let folder = try TemporaryFolder()
      let children = try (1...2).map { try ChildProcess(folder.file(), seed: $0) }
      for child in children {
        for _ in 0..<16_000 where child.confirmed.isEmpty {
          try await Task.sleep(for: .milliseconds(5))
        }
        try child.send()
      }
      for child in children {
        for _ in 0..<16_000 where !child.isStopped { try await Task.sleep(for: .milliseconds(5)) }
      }
      // What both have written is read by the other, and idle threads of the runtime end.
      var (before, now) = ([0], [0])
      for _ in 0..<30 {
        before = try children.map { try wakeUps(of: $0) }
        try await Task.sleep(for: .seconds(1))
        now = try children.map { try wakeUps(of: $0) }
        if zip(now, before).allSatisfy({ $0 - $1 <= 1 }) { return }
      }
      Issue.record("the processes were woken \(zip(now, before).map(-)) times in the last second")
    }

    /// Returns how often the threads of a process have waited.
    private func wakeUps(of child: ChildProcess) throws -> Int {
      let folder = "/proc/\(child.identifier)/task"
      let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
      return try threads.reduce(0) { sum, thread in
        let status = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
      }
    }
  #endif
}
