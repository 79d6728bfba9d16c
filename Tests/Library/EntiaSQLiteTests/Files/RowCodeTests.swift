import EntiaDatabase
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// A row whose coding calls hooks.
struct HookedRow: EntityType, Identifiable, Codable {
  struct Hooks: Sendable {
    var encode: (@Sendable () throws -> Void)?
    var decode: (@Sendable () throws -> Void)?
  }

  /// The hooks of the current task's test, by the text of the rows.
  static let hooks = Mutex<[String: Hooks]>([:])

  let id: Int
  var test: String

  init(id: Int, test: String) { (self.id, self.test) = (id, test) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    test = try container.decode(String.self, forKey: .test)
    try Self.hooks.withLock { [test] in $0[test]?.decode }?()
  }

  func encode(to encoder: any Encoder) throws {
    try Self.hooks.withLock { $0[test]?.encode }?()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(test, forKey: .test)
  }

  private enum CodingKeys: CodingKey { case id, test }
}

struct HookedRows: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<HookedRow>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("rows", \.rows) }
  }

  var snapshot = Snapshot(Contents())
  var rows: Tables.Hash<HookedRow> { snapshot.contents.rows }

  mutating func insert(_ id: Int, _ test: String) {
    performBatchUpdates { $0.modifying.rows.insert(HookedRow(id: id, test: test)) }
  }
}

@Suite("Code of rows that uses the file or the store")
struct RowCodeTests {
  typealias RowStore = Store<HookedRows, Never>

  /// Runs bodies on a thread each, and fails if they do not end.
  func run(_ bodies: (@Sendable () throws -> Void)...) {
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread {
        do { try body() } catch { Issue.record(error) }
        group.leave()
      }.start()
    }
    expectEqual(group.wait(timeout: .now() + 30), .success, "a thread waits for ever")
  }

  @Test("The encoding of a row of a shared batch uses the file")
  func pushing() async throws {
    let test = "pushing"
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<HookedRows>(
      path: folder.file(), configuration: .init(access: .shared))
    let log = FileLog(file, isReadOnly: false)
    let base = try await log.loadVersion()
    let count = Mutex(0)
    HookedRow.hooks.withLock {
      $0[test] = .init(encode: {
        let found = try file.load().rows
        expectTrue(found.isEmpty)
        count.withLock { $0 += 1 }
      })
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    var rows = base.storage
    rows.insert(1, test)
    let outcome = try await log.push(
      rows.changes(since: base.storage), from: base.storage, to: rows, client: ClientID(),
      mutation: 1, base: base.position)
    guard case .committed = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(count.withLock { $0 } >= 2)
    try expectEqual(file.load(), rows)
  }

  @Test("The encoding of a row uses the file; only calls that wait for the save are refused")
  func encoding() throws {
    let test = "encoding"
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<HookedRows>(path: folder.file())
    let part = try DatabaseFile<HookedRows>(named: "part", in: file)
    var rows = HookedRows()
    rows.insert(1, "before")
    try file.save(rows)
    let store = RowStore(initialState: HookedRows())
    let copy = folder.file("copy.sqlite")
    let errors = Collected<DatabaseFileError>()
    let calls: [@Sendable () throws -> Void] = [
      { try file.save(HookedRows()) }, { try part.save(HookedRows()) },
      { _ = try file.unclaimed }, { try file.close() }, { _ = try store.keep(\.self, in: part) },
    ]
    HookedRow.hooks.withLock { [rows] in
      $0[test] = .init(encode: {
        for call in calls {
          do {
            try call()
            Issue.record("a call was not refused")
          } catch let error as DatabaseFileError { errors.append(error) }
        }
        try expectEqual(file.load(), rows)
        try expectTrue(part.load().rows.isEmpty)
        try file.compact()
        try file.backup(to: copy)
        try expectTrue(DatabaseFile<HookedRows>(named: "other", in: file).load().rows.isEmpty)
      })
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    rows.insert(2, test)
    try file.save(rows)
    expectEqual(errors.all, Array(repeating: .isBusy(file: file.path), count: calls.count))
    expectTrue("\(errors.all[0])".contains("make it later"))
    HookedRow.hooks.withLock { $0[test] = nil }
    try expectEqual(file.load(), rows)
    try expectEqual(DatabaseFile<HookedRows>(path: copy).load().rows.map(\.id), [1])
    rows.insert(3, "after")
    try file.save(rows)
    try expectEqual(file.load(), rows)
  }

  @Test("A save larger than the limit encodes the other rows in its turn, and saves all")
  func largeSave() throws {
    let file = try DatabaseFile<HookedRows>.inMemory()
    let test = "large"
    var rows = HookedRows()
    let text = String(repeating: "x", count: RowEncoder.sizeLimit / 4)
    for id in 0..<6 { rows.insert(id, id < 4 ? text : test) }
    let errors = Collected<DatabaseFileError>()
    HookedRow.hooks.withLock {
      $0[test] = .init(encode: {
        do { _ = try file.load() } catch let error as DatabaseFileError { errors.append(error) }
      })
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    try file.save(rows)
    expectEqual(errors.all, Array(repeating: .isBusy(file: ":memory:"), count: 2))
    HookedRow.hooks.withLock { $0[test] = nil }
    try expectEqual(file.load(), rows)
    rows.performBatchUpdates { context in
      for id in 0..<6 { context.modifying.rows.updateIfExists(id: .init(id)) { $0.test += "y" } }
    }
    rows.insert(6, "new")
    try file.save(rows)
    try expectEqual(file.load(), rows)
  }

  /// Sets a hook that the first decoding of a row of a test calls.
  private func onFirstDecoding(_ test: String, _ body: @escaping @Sendable () throws -> Void) {
    let isFirst = Mutex(true)
    let hook: @Sendable () throws -> Void = {
      let mustCall = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if mustCall { try body() }
    }
    HookedRow.hooks.withLock { $0[test] = .init(decode: hook) }
  }

  @Test("The decoding of a row uses the file; only a load of its own storage is refused")
  func decoding() throws {
    let test = "decoding"
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<HookedRows>(path: folder.file())
    let part = try DatabaseFile<HookedRows>(named: "part", in: file)
    let store = RowStore(initialState: HookedRows())
    var rows = HookedRows()
    rows.insert(1, test)
    try file.save(rows)
    let errors = Collected<DatabaseFileError>()
    let keepers = Collected<DatabaseKeeper>()
    let copy = folder.file("copy.sqlite")
    onFirstDecoding(test) { [rows] in
      do { _ = try file.load() } catch let error as DatabaseFileError { errors.append(error) }
      try expectTrue(part.load().rows.isEmpty)
      try expectTrue(file.unclaimed.isEmpty)
      try file.backup(to: copy)
      try file.compact()
      let other = try DatabaseFile<HookedRows>(named: "other", in: file)
      try other.save(rows)
      keepers.append(try store.keep(\.self, in: part))
      store.commit { $0.insert(7, "kept") }
      try keepers.all[0].flush(timeout: .seconds(30))
      var more = rows
      more.insert(2, "more")
      try file.save(more)
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    let loaded = try file.load()
    expectEqual(errors.all, [.isBusy(file: file.path)])
    // The version after the row's own save.
    expectEqual(loaded.rows.map(\.id), [1, 2])
    rows.insert(3, "last")
    try file.save(rows)
    try expectEqual(file.load(), rows)
    try expectEqual(part.load().rows.map(\.id), [7])
    try expectEqual(DatabaseFile<HookedRows>(path: copy).load().rows.map(\.id), [1])
  }

  @Test("A load returns one version, when the file changes while its rows are decoded")
  func changedWhileLoading() throws {
    let test = "changed"
    let file = try DatabaseFile<HookedRows>.inMemory()
    var rows = HookedRows()
    for id in 0..<(3 * RowChunk.rowLimit) { rows.insert(id, test) }
    try file.save(rows)
    onFirstDecoding(test) { [rows] in
      var changed = rows
      changed.performBatchUpdates { context in
        for id in [0, 2 * RowChunk.rowLimit] {
          context.modifying.rows.updateIfExists(id: .init(id)) { $0.test = "new" }
        }
      }
      try file.save(changed)
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    let loaded = try file.load()
    expectEqual(loaded.rows.filter { $0.test == "new" }.map(\.id), [0, 2 * RowChunk.rowLimit])
    // It is the version from which the next save is compared.
    try file.save(rows)
    try expectEqual(file.load(), rows)
  }

  @Test("A load whose rows change the file each time ends, and so does one whose row closes it")
  func changedAlways() throws {
    let test = "always"
    let file = try DatabaseFile<HookedRows>.inMemory()
    var rows = HookedRows()
    rows.insert(1, test)
    try file.save(rows)
    let errors = Collected<DatabaseFileError>()
    let saves = Collected<Int>()
    HookedRow.hooks.withLock { [rows] in
      $0[test] = .init(decode: {
        var changed = rows
        changed.insert(2, "\(saves.all.count)")
        do {
          try file.save(changed)
          saves.append(0)
        } catch let error as DatabaseFileError { errors.append(error) }
      })
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    try expectEqual(file.load().rows.map(\.test), [test, "2"])
    expectEqual(saves.all.count, 3)
    expectEqual(errors.all, [.isBusy(file: ":memory:")])
    onFirstDecoding(test) { try file.close() }
    #expect(throws: DatabaseFileError.isClosed(file: ":memory:")) { try file.load() }
  }

  @Test("The coding of a row commits to the store whose commits are saved")
  func commits() throws {
    let test = "commits"
    let file = try DatabaseFile<HookedRows>.inMemory()
    let store = RowStore(initialState: HookedRows())
    let keeper = try store.keep(\.self, in: file)
    let flushed = Collected<DatabaseFileError>()
    HookedRow.hooks.withLock {
      $0[test] = .init(encode: {
        if store.state.rows.count < 5 {
          store.commit { $0.insert($0.rows.count + 1, test) }
        }
        do { try keeper.flush() } catch let error as DatabaseFileError { flushed.append(error) }
      })
    }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    run {
      store.commit { $0.insert(1, test) }
      // Each save commits a row for the next one.
      while store.state.rows.count < 5 { try keeper.flush(timeout: .seconds(20)) }
    }
    try keeper.flush(timeout: .seconds(20))
    try expectTrue(file.load() == store.state && store.state.rows.count == 5)
    expectEqual(Set(flushed.all.map(\.description)).count, 1)
    expectEqual(flushed.all.first, .isBusy(file: ":memory:"))
  }

  @Test(
    "A row that commits while it is decoded, and a commit that uses the file, both succeed",
    arguments: [true, false])
  func circle(isCommitFirst: Bool) throws {
    let test = "circle \(isCommitFirst)"
    let file = try DatabaseFile<HookedRows>.inMemory()
    var rows = HookedRows()
    rows.insert(1, test)
    try file.save(rows)
    let store = RowStore(initialState: HookedRows())
    let isInRow = DispatchSemaphore(value: 0)
    let isInCommit = DispatchSemaphore(value: 0)
    let outcome = Collected<String>()
    onFirstDecoding(test) {
      isInRow.signal()
      isInCommit.wait()
      if !isCommitFirst { usleep(50_000) }
      store.commit { $0.insert(7, "committed by a row") }
      outcome.append("row")
    }
    run(
      {
        _ = try file.load()
        outcome.append("load")
      },
      {
        isInRow.wait()
        store.commit { state in
          isInCommit.signal()
          if isCommitFirst { usleep(50_000) }
          do {
            _ = try file.load()
            outcome.append("no error")
          } catch { outcome.append("\(error)") }
          state.insert(8, "committed")
        }
      })
    HookedRow.hooks.withLock { $0[test] = nil }
    expectEqual(Set(outcome.all), ["no error", "row", "load"])
    expectEqual(Set(store.state.rows.map(\.id)), [7, 8])
    try expectEqual(file.load(), rows)
  }

  @Test("Calls in commits that only wait for a while are not refused")
  func noCircle() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    let stores = (0..<4).map { _ in AppStore(initialState: AppState()) }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        do {
          try stores[thread % 4].commit { state in
            state.shop = try file.load()
            state.searchText = "\(thread) \(number)"
          }
        } catch { Issue.record(error) }
      }
    }
    expectTrue(stores.allSatisfy { $0.state.shop == DatabaseFileTests.sample() })
  }
}
