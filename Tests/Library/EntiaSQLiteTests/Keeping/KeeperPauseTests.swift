import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Pauses between the saves of a keeper")
struct KeeperPauseTests {
  static let pause = Duration.milliseconds(10)

  /// A store whose first commit has been saved, so that a pause has begun.
  private struct Paused {
    let timer = ManualTimer(pause: KeeperPauseTests.pause)
    let file: DatabaseFile<Shop>
    let store: AppStore
    let keeper: DatabaseKeeper
    var saves: SaveQueue { keeper.saves }

    init(_ file: DatabaseFile<Shop>) async throws {
      self.file = file
      store = AppStore(initialState: AppState(shop: try file.load()))
      keeper = try store.keep(\.shop, in: file, replacing: false, timer: timer.timer)
      store.insert(UUID().uuidString)
      let (saves, timer) = (keeper.saves, timer)
      try await until { saves.status == .saved && timer.count == 1 }
    }
  }

  @Test("A burst of commits wakes the saving thread once, and is saved once after the pause")
  func burst() async throws {
    let paused = try await Paused(.inMemory())
    let (saves, timer) = (paused.saves, paused.timer)
    expectEqual(saves.wakeUps, 1)
    expectEqual(saves.attempts, 1)
    for number in 0..<1_000 { paused.store.insert("\(number)") }
    expectEqual(paused.keeper.status, .saving(pending: 1_000))
    expectEqual(saves.wakeUps, 1)
    expectEqual(saves.attempts, 1)
    try await expectEqual(timer.fire(), Self.pause)
    try await until { saves.status == .saved && timer.count == 1 }
    expectEqual(saves.wakeUps, 1)
    expectEqual(saves.attempts, 2)
    try expectEqual(paused.file.load(), paused.store.state.shop)
    // A pause without commits is the last one; the next commit wakes the thread at once.
    _ = try await timer.fire()
    expectEqual(timer.count, 0)
    paused.store.insert("last")
    try await until { saves.status == .saved && timer.count == 1 }
    expectEqual(saves.wakeUps, 2)
    expectEqual(saves.attempts, 3)
  }

  @Test("A call that waits ends the pause, and the end of that pause does not end a later one")
  func urgent() async throws {
    let paused = try await Paused(.inMemory())
    let (saves, timer) = (paused.saves, paused.timer)
    paused.store.insert("a")
    try await paused.keeper.saved()
    try expectEqual(paused.file.load().notes.count, 2)
    // The call may return before the next pause begins.
    try await until { timer.count == 2 }
    paused.store.insert("b")
    try paused.keeper.flush(timeout: .seconds(30))
    try expectEqual(paused.file.load().notes.count, 3)
    try await until { timer.count == 3 }
    paused.store.insert("c")
    for _ in 0..<2 { _ = try await timer.fire() }
    expectEqual(saves.attempts, 3)
    expectEqual(paused.keeper.status, .saving(pending: 1))
    _ = try await timer.fire()
    try await until { saves.status == .saved }
    expectEqual(saves.attempts, 4)
    expectEqual(saves.wakeUps, 1)
  }

  @Test("The ends of a file, a keeper and a store do not wait for the end of a pause")
  func ends() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<3 {
      var paused: Paused? = try await Paused(DatabaseFile(path: folder.file()))
      paused!.store.insert("\(number)")
      if number == 0 { try paused!.file.close() }
      // The keeper and the store are released.
      paused = nil
    }
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 6)
  }

  @Test("Commits in a loop wake the saving thread at most once a pause")
  func wakeUps() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    let keeper = try store.keep(\.shop, in: file)
    let start = ContinuousClock.now
    for number in 0..<2_000 { store.insert("\(number)") }
    // Counted before the time is read: saves go on meanwhile.
    let (wakeUps, attempts) = (keeper.saves.wakeUps, keeper.saves.attempts)
    let pauses = Int((ContinuousClock.now - start) / SaveTimer.system.pause)
    #expect(wakeUps <= pauses + 1)
    #expect(attempts <= pauses + 2)
    try await keeper.saved()
    try expectEqual(file.load(), store.state.shop)
  }
}
