import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaSQLite

@Suite("Failed saves")
struct FailedSaveTests {
  /// Makes the file as large as it may become, or lifts that.
  static func setFull(_ isFull: Bool, _ file: DatabaseFile<Shop>) throws {
    try file.withTurn { file in
      let pages = isFull ? "1" : "1000000"
      _ = try file.connection.value("PRAGMA max_page_count=\(pages)")
    }
  }

  static let large = String(repeating: "large ", count: 20_000)

  static func fill(_ store: AppStore, _ id: String) {
    store.batch(\.shop) { $0.notes.insert(Note(id: id, text: large)) }
  }

  @Test("On a full disk nothing is lost: saves are tried again, and succeed once there is room")
  func full() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let problems = Collected<String>()
    store.onProblem {
      expectEqual(LockDepth.current, 0)
      problems.append($0.description)
    }.storeWhileSourceActive()
    let timer = ManualTimer()
    let keeper = try store.keep(\.shop, in: file, replacing: false, timer: timer.timer)
    store.insert("a")
    try await keeper.saved()
    let before = try file.load()
    try Self.setFull(true, file)
    Self.fill(store, "b")
    var delays: [Duration] = []
    for _ in 0..<8 { delays.append(try await timer.fire()) }
    expectEqual(
      delays.map { $0 / .milliseconds(100) }, [1, 2, 4, 8, 16, 32, 40, 40],
      "\(delays)")
    try await until { keeper.saves.attempts >= 9 }
    expectEqual(keeper.status, .failed(.isFull(file: file.path)))
    expectEqual(
      problems.all,
      [
        """
        a save to \(file.path) failed and is tried again: its disk is full, and nothing was changed
        """
      ])
    await #expect(throws: DatabaseFileError.isFull(file: file.path)) { try await keeper.saved() }
    #expect(throws: DatabaseFileError.isFull(file: file.path)) { try keeper.flush() }
    #expect(throws: DatabaseFileError.isFull(file: file.path)) { try file.close() }
    try expectEqual(file.load(), before)
    expectEqual(store.state.shop.notes.count, 2)
    Self.fill(store, "c")
    try Self.setFull(false, file)
    _ = try await timer.fire()
    try await until { keeper.status == .saved }
    try expectEqual(file.load().image, store.state.shop.image)
    try file.close()
    let again = try DatabaseFile<Shop>(path: folder.file())
    try expectEqual(again.load().image, store.state.shop.image)
  }

  @Test("A row that cannot be encoded fails the save, until a commit corrects it")
  func notEncodable() async throws {
    let file = try DatabaseFile<Refused>.inMemory()
    let store = Store<Refused, Never>(initialState: Refused())
    let problems = Collected<String>()
    store.onProblem { problems.append($0.description) }.storeWhileSourceActive()
    let timer = ManualTimer()
    let keeper = try store.keep(\.self, in: file, replacing: false, timer: timer.timer)
    try await keeper.saved()
    store.commit {
      $0.performBatchUpdates { $0.modifying.rows.insert(RefusedRow(id: 1, text: "bad")) }
    }
    await #expect(throws: DatabaseFileError.self) { try await keeper.saved() }
    guard case .failed(.cannotEncode(_, "rows", "1", _, _)) = keeper.status else {
      Issue.record("\(keeper.status)")
      return
    }
    try await until { problems.all.count == 1 }
    expectTrue(problems.all[0].hasPrefix("a save to :memory: failed: row 1 of rows"))
    store.commit {
      $0.performBatchUpdates { $0.modifying.rows.insert(RefusedRow(id: 2, text: "b")) }
    }
    await #expect(throws: DatabaseFileError.self) { try await keeper.saved() }
    store.commit {
      $0.performBatchUpdates { $0.modifying.rows.updateIfExists(id: 1) { $0.text = "a" } }
    }
    try await keeper.saved()
    try expectEqual(file.load().rows.map(\.text), ["a", "b"])
    expectEqual(problems.all.count, 1)
  }

  @Test("flush returns after its timeout, and the commits remain pending")
  func timeout() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    let before = keeper.saves.attempts
    let isFree = Mutex(false)
    let isHeld = Mutex(false)
    let holder = Thread {
      do {
        try file.withTurn { _ in
          isHeld.withLock { $0 = true }
          while !isFree.withLock({ $0 }) { usleep(1_000) }
        }
      } catch { Issue.record("\(error)") }
    }
    holder.start()
    try await until { isHeld.withLock { $0 } }
    store.insert("a")
    #expect(throws: DatabaseFileError.timedOut(file: ":memory:")) {
      try keeper.flush(timeout: .milliseconds(20))
    }
    expectEqual(keeper.status, .saving(pending: 1))
    isFree.withLock { $0 = true }
    try keeper.flush()
    expectEqual(keeper.saves.attempts, before + 1)
    try expectEqual(file.load().notes.count, 1)
  }

  @Test("Waiting for a save inside a call on the file is refused, and does not block for ever")
  func inside() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    try file.withTurn { _ in
      store.insert("a")
      #expect(throws: DatabaseFileError.isBusy(file: ":memory:")) { try keeper.flush() }
    }
    let errors = Collected<String>()
    let subscription = keeper.sinkStatus(dropsFirst: true, queue: .passthrough) { _ in
      do { try keeper.flush() } catch { errors.append("\(error)") }
    }
    store.insert("b")
    try await keeper.saved()
    try await until { !errors.all.isEmpty }
    expectTrue(errors.all[0].contains("in use by a call"))
    subscription.cancel()
  }

  @Test("The status is tracked by Observation, and delivered when a save begins or ends")
  func status() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    try await until { keeper.saves.statuses.state == .saved }
    let seen = Collected<DatabaseKeeper.Status>()
    let subscription = keeper.sinkStatus(queue: .passthrough) { seen.append($0.primitive) }
    let changes = Collected<Bool>()
    withObservationTracking {
      _ = keeper.status
    } onChange: {
      changes.append(true)
    }
    store.insert("a")
    try await keeper.saved()
    try await until { seen.all.last == .saved && seen.all.count >= 3 }
    expectEqual(seen.all.first, .saved)
    expectTrue(seen.all.contains(.saving(pending: 1)))
    expectEqual(changes.all, [true])
    subscription.cancel()
  }
}

struct RefusedRow: EntityType, Codable {
  typealias EntityIDRawType = Int
  let id: Int
  var entityID: EntityID { EntityID(id) }
  var text = ""

  init(id: Int, text: String) { (self.id, self.text) = (id, text) }

  func encode(to encoder: any Encoder) throws {
    if text == "bad" {
      throw EncodingError.invalidValue(
        text, .init(codingPath: encoder.codingPath, debugDescription: "it is bad"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(text, forKey: .text)
  }

  private enum CodingKeys: CodingKey { case id, text }
}

struct Refused: NormalizedStorageType {
  struct Contents: StorageContents {
    var rows = Tables.Hash<RefusedRow>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("rows", \.rows)
    }
  }

  var snapshot = Snapshot(Contents())
  var rows: Tables.Hash<RefusedRow> { snapshot.contents.rows }
}
