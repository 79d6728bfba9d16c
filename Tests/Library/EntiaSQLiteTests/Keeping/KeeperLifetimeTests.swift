import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

private struct WeakFile: Sendable {
  weak let file: DatabaseFile<Shop>?
}

@Suite("Lifetimes of keepers")
struct KeeperLifetimeTests {
  @Test("When the store is released, what was committed is saved, and then the file is released")
  func storeReleased() async throws {
    let folder = try TemporaryFolder()
    var file: DatabaseFile<Shop>? = try DatabaseFile(path: folder.file())
    weak let weakFile = file
    var store: AppStore? = AppStore(initialState: AppState(shop: try file!.load()))
    weak let weakStore = store
    let keeper = try store!.keep(\.shop, in: file!)
    try file!.withTurn { _ in
      for number in 0..<10 { store!.insert("\(number)") }
      store = nil
      expectNil(weakStore)
    }
    file = nil
    try keeper.flush()
    expectEqual(keeper.status, .saved)
    try await until { weakFile == nil }
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 10)
  }

  @Test("When the keeper is released, what was committed is saved; the file can be saved and kept")
  func keeperReleased() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState(shop: try file.load()))
    var keeper: DatabaseKeeper? = try store.keep(\.shop, in: file)
    weak let saves = keeper?.saves
    try file.withTurn { _ in
      store.insert("a")
      keeper = nil
    }
    // Waits for the last save.
    let second = try DatabaseFile<Shop>.inMemory()
    let elsewhere = try store.keep(\.shop, in: second)
    try file.save(store.state.shop)
    try expectEqual(file.load().notes.map(\.id), ["a"])
    try await until { saves == nil }
    store.insert("b")
    try expectEqual(file.load().notes.count, 1)
    try await elsewhere.saved()
    try expectEqual(second.load().notes.count, 2)
  }

  @Test("A file is kept again after its keeper was released")
  func keptAgain() async throws {
    let file = try DatabaseFile<Shop>.inMemory()
    let store = AppStore(initialState: AppState())
    for number in 0..<20 {
      let keeper = try store.keep(\.shop, in: file)
      store.insert("\(number)")
      withExtendedLifetime(keeper) {}
    }
    let keeper = try store.keep(\.shop, in: file)
    try await keeper.saved()
    try expectEqual(file.load(), store.state.shop)
  }

  @Test("A keeper can be held by its store")
  func heldByStore() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    var store: AppStore? = AppStore(initialState: AppState(shop: try file.load()))
    weak let keeper = try store!.keep(\.shop, in: file).storeWhileSourceActive()
    expectTrue(keeper != nil)
    store!.insert("a")
    store = nil
    expectNil(keeper)
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 1)
  }

  @Test("Closing a file saves what is pending; later commits are reported as not saved")
  func close() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let problems = Collected<String>()
    store.onProblem { problems.append($0.description) }.storeWhileSourceActive()
    let keeper = try store.keep(\.shop, in: file)
    for number in 0..<10 { store.insert("\(number)") }
    try file.close()
    expectEqual(keeper.status, .saved)
    try await keeper.saved()
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load(), store.state.shop)
    store.insert("late")
    let error = DatabaseFileError.isClosed(file: file.path)
    await #expect(throws: error) { try await keeper.saved() }
    expectEqual(keeper.status, .failed(error))
    try await until { problems.all.count == 1 }
    expectEqual(problems.all, ["a save to \(file.path) failed: it has been closed"])
    try file.close()
  }

  @Test("When the store is released on a full disk, the state is saved once there is room")
  func releasedOnFullDisk() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let timer = ManualTimer()
    var store: AppStore? = AppStore(initialState: AppState(shop: try file.load()))
    store!.onProblem { _ in }.storeWhileSourceActive()
    var keeper: DatabaseKeeper? = try store!.keep(
      \.shop, in: file, replacing: false, timer: timer.timer)
    try await keeper!.saved()
    try FailedSaveTests.setFull(true, file)
    FailedSaveTests.fill(store!, "a")
    keeper = nil
    store = nil
    _ = try await timer.fire()
    #expect(throws: DatabaseFileError.isFull(file: file.path)) { try file.save(Shop()) }
    try FailedSaveTests.setFull(false, file)
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 1)
  }

  @Test("When the store is released and its disk does not recover, the file is released in the end")
  func neverRecovers() async throws {
    let folder = try TemporaryFolder()
    let timer = ManualTimer()
    let problems = Collected<String>()
    func release() async throws -> WeakFile {
      let file = try DatabaseFile<Shop>(path: folder.file())
      let store = AppStore(initialState: AppState(shop: try file.load()))
      store.onProblem { problems.append($0.description) }.storeWhileSourceActive()
      let keeper = try store.keep(\.shop, in: file, replacing: false, timer: timer.timer)
      store.insert("saved")
      try await keeper.saved()
      try FailedSaveTests.setFull(true, file)
      FailedSaveTests.fill(store, "lost")
      try await until { timer.count == 1 }
      return WeakFile(file: file)
    }
    let weakFile = try await release()
    // The save of the released store fails too, while the delay of the one before has not ended.
    try await until { timer.count == 2 }
    var delays: [Duration] = []
    while true {
      try await until { timer.count > 0 || weakFile.file == nil }
      if weakFile.file == nil { break }
      delays.append(try await timer.fire())
      try #require(delays.count < 50)
    }
    let sum = delays.reduce(.zero, +)
    #expect(sum >= SaveTimer.longestEnding)
    #expect(sum <= SaveTimer.longestEnding + SaveTimer.longestDelay * 2)
    let reason = "its disk is full, and nothing was changed"
    expectEqual(
      problems.all,
      [
        "a save to \(folder.file()) failed and is tried again: \(reason)",
        "a save to \(folder.file()) failed: \(reason)",
      ])
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.map(\.id), ["saved"])
  }

  @Test("Any number of threads commit, and every acknowledged commit is in the file")
  func threads() async throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(
      path: folder.file(), configuration: .init(durability: .fast))
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let keeper = try store.keep(\.shop, in: file)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            let id = "\(thread)/\(number)"
            store.insert(id)
            try await keeper.saved()
            try expectTrue(file.load().notes.contains { $0.id == id })
          }
        }
      }
      try await group.waitForAll()
    }
    try file.close()
    expectEqual(keeper.status, .saved)
    let again = try DatabaseFile<Shop>(path: folder.file())
    try expectEqual(again.load().image, store.state.shop.image)
  }
}
