import EntiaDatabase
import EntiaStore
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
    #expect(group.wait(timeout: .now() + 30) == .success, "a thread waits for ever")
  }

  @Test("Each call on the file inside the coding of a row is refused")
  func refused() throws {
    let test = "refused"
    let file = try DatabaseFile<HookedRows>.inMemory()
    let part = try DatabaseFile<HookedRows>(named: "part", in: file)
    let store = RowStore(initialState: HookedRows())
    let errors = Collected<DatabaseFileError>()
    let calls: [@Sendable () throws -> Void] = [
      { _ = try file.load() }, { _ = try part.load() }, { try file.save(HookedRows()) },
      { try file.compact() }, { _ = try file.unclaimed }, { try file.close() },
      { _ = try store.keep(\.self, in: part) }, { try file.backup(to: "/nowhere/else") },
      { _ = try DatabaseFile<HookedRows>(named: "other", in: file) },
    ]
    let hook: @Sendable () throws -> Void = {
      for call in calls {
        do {
          try call()
          Issue.record("a call was not refused")
        } catch let error as DatabaseFileError { errors.append(error) }
      }
    }
    HookedRow.hooks.withLock { $0[test] = .init(encode: hook, decode: hook) }
    defer { HookedRow.hooks.withLock { $0[test] = nil } }
    var rows = HookedRows()
    rows.insert(1, test)
    try file.save(rows)
    #expect(try file.load() == rows)
    #expect(errors.all == Array(repeating: .isBusy(file: ":memory:"), count: 2 * calls.count))
    #expect("\(errors.all[0])".contains("make it later"))
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
    #expect(try file.load() == store.state && store.state.rows.count == 5)
    #expect(Set(flushed.all.map(\.description)).count == 1)
    #expect(flushed.all.first == .isBusy(file: ":memory:"))
  }

  @Test(
    "A row that commits, and a commit that uses the file, do not wait for each other for ever",
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
    HookedRow.hooks.withLock {
      $0[test] = .init(decode: {
        isInRow.signal()
        isInCommit.wait()
        if !isCommitFirst { usleep(50_000) }
        store.commit { $0.insert(7, "committed by a row") }
        outcome.append("row")
      })
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
    let error = DatabaseFileError.isBusy(file: ":memory:").description
    #expect(Set(outcome.all) == [error, "row", "load"])
    #expect(Set(store.state.rows.map(\.id)) == [7, 8])
    #expect(try file.load() == rows)
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
    #expect(stores.allSatisfy { $0.state.shop == DatabaseFileTests.sample() })
  }
}
