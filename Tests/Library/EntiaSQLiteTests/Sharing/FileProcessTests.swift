import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Several processes that share a library in a file, and are killed and stopped.
@Suite("Laws 38 and 39 over a file, in processes", .serialized, .prompt)
struct FileProcessTests {
  static let isSlow = ProcessInfo.processInfo.environment["ENTIA_CI_SLOW"] == "1"
  static let seeds = LawRuns(count: isSlow ? 100 : 1).seeds
  static let points = ["before commit", "after commit"]

  /// Returns what `verify()` finds, without references that a library may have to missing rows.
  func problems(of library: Library) -> [String] {
    library.verify().map { "\($0)" }.filter { !$0.hasSuffix("which does not exist") }
  }

  /// Expects that a file is whole, that its library obeys the rules, that each confirmed batch is
  /// there once, and that no batch is there in part.
  func check(
    _ library: Library, of file: DatabaseFile<Library>, after children: [ChildProcess],
    _ comment: Comment
  ) throws {
    expectTrue(problems(of: library).isEmpty, comment)
    let check = try file.withTurn { try $0.connection.value("PRAGMA integrity_check") }
    expectEqual(check, .text("ok"), comment)
    let tickets = Dictionary(
      library.authors.filter { $0.name.hasPrefix("t") }.map { ($0.name, 1) }, uniquingKeysWith: +)
    expectTrue(tickets.values.allSatisfy { $0 == 2 }, comment)
    for child in children {
      expectNil(child.failure, comment)
      for name in child.confirmed where tickets["t\(name)"] != 2 {
        Issue.record("\(comment): the confirmed batch \(name) is missing")
      }
      for name in child.rejected where tickets["t\(name)"] != nil {
        Issue.record("\(comment): the rejected batch \(name) is there")
      }
    }
  }

  @Test(
    """
    Laws 38 and 39: processes that share a file and are killed, also between writing and commit, or \
    stopped, converge; every confirmed batch is there once, and none is there in part
    """, arguments: seeds)
  func converging(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    var random = SeededGenerator(seed: seed)
    var nextSeed = seed &* 1_000
    func start(dying: Bool) throws -> ChildProcess {
      nextSeed &+= 1
      let point = Self.points[random.number(in: 0..<Self.points.count)]
      return try ChildProcess(
        path, seed: nextSeed, dyingAt: dying ? (point, random.number(in: 2..<12)) : nil)
    }
    var children = try (0..<(Self.isSlow ? 8 : 3)).map { _ in try start(dying: false) }
    var former: [ChildProcess] = []
    func confirmedCount() -> Int { (children + former).reduce(0) { $0 + $1.confirmed.count } }
    func waitForProgress(_ comment: Comment) async throws {
      let before = confirmedCount()
      for _ in 0..<16_000 {
        if confirmedCount() > before + 3 { return }
        try await Task.sleep(for: .milliseconds(5))
      }
      Issue.record("seed \(seed): no progress \(comment)")
    }
    try await waitForProgress("at the start")
    let reader = ReadingThread(path) { [self] in problems(of: $0).isEmpty }
    for round in 0..<(Self.isSlow ? 100 : 8) {
      let victim = random.number(in: 0..<children.count)
      switch random.number(in: 0..<3) {
      case 0:
        children[victim].kill()
        former.append(children[victim])
        children[victim] = try start(dying: random.oneIn(2))
      case 1:
        children[victim].signal(SIGSTOP)
        try await Task.sleep(for: .milliseconds(random.number(in: 1..<80)))
        children[victim].signal(SIGCONT)
      default: break
      }
      for index in children.indices where children[index].hasEnded {
        former.append(children[index])
        children[index] = try start(dying: false)
      }
      try await waitForProgress("in round \(round)")
    }
    for child in children { try child.send() }
    for child in children {
      for _ in 0..<16_000 where !child.isStopped && !child.hasEnded {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    let readings = try await reader.stop()
    #expect(readings > 0)
    // All have the library of the file.
    let file = try DatabaseFile<Library>(path: path, configuration: .init(isReadOnly: true))
    let newest = try file.load()
    func isNewest(_ child: ChildProcess) throws -> Bool {
      guard let json = child.libraries.last else { return false }
      return try JSONDecoder().decode(Library.self, from: Data(json.utf8)) == newest
    }
    for child in children where !child.hasEnded {
      var isEqual = false
      for _ in 0..<400 where !isEqual {
        try child.send()
        try await Task.sleep(for: .milliseconds(100))
        isEqual = try isNewest(child)
      }
      expectTrue(isEqual, "seed \(seed)")
    }
    try check(newest, of: file, after: children + former, "seed \(seed)")
    for child in children { child.kill() }
    // Nothing that an ended process left keeps a sole writer out.
    try file.close()
    let sole = try DatabaseFile<Library>(path: path)
    try expectEqual(sole.load(), newest)
  }

  @Test("A line to a process that was killed is dropped; one that failed is reported as that")
  func ends() throws {
    let folder = try TemporaryFolder()
    let killed = try ChildProcess(folder.file(), seed: 1)
    killed.kill()
    try killed.send()
    expectNil(killed.failure)
    let failed = try ChildProcess("EntiaBesideChild", [])
    while !failed.hasEnded { usleep(2_000) }
    failed.kill()
    expectEqual(failed.failure, "process \(failed.identifier) ended with status 1")
  }

  @Test("A process that is stopped between transactions delays no other one, and no reader")
  func stopped() async throws {
    let folder = try TemporaryFolder()
    let first = try ChildProcess(folder.file(), seed: 1)
    let second = try ChildProcess(folder.file(), seed: 2)
    for _ in 0..<16_000 where first.confirmed.isEmpty || second.confirmed.isEmpty {
      try await Task.sleep(for: .milliseconds(5))
    }
    // The first one ends its work, and is therefore in no transaction.
    try first.send()
    for _ in 0..<16_000 where !first.isStopped { try await Task.sleep(for: .milliseconds(5)) }
    first.signal(SIGSTOP)
    let before = second.confirmed.count
    for _ in 0..<16_000 where second.confirmed.count < before + 5 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(second.confirmed.count >= before + 5)
    let reader = try DatabaseFile<Library>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    #expect(try reader.load().authors.count > 0)
    let error = #expect(throws: DatabaseFileError.isOpenElsewhere(file: folder.file())) {
      try DatabaseFile<Library>(path: folder.file())
    }
    let processes = ["in process \(first.identifier)", "in process \(second.identifier)"]
    expectTrue(processes.contains { error?.description.contains($0) == true })
    first.signal(SIGCONT)
  }
}

extension FileProcessTests {
  @Test(
    """
    While a process is stopped inside a transaction, readers go on and the status of others names \
    it; they go on when it continues or dies
    """, arguments: [SIGCONT, SIGKILL])
  func stoppedInside(signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let client = try SharedFileTests.Client(folder.file())
    try client.store.setAuthor("own", "1")
    try await client.sharing.settled()
    let child = try ChildProcess(
      "EntiaBesideChild", [folder.file(), "3", "before commit", "2", "stop"])
    var isNamed = false
    for number in 0..<4_000 where !isNamed {
      if number % 20 == 0 { try client.store.setAuthor("own", "\(number)") }
      try await Task.sleep(for: .milliseconds(10))
      if case .offline(_, let error) = client.sharing.status {
        isNamed = "\(error)".contains("process \(child.identifier) is writing it")
      }
    }
    expectTrue(isNamed, "\(client.sharing.status) \(child.identifier)")
    let reader = try DatabaseFile<Library>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    try expectTrue(reader.load().authors.find(by: "own") != nil)
    try client.store.setAuthor("own", "last")
    // The status also names a process that is only slow, and such a process stops later.
    let signals = Task {
      while !Task.isCancelled {
        child.signal(signal)
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    defer { signals.cancel() }
    try await client.sharing.settled()
    try expectEqual(reader.load().authors.find(by: "own")?.name, "last")
  }
}

/// A thread that opens and loads a file again and again, while others write it.
private final class ReadingThread: Sendable {
  private struct Contents {
    var count = 0
    var failure: String?
    var isStopping = false
    var hasEnded = false
  }

  private let contents = Mutex(Contents())

  init(_ path: String, check: @escaping @Sendable (Library) -> Bool) {
    Thread { [self] in
      while !contents.withLock({ $0.isStopping }) {
        do {
          let file = try DatabaseFile<Library>(path: path, configuration: .init(isReadOnly: true))
          let isRight = check(try file.load())
          try file.close()
          contents.withLock { contents in
            contents.count += 1
            if !isRight { contents.failure = "a version breaks a rule" }
          }
        } catch {
          contents.withLock { $0.failure = "\(error)" }
        }
        usleep(5_000)
      }
      contents.withLock { $0.hasEnded = true }
    }.start()
  }

  /// Ends the thread.
  /// - Returns: The number of versions that were read.
  func stop() async throws -> Int {
    contents.withLock { $0.isStopping = true }
    while !contents.withLock({ $0.hasEnded }) { try await Task.sleep(for: .milliseconds(5)) }
    expectNil(contents.withLock { $0.failure })
    return contents.withLock { $0.count }
  }
}
