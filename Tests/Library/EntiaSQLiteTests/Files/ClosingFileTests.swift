import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files that are just being closed")
struct ClosingFileTests {
  @Test("A file whose object is released by another thread is opened again at once")
  func released() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<60 {
      let box = Mutex<DatabaseFile<Shop>?>(try DatabaseFile(path: folder.file()))
      weak let weakFile = box.withLock { $0 }
      var shop = try weakFile?.load() ?? Shop()
      expectEqual(shop.notes.count, number)
      shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "\(number)", text: "")) }
      try weakFile?.save(shop)
      let thread = Thread { withExtendedLifetime(box.withLock { $0.take() }) {} }
      thread.start()
      // From here on the object is being deinitialized, and the file is not closed yet.
      while weakFile != nil { usleep(1) }
    }
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 60)
  }

  @Test("A file that a keeper saves for the last time is opened after that")
  func lastSave() throws {
    let folder = try TemporaryFolder()
    for number in 0..<20 {
      let file = try DatabaseFile<Shop>(path: folder.file())
      let store = AppStore(initialState: AppState(shop: try file.load()))
      expectEqual(store.state.shop.notes.count, number)
      _ = try store.keep(\.shop, in: file).storeWhileSourceActive()
      store.insert("\(number)")
      // The objects are released here; the commit is not saved yet.
    }
    try expectEqual(DatabaseFile<Shop>(path: folder.file()).load().notes.count, 20)
  }

  @Test("flush returns after the file has been closed")
  func flush() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<20 {
      var file: DatabaseFile<Shop>? = try DatabaseFile(path: folder.file())
      weak let weakFile = file
      var store: AppStore? = AppStore(initialState: AppState(shop: try file!.load()))
      let keeper = try store!.keep(\.shop, in: file!)
      store!.insert(UUID().uuidString)
      store = nil
      file = nil
      try keeper.flush()
      expectNil(weakFile)
    }
  }

  @Test("A file that is in use is refused, also when a keeper of it has ended")
  func inUse() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let store = AppStore(initialState: AppState(shop: try file.load()))
    var keeper: DatabaseKeeper? = try store.keep(\.shop, in: file)
    store.insert("a")
    keeper = nil
    withExtendedLifetime(keeper) {}
    #expect(throws: DatabaseFileError.isOpenElsewhere(file: folder.file())) {
      try DatabaseFile<Shop>(path: folder.file())
    }
    try expectEqual(file.load().notes.count, 1)
  }
}
