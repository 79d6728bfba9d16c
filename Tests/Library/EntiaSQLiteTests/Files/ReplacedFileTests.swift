import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files that other programs remove, replace or protect")
struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  private func shop(_ ids: String...) -> Shop {
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.notes.insert(ids.map { Note(id: $0, text: $0) })
    }
    return shop
  }

  /// Writes a file of its own, as the copy that a backup restores.
  private func backup(_ shop: Shop) throws -> String {
    let path = folder.file("backup.sqlite")
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop)
    try file.close()
    return path
  }

  @Test("A save into a file that was removed or replaced is an error", arguments: [true, false])
  func saving(isRemoved: Bool) throws {
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop("a"))
    if isRemoved {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try #require(rename(backup(shop("old")), path) == 0)
    }
    for _ in 0..<2 {
      #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.save(shop("a", "b")) }
    }
    #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.save(shop("a")) }
    try file.close()
    // The log of the former file is not applied to the one that is there now.
    let next = try DatabaseFile<Shop>(path: path)
    try expectEqual(next.load(), isRemoved ? Shop() : shop("old"))
    try next.save(shop("a", "b"))
    try expectEqual(next.read(), shop("a", "b"))
  }

  @Test("A file that was removed while it is open is opened anew once it is closed there")
  func openingRemoved() throws {
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop("a"))
    try FileManager.default.removeItem(atPath: path)
    let configurations: [DatabaseFileConfiguration] = [
      .init(), .init(access: .shared), .init(isReadOnly: true),
    ]
    for configuration in configurations {
      let error = #expect(throws: DatabaseFileError.self) {
        try DatabaseFile<Shop>(path: path, configuration: configuration)
      }
      expectEqual(
        error?.description,
        """
        \(path) was removed while it is open for writing elsewhere in this process (\(getpid())): \
        close it there
        """)
    }
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: path).load(), Shop())
  }

  @Test(
    "A save after the log was removed is an error, and what was saved before is kept",
    arguments: [true, false])
  func removedLog(isSaved: Bool) throws {
    var file = try DatabaseFile<Shop>(path: path)
    try file.save(shop("a"))
    if !isSaved {
      try file.close()
      file = try DatabaseFile<Shop>(path: path)
      _ = try file.load()
    }
    try FileManager.default.removeItem(atPath: path + "-wal")
    for _ in 0..<2 {
      #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.save(shop("a", "b")) }
    }
    try file.close()
    let next = try DatabaseFile<Shop>(path: path)
    try expectEqual(next.load(), shop("a"))
    try next.save(shop("a", "b"))
    try next.close()
  }

  @Test("A lock that was removed is acquired again, unless another process has it by then")
  func removedLock() throws {
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop("a"))
    let lock = FileLock.path(of: path)
    try FileManager.default.removeItem(atPath: lock)
    try file.save(shop("a", "b"))
    expectEqual(FileLock.user(of: path)?.kind, .sole)
    #expect(throws: FileLock.Held.self) { try FileLock.sole(path) }
    try FileManager.default.removeItem(atPath: lock)
    var other: FileLock? = try FileLock.sole(path)
    for _ in 0..<3 {
      #expect(throws: DatabaseFileError.isOpenElsewhere(file: path)) { try file.save(shop("c")) }
      #expect(throws: DatabaseFileError.isOpenElsewhere(file: path)) { try file.compact() }
    }
    expectTrue(other != nil)
    other = nil
    try file.save(shop("c"))
    try expectEqual(file.read(), shop("c"))
    try file.close()
    expectFalse(FileManager.default.fileExists(atPath: lock))
  }

  @Test("A sharer whose lock file was removed is listed again at its next transaction")
  func removedList() throws {
    var lock: FileLock? = try FileLock.shared(path)
    try FileManager.default.removeItem(atPath: FileLock.path(of: path))
    expectNil(FileLock.user(of: path))
    try lock?.withLock {}
    expectEqual(FileLock.user(of: path)?.kind, .shared)
    #expect(throws: FileLock.Held.self) { try FileLock.sole(path) }
    lock = nil
    expectFalse(FileManager.default.fileExists(atPath: FileLock.path(of: path)))
  }

  @Test("saved() acknowledges nothing in a file that is gone, not even what was saved before")
  func keeping() async throws {
    let file = try DatabaseFile<Shop>(path: path)
    let store = AppStore(initialState: AppState(shop: try file.load()))
    let keeper = try store.keep(\.shop, in: file)
    store.insert("a")
    try await keeper.saved()
    try #require(rename(backup(shop("old")), path) == 0)
    await #expect(throws: DatabaseFileError.isReplaced(file: path)) { try await keeper.saved() }
    store.insert("b")
    await #expect(throws: DatabaseFileError.isReplaced(file: path)) { try await keeper.saved() }
    #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.close() }
    let next = try DatabaseFile<Shop>(path: path)
    try expectEqual(next.load(), shop("old"))
    // The choice of the caller: what is in memory replaces what is there now.
    try next.save(store.state.shop, replacing: true)
    try expectEqual(next.read(), shop("a", "b"))
  }

  @Test("A link that leads to another file while it is open is an error, and both files stay whole")
  func retargeted() throws {
    let (first, second) = (folder.file("first.sqlite"), folder.file("second.sqlite"))
    try FileManager.default.moveItem(atPath: backup(shop("old")), toPath: second)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "first.sqlite")
    let error = #expect(throws: DatabaseFileError.self) { try DatabaseFile<Shop>(path: path) }
    expectEqual(error?.description, "\(path) cannot be opened: it is a link that leads to no file")
    try FileManager.default.copyItem(atPath: second, toPath: first)
    let file = try DatabaseFile<Shop>(path: path)
    _ = try file.load()
    try file.save(shop("a"))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "second.sqlite")
    #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.save(shop("a", "b")) }
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: first).load(), shop("a"))
    // The path leads to the other file now, which is saved if the caller opens it.
    let next = try DatabaseFile<Shop>(path: path)
    try expectEqual(next.load(), shop("old"))
    try next.save(shop("a", "b"))
    try next.close()
    try expectEqual(DatabaseFile<Shop>(path: second).load(), shop("a", "b"))
    try expectEqual(DatabaseFile<Shop>(path: first).load(), shop("a"))
  }

  @Test("A relative path leads to the same file after the current folder has changed")
  func relativePath() throws {
    let folders = FileManager.default.currentDirectoryPath.split(separator: "/")
    let relative =
      String(repeating: "../", count: folders.count) + (try backup(shop("a"))).dropFirst()
    let connection = try SQLiteConnection(path: relative, mode: .readWrite)
    expectTrue(connection.opened?.path.hasPrefix("/") == true && !connection.hasMoved)
    try expectEqual(SQLiteConnection(path: nil, mode: .readWrite).hasMoved, false)
    try FileManager.default.removeItem(atPath: relative)
    expectTrue(connection.hasMoved)
  }

  @Test("The log of a file that is opened by a link is small again after a large save")
  func logBehindLink() throws {
    _ = try backup(shop("old"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "backup.sqlite")
    let file = try DatabaseFile<Shop>(path: path)
    _ = try file.load()
    var large = Shop()
    large.performBatchUpdates { context in
      context.modifying.notes.insert(
        (0..<6_000).map { Note(id: "n\($0)", text: String(repeating: "x", count: 1_000)) })
    }
    try file.save(large)
    let log = try #require(FileIdentity(folder.file("backup.sqlite-wal")))
    #expect(log.size <= SQLiteConnection.largestKeptLog)
  }

  @Test("A file that is moved back is saved again")
  func movedBack() throws {
    let file = try DatabaseFile<Shop>(path: path)
    try file.save(shop("a"))
    try #require(rename(path, path + ".away") == 0)
    #expect(throws: DatabaseFileError.isReplaced(file: path)) { try file.save(shop("b")) }
    try #require(rename(path + ".away", path) == 0)
    try file.save(shop("b"))
    try file.close()
    try expectEqual(DatabaseFile<Shop>(path: path).load(), shop("b"))
  }

  @Test("The log is small again after a large save")
  func log() throws {
    let file = try DatabaseFile<Shop>(path: path)
    var large = Shop()
    large.performBatchUpdates { context in
      context.modifying.notes.insert(
        (0..<6_000).map { Note(id: "n\($0)", text: String(repeating: "x", count: 1_000)) })
    }
    try file.save(large)
    let log = try #require(FileIdentity(path + "-wal"))
    #expect(log.size <= SQLiteConnection.largestKeptLog)
    try file.save(shop("a"))
    try expectEqual(file.read(), shop("a"))
  }
}
