import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaSQLite

struct AppState: Equatable, Sendable {
  var shop = Shop()
  var other = Shop()
  var searchText = ""
}

typealias AppStore = Store<AppState, Never>

extension AppStore {
  func insert(_ ids: String...) {
    batch(\.shop) { context in
      context.notes.insert(ids.map { Note(id: $0, text: $0) })
    }
  }
}

/// A timer whose delays end when a test says so.
final class ManualTimer: Sendable {
  private let pause: Duration
  private let pending = Mutex<[(Duration, @Sendable () -> Void)]>([])

  /// Creates a timer; without a pause, saves follow each other at once.
  init(pause: Duration = .zero) { self.pause = pause }

  var timer: SaveTimer {
    SaveTimer(pause: pause) { delay, body in self.pending.withLock { $0.append((delay, body)) } }
  }

  /// The number of delays that have not ended.
  var count: Int { pending.withLock { $0.count } }

  /// Waits for the next delay, and ends it.
  func fire() async throws -> Duration {
    for _ in 0..<2_000 {
      if let (delay, body) = pending.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        body()
        return delay
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw DatabaseFileError.timedOut(file: "timer")
  }
}

final class Collected<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func append(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Waits for a condition that another thread brings about.
func until(_ condition: @Sendable () throws -> Bool) async throws {
  for _ in 0..<12_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("the condition did not come about")
}

@Suite("Keepers")
struct KeeperTests {
  @Test("What was committed is in the file once saved() returns, and in the order of the commits")
  func saved() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let keeper = try store.keep(\.shop, in: file)
    for number in 0..<50 { store.insert("\(number)") }
    try await keeper.saved()
    expectEqual(keeper.status, .saved)
    try expectEqual(file.load().image, store.state.shop.image)
    store.insert("last")
    try keeper.flush(timeout: .seconds(30))
    try file.close()
    let again = try DatabaseFile<Shop>(path: folder.file())
    try expectEqual(again.load().image, store.state.shop.image)
  }

  @Test("A store on the main actor is kept without blocking it")
  @MainActor func mainActor() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    store.insert("a")
    try await keeper.saved()
    store.insert("b")
    try keeper.flush()
    try expectEqual(file.load(), store.state.shop)
  }

  @Test("Commits during a save become one further save, and do not wait for it")
  func coalescing() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    let before = keeper.saves.attempts
    try file.withTurn { _ in
      store.insert("first")
      while keeper.saves.attempts == before { usleep(1_000) }
      for number in 0..<100 { store.insert("\(number)") }
      expectEqual(keeper.status, .saving(pending: 101))
    }
    try await keeper.saved()
    expectEqual(keeper.saves.attempts, before + 2)
    try expectEqual(file.load(), store.state.shop)
  }

  @Test("A commit that changed other parts of the state is not a save")
  func otherParts() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    let before = keeper.saves.attempts
    for number in 0..<10 { store.commit { $0.searchText = "\(number)" } }
    expectEqual(keeper.status, .saved)
    expectEqual(keeper.saves.attempts, before)
  }

  @Test("Undone and redone commits are saved; an undo step is not")
  func undo() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let keeper = try store.keep(\.shop, in: file)
    store.insert("a")
    store.insert("b")
    try await keeper.saved()
    store.undo()
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.id), ["a"])
    store.redo()
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.id), ["a", "b"])
  }

  @Test("The committed state is saved, without optimistic layers, also where the layer hides it")
  func layers() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    store.insert("a")
    let layer = try store.addLayer("rename") { state in
      state.shop.performBatchUpdates {
        $0.modifying.notes.updateIfExists(id: "a") { $0.text = "layer" }
      }
    }
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.text), ["a"])
    // The layer sets the same member again, so that the shown state stays the same.
    store.batch(\.shop) { $0.notes.updateIfExists(id: "a") { $0.text = "below" } }
    expectEqual(store.state.shop.notes.map(\.text), ["layer"])
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.text), ["below"])
    try layer.confirm()
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.text), ["layer"])
  }

  @Test("A part that differs from the file is saved at once")
  func initialDifference() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    store.insert("new")
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    try expectEqual(file.load().image, store.state.shop.image)
  }

  @Test("Rows that were not loaded are not removed, unless they are to be replaced")
  func notLoaded() async throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file())
    let store = AppStore(initialState: AppState())
    #expect(throws: DatabaseFileError.notLoaded(file: file.path)) {
      try store.keep(\.shop, in: file)
    }
    try expectEqual(file.load(), DatabaseFileTests.sample())
    try file.close()
    file = try DatabaseFile(path: folder.file())
    let keeper = try store.keep(\.shop, in: file, replacing: true)
    store.insert("z")
    try await keeper.saved()
    try expectEqual(file.load().notes.map(\.id), ["z"])
  }

  @Test("A part has one keeper, and a file has one; a kept file is not saved directly")
  func refused() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let second = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    #expect(throws: DatabaseFileError.isKept(file: ":memory:")) {
      try store.keep(\.other, in: file)
    }
    #expect(throws: DatabaseFileError.partIsKept(file: ":memory:")) {
      try store.keep(\.shop, in: second)
    }
    #expect(throws: DatabaseFileError.isKept(file: ":memory:")) { try file.save(Shop()) }
    // The refused file is not kept, and another part has a keeper of its own.
    try second.save(Shop())
    let other = try store.keep(\.other, in: second)
    store.commit {
      $0.other.performBatchUpdates { $0.modifying.items.insert(Item(id: 1, name: "one")) }
    }
    store.insert("a")
    try await keeper.saved()
    try await other.saved()
    try expectEqual(file.load().notes.count, 1)
    try expectEqual(second.load().items.count, 1)
    expectTrue("\(DatabaseFileError.isKept(file: "f"))".contains("commit to its store"))
    expectTrue("\(DatabaseFileError.partIsKept(file: "f"))".contains("another keeper"))
  }

  @Test("A file that is only read, or closed, is not kept")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    let store = AppStore(initialState: AppState())
    #expect(throws: DatabaseFileError.isClosed(file: file.path)) {
      try store.keep(\.shop, in: file)
    }
    let reader = try DatabaseFile<Shop>(
      path: folder.file(), configuration: .init(isReadOnly: true))
    #expect(throws: DatabaseFileError.isReadOnly(file: file.path)) {
      try store.keep(\.shop, in: reader)
    }
  }

  @Test("No lock is held, and no row is encoded on the committing thread, during a save")
  func threads() async throws {
    let file = try DatabaseFile<Probes>.inMemory()
    let store = Store<Probes, Never>(initialState: Probes())
    let keeper = try store.keep(\.self, in: file)
    // Otherwise the status of the first save may be the one of the commit, and not a change.
    try await keeper.saved()
    try await until { keeper.saves.statuses.state == .saved }
    let depths = Collected<Int>()
    let encodings = Collected<Int>()
    Probe.hook.withLock { $0 = { encodings.append(LockDepth.current) } }
    defer { Probe.hook.withLock { $0 = nil } }
    let subscription = keeper.sinkStatus(queue: .passthrough) { _ in
      depths.append(LockDepth.current)
    }
    try file.withTurn { _ in
      store.commit { $0.performBatchUpdates { $0.modifying.probes.insert(Probe(id: 1)) } }
      // The saving thread waits for its turn.
      expectTrue(encodings.all.isEmpty)
    }
    try await keeper.saved()
    try await until { depths.all.count > 2 }
    expectFalse(encodings.all.isEmpty)
    expectTrue((depths.all + encodings.all).allSatisfy { $0 == 0 })
    subscription.cancel()
  }
}

/// An entity whose encoding calls a hook.
struct Probe: EntityType, Codable {
  typealias EntityIDRawType = Int
  static let hook = Mutex<(@Sendable () throws -> Void)?>(nil)

  let id: Int
  var entityID: EntityID { EntityID(id) }
  var text = ""

  init(id: Int) { self.id = id }

  func encode(to encoder: any Encoder) throws {
    try Self.hook.withLock { $0 }?()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(text, forKey: .text)
  }

  private enum CodingKeys: CodingKey { case id, text }
}

struct Probes: NormalizedStorageType {
  struct Contents: StorageContents {
    var probes = Tables.Hash<Probe>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("probes", \.probes)
    }
  }

  var snapshot = Snapshot(Contents())
  var probes: Tables.Hash<Probe> { snapshot.contents.probes }
}
