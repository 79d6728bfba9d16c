import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("One file, several writers and readers")
struct SharedFileTests {
  typealias File = DatabaseFile<Library>

  /// A store with its own connection to a file, as a process has it.
  struct Client {
    let file: File
    let store: SharedStore<Library>
    let sharing: DatabaseSharing<Library>

    init(_ path: String) throws {
      file = try File(path: path, configuration: .init(access: .shared))
      store = SharedStore(initialState: SharedState(storage: try file.load()))
      sharing = try store.share(\.storage, through: file)
    }
  }

  static let readOnly = DatabaseFileConfiguration(isReadOnly: true)

  /// Waits until a condition holds.
  func wait(_ comment: Comment? = nil, until condition: () throws -> Bool) async throws {
    for _ in 0..<2_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("the condition never holds; \(comment ?? "")")
  }

  @Test("Commits of several clients reach each other and the file, also after a restart")
  func several() async throws {
    let folder = try TemporaryFolder()
    let first = try Client(folder.file())
    let second = try Client(folder.file())
    try first.store.setAuthor("a", "Anna")
    try await first.sharing.saved()
    try second.store.setAuthor("b", "Bert")
    try await second.sharing.saved()
    try first.store.setBook("Title", by: "b")
    try await first.sharing.settled()
    try await wait { second.store.state == first.store.state }
    expectEqual(second.store.author("a"), "Anna")
    expectEqual(first.store.author("b"), "Bert")
    expectEqual(second.sharing.status, .live)
    // Both changed the same row: the second one is rebased.
    try first.store.setAuthor("a", "1")
    try await first.sharing.settled()
    try second.store.setAuthor("c", "2")
    try await second.sharing.settled()
    try await wait { first.store.author("c") == "2" && second.store.author("a") == "1" }
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    try expectEqual(reader.load(), first.store.state.storage)
    try expectTrue(reader.load().verify().isEmpty)
    try first.file.close()
    try second.file.close()
    let again = try File(path: folder.file())
    try expectEqual(again.load(), first.store.state.storage)
  }

  @Test("A batch that breaks a rule after the batches of another client is rejected and reverted")
  func rejection() async throws {
    let folder = try TemporaryFolder()
    let first = try Client(folder.file())
    let second = try Client(folder.file())
    let errors = Mutex<[String]>([])
    second.sharing.onRejection { _, error in errors.withLock { $0.append("\(error)") } }
    try first.store.setAuthor("a", "Anna")
    try await first.sharing.settled()
    try await wait { second.store.author("a") == "Anna" }
    // Both commit before either is written.
    try first.store.edit { $0.modifying.authors.remove("a") }
    try second.store.setAuthor("a", "Other")
    try await first.sharing.settled()
    try await second.sharing.settled()
    try await wait { first.store.state == second.store.state }
    #expect(errors.withLock { $0.count } <= 1)
    try expectEqual(first.file.load(), first.store.state.storage)
  }

  @Test("A sole writer and sharing processes refuse each other, and name the process", .prompt)
  func refused() async throws {
    let folder = try TemporaryFolder()
    var sole: File? = try File(path: folder.file())
    let error = #expect(throws: DatabaseFileError.isOpenElsewhere(file: folder.file())) {
      try File(path: folder.file(), configuration: .init(access: .shared))
    }
    expectEqual(error?.description.contains("elsewhere in this process (\(getpid()))"), true)
    try sole?.save(Library())
    #expect(throws: SharedDatabaseError.self) {
      try SharedStore(initialState: SharedState(storage: try sole!.load()))
        .share(\.storage, through: sole!)
    }
    sole = nil
    withExtendedLifetime(sole) {}
    let client = try Client(folder.file())
    #expect(throws: DatabaseFileError.isOpenElsewhere(file: folder.file())) {
      try File(path: folder.file())
    }
    #expect(throws: DatabaseFileError.isShared(file: folder.file())) {
      try client.file.save(Library())
    }
    #expect(throws: DatabaseFileError.isShared(file: folder.file())) {
      try client.store.keep(\.storage, in: client.file)
    }
    try client.store.setAuthor("a", "A")
    try await client.sharing.settled()
    try client.file.close()
    try client.store.setAuthor("b", "B")
    let closed = await #expect(throws: SharedDatabaseError.self) {
      try await client.sharing.settled()
    }
    expectEqual(closed, .isClosed(space: folder.file()))
    try expectEqual(File(path: folder.file()).load().authors.count, 1)
  }

  @Test("A store that begins to follow receives what was written since its load", arguments: 1...3)
  func followLater(times: Int) async throws {
    let folder = try TemporaryFolder()
    let client = try Client(folder.file())
    try client.store.setAuthor("a", "0")
    try await client.sharing.settled()
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    let state = SharedState(storage: try reader.load())
    for number in 1...20 { try client.store.setAuthor("a", "\(number)") }
    try await client.sharing.settled()
    // Each begins at the version that the reader has loaded.
    for _ in 0..<times {
      let store = SharedStore<Library>(initialState: state)
      let following = try store.follow(\.storage, in: reader)
      try await wait { store.author("a") == "20" }
      following.close()
    }
  }

  @Test("A part is followed again once the result of another load is committed to it")
  func followAgain() async throws {
    let folder = try TemporaryFolder()
    let client = try Client(folder.file())
    try client.store.setAuthor("a", "0")
    try await client.sharing.settled()
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    let store = SharedStore<Library>(initialState: SharedState(storage: try reader.load()))
    var following = try store.follow(\.storage, in: reader)
    for name in ["1", "2", "3"] {
      try client.store.setAuthor("a", name)
      try await wait { store.author("a") == name }
      following.close()
      let error = #expect(throws: SharedDatabaseError.self) {
        try store.follow(\.storage, in: reader)
      }
      expectEqual(error?.description.hasSuffix("commit that result to the part"), true)
      let loaded = try reader.load()
      store.commit { $0.storage = loaded }
      following = try store.follow(\.storage, in: reader)
    }
    following.close()
  }

  @Test("Readers open the file beside a writer, and follow it by its changes")
  func follow() async throws {
    let folder = try TemporaryFolder()
    let file = try File(path: folder.file())
    let writer = SharedStore<Library>(initialState: SharedState(storage: try file.load()))
    let keeper = try writer.keep(\.storage, in: file)
    try writer.setAuthor("a", "1")
    try await keeper.saved()
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    let store = SharedStore<Library>(initialState: SharedState(storage: try reader.load()))
    expectEqual(store.author("a"), "1")
    let following = try store.follow(\.storage, in: reader)
    let changed = Mutex<[String]>([])
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { changes in
      guard let previous = changes.previous else { return }
      let ids = changes.primitive.storage.changes(since: previous.primitive.storage)
        .changes(of: Author.self)
      changed.withLock { $0 += (ids.inserted + ids.updated.map(\.new)).map(\.name) }
    }
    for name in ["2", "3", "4"] {
      try writer.setAuthor(name == "3" ? "b" : "a", name)
      try await keeper.saved()
      try await wait { store.state.storage == writer.state.storage }
    }
    expectEqual(changed.withLock { $0 }, ["2", "3", "4"])
    // A local change is reverted.
    let rejected = Mutex(0)
    following.onRejection { _, error in
      expectTrue(error is SharedDatabaseError)
      rejected.withLock { $0 += 1 }
    }
    try store.setAuthor("local", "x")
    try await wait { rejected.withLock { $0 } == 1 }
    expectNil(store.author("local"))
    // A save with more changes than the log keeps.
    try writer.edit { context in
      for number in 0..<2_000 {
        context.modifying.authors.insert(Author(id: "n\(number)", name: "n"))
      }
    }
    try await keeper.saved()
    try await wait { store.state.storage == writer.state.storage }
    // What a program without Entia changes is loaded, too.
    try await wait { following.status == .live }
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    other.logEnding = .kept
    try other.execute("UPDATE authors SET name='elsewhere' WHERE id='a'")
    try await wait { store.author("a") == "elsewhere" }
    try other.close()
    try writer.setAuthor("b", "after")
    try await keeper.saved()
    try await wait { store.author("b") == "after" && store.author("a") == "elsewhere" }
    subscription.cancel()
    withExtendedLifetime(following) {}
  }

  @Test("The versions of a reader begin with the current one, and share unchanged rows")
  func versions() async throws {
    let folder = try TemporaryFolder()
    let file = try File(path: folder.file())
    var library = Library()
    try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a", name: "0")) }
    try file.save(library)
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    var iterator = reader.versions.makeAsyncIterator()
    var former = try #require(try await iterator.next())
    expectEqual(former, library)
    for number in 1...20 {
      try library.performBatchUpdates {
        $0.modifying.authors.insert(Author(id: "a", name: "\(number)"))
        $0.modifying.authors.insert(Author(id: "b\(number)", name: ""))
      }
      try file.save(library)
      let version = try #require(try await iterator.next())
      expectEqual(version, library)
      expectEqual(version.changes(since: former).changes(of: Author.self).inserted.count, 1)
      former = version
    }
    let task = Task { [iterator] in
      var iterator = iterator
      return try await iterator.next()
    }
    task.cancel()
    try await expectNil(task.value)
  }

  @Test("A sole writer logs the changes of its saves while a process follows, and only then")
  func unfollowed() throws {
    let folder = try TemporaryFolder()
    let file = try File(path: folder.file())
    var library = Library()
    func save(_ name: String) throws {
      try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a", name: name)) }
      try file.save(library)
    }
    func logged() throws -> [String] {
      try file.withTurn { file in
        guard
          try file.connection.value(
            "SELECT 1 FROM sqlite_schema WHERE name='entia_log'") != nil
        else { return [] }
        let rows = try file.connection.prepare(
          "SELECT version || ' ' || (changes IS NOT NULL) FROM entia_log ORDER BY version")
        var lines: [String] = []
        while try rows.step() { lines.append(rows.text(at: 0)) }
        return lines
      }
    }
    for name in ["1", "2", "3"] { try save(name) }
    try expectEqual(logged(), [])
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    var log: FileLog<Library>? = FileLog(reader, isReadOnly: true)
    // The changes before the first version are not logged.
    for name in ["4", "5"] { try save(name) }
    try expectEqual(logged(), ["1 0", "2 1"])
    log = nil
    withExtendedLifetime(log) {}
    for name in ["6", "7"] { try save(name) }
    try expectEqual(logged(), ["1 0", "2 1"])
    log = FileLog(reader, isReadOnly: true)
    for name in ["8", "9"] { try save(name) }
    try expectEqual(logged(), ["1 0", "2 1", "3 0", "4 1"])
    try file.close()
    // The mark is set anew on the lock file of the next writer.
    let follower = FileLog(reader, isReadOnly: true)
    let next = try File(path: folder.file())
    try expectEqual(next.load(), library)
    withExtendedLifetime(follower) {}
  }

  @Test("A follower that begins before the writer moves by its changes")
  func early() async throws {
    let folder = try TemporaryFolder()
    var library = Library()
    func save(_ name: String, _ file: File) throws {
      try library.performBatchUpdates { $0.modifying.authors.insert(Author(id: "a", name: name)) }
      try file.save(library)
    }
    try save("0", try File(path: folder.file()))
    let reader = try File(path: folder.file(), configuration: Self.readOnly)
    var iterator = reader.versions.makeAsyncIterator()
    try await expectEqual(iterator.next(), library)
    var file = try File(path: folder.file())
    _ = try file.load()
    for number in 1...6 {
      // A new process, with a new lock file.
      if number == 4 {
        try file.close()
        file = try File(path: folder.file())
        _ = try file.load()
      }
      // The follower notices the lock file.
      for _ in 0..<4_000 where try !file.withTurn({ $0.connection.lock?.hasFollowers ?? false }) {
        try await Task.sleep(for: .milliseconds(5))
      }
      try save("\(number)", file)
      try await expectEqual(iterator.next(), library)
    }
    let changes = try file.withTurn {
      try $0.connection.value("SELECT count(*) FROM entia_log WHERE changes IS NOT NULL")
    }
    guard case .integer(let count) = changes else {
      Issue.record("\(String(describing: changes))")
      return
    }
    // All but the first of each writer.
    expectEqual(count, 4)
  }

  @Test("The log keeps a bounded number of versions; a client that slept loads the file again")
  func trimmed() async throws {
    let folder = try TemporaryFolder()
    let client = try Client(folder.file())
    let sleeper = try File(path: folder.file(), configuration: Self.readOnly)
    _ = try sleeper.load()
    let log = FileLog(sleeper, isReadOnly: true)
    let start = try #require(log.lastLoaded)
    for number in 0..<1_300 {
      try client.store.setAuthor("a\(number % 5)", "\(number)")
      if number % 50 == 0 { try await client.sharing.settled() }
      try await Task.sleep(for: .microseconds(100))
    }
    try await client.sharing.settled()
    let count = try client.file.withTurn {
      try $0.connection.value("SELECT count(*) FROM entia_log WHERE changes IS NOT NULL")
    }
    guard case .integer(let kept) = count else {
      Issue.record("\(String(describing: count))")
      return
    }
    #expect(kept <= ChangeLog.maximumCount + 64)
    let newest = try await log.newest(after: start)
    expectEqual(newest.storage, client.store.state.storage)
  }

  @Test("Of two processes inside a transaction, one waits, and its status names the other")
  func waiting() async throws {
    let folder = try TemporaryFolder()
    let client = try Client(folder.file())
    try client.store.setAuthor("a", "A")
    try await client.sharing.settled()
    let stopped = try FileLock.shared(folder.file())
    try await whileHeld(stopped) {
      try client.store.setAuthor("b", "B")
      try await wait {
        guard case .offline(_, let error) = client.sharing.status else { return false }
        return "\(error)".contains("process \(getpid()) is writing it")
      }
      // Readers do not wait.
      let reader = try File(path: folder.file(), configuration: Self.readOnly)
      try expectEqual(reader.load().authors.count, 1)
    }
    try await client.sharing.settled()
    try expectEqual(client.file.load().authors.count, 2)
  }

  /// Runs a body while another process seems to be inside a transaction.
  private func whileHeld(
    _ lock: FileLock, _ body: () async throws -> Void
  ) async throws {
    let path = lock.path
    let descriptor = open(path, O_RDWR)
    try #require(flock(descriptor, LOCK_EX) == 0)
    let line = FileUser(.transaction).line(length: LockFileText.holderLength)
    expectEqual(pwrite(descriptor, line, line.count, 0), line.count)
    try await body()
    _ = Foundation.close(descriptor)
    withExtendedLifetime(lock) {}
  }
}
