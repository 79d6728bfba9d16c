import EntiaDatabase
import EntiaKeepHistories
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Files that are read only, and files of others")
struct ForeignFileTests {
  static let readOnly = DatabaseFileConfiguration(isReadOnly: true)

  /// The names and the bytes of all files in a folder, except those of memory that the processes
  /// that use a log have in common.
  func image(_ folder: TemporaryFolder) throws -> [String: Data] {
    var image: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasSuffix("-shm") {
      image[name] = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    }
    return image
  }

  /// Creates a database of another program.
  func foreignFile(_ folder: TemporaryFolder, journal: String) throws -> String {
    let path = folder.file("other.sqlite")
    expectTrue(FileManager.default.createFile(atPath: path, contents: nil))
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    _ = try connection.value("PRAGMA journal_mode=\(journal)")
    try connection.execute("CREATE TABLE mine(a); INSERT INTO mine VALUES (1), (2)")
    try connection.close()
    return path
  }

  @Test(
    "A file of another program is named as such, and stays as it was", arguments: ["WAL", "DELETE"])
  func foreign(journal: String) throws {
    let folder = try TemporaryFolder()
    let path = try foreignFile(folder, journal: journal)
    let before = try image(folder)
    for configuration in [DatabaseFileConfiguration(), Self.readOnly] {
      let error = #expect(throws: DatabaseFileError.isForeign(file: path)) {
        try DatabaseFile<Shop>(path: path, configuration: configuration)
      }
      expectEqual(
        error?.description,
        """
        \(path) is a SQLite database of another program, and was not changed: `entia import` \
        reads it
        """)
      try expectEqual(image(folder), before)
    }
    #expect(throws: DatabaseFileError.isForeign(file: path)) {
      try DatabaseFile<Shop>.migrationPlan(path: path, migrations: [])
    }
    try expectEqual(image(folder), before)
    let untyped = try UntypedFile(reading: path)
    expectFalse(untyped.isOwn)
    try expectEqual(untyped.connection.value("SELECT sum(a) FROM mine"), .integer(3))
    #expect(throws: (any Error).self) { try untyped.connection.execute("DELETE FROM mine") }
    try untyped.connection.close()
    try expectEqual(image(folder), before)
  }

  @Test("A log that another program left is neither written into the file nor removed")
  func foreignLog() throws {
    let folder = try TemporaryFolder()
    let path = try foreignFile(folder, journal: "WAL")
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    try connection.execute("INSERT INTO mine VALUES (3)")
    let copies = try TemporaryFolder()
    let copy = copies.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    try connection.close()
    let before = try image(copies)
    for configuration in [DatabaseFileConfiguration(), Self.readOnly] {
      #expect(throws: DatabaseFileError.isForeign(file: copy)) {
        try DatabaseFile<Shop>(path: copy, configuration: configuration)
      }
      try expectEqual(image(copies), before)
    }
    let untyped = try UntypedFile(reading: copy)
    try expectEqual(untyped.connection.value("SELECT sum(a) FROM mine"), .integer(6))
    try untyped.connection.close()
    try expectEqual(image(copies), before)
  }

  @Test("A file that is no database is told apart from a damaged one")
  func noDatabase() throws {
    let folder = try TemporaryFolder()
    let text = folder.file("text.txt")
    for bytes in [Data(String(repeating: "no database ", count: 100).utf8), Data("short".utf8)] {
      try bytes.write(to: URL(fileURLWithPath: text))
      for configuration in [DatabaseFileConfiguration(), Self.readOnly] {
        let error = #expect(throws: DatabaseFileError.isNoDatabase(file: text)) {
          try DatabaseFile<Shop>(path: text, configuration: configuration)
        }
        expectEqual(error?.description, "\(text) is not a SQLite database, and was not changed")
        try expectEqual(image(folder), ["text.txt": bytes])
      }
    }
    try Data(("SQLite format 3\0" + String(repeating: "x", count: 5_000)).utf8).write(
      to: URL(fileURLWithPath: text))
    let error = #expect(throws: DatabaseFileError.self) { try DatabaseFile<Shop>(path: text) }
    guard case .isDamaged(text, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(error?.description.hasPrefix("\(text) is damaged: "), true)
    #expect(throws: DatabaseFileError.self) { try DatabaseFile<Shop>(path: folder.path) }
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<Shop>(path: folder.path + "/missing/file.sqlite")
    }
  }

  @Test("A file that is only read keeps its bytes, and no other file is left beside it")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<Shop>(path: folder.file(), configuration: Self.readOnly)
    }
    try expectTrue(image(folder).isEmpty)
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    let before = try image(folder)
    expectEqual(before.count, 1)
    var readers: [DatabaseFile<Shop>] = []
    for _ in 0..<3 {
      let reader = try DatabaseFile<Shop>(path: folder.file(), configuration: Self.readOnly)
      try expectEqual(reader.load(), DatabaseFileTests.sample())
      #expect(throws: DatabaseFileError.isReadOnly(file: folder.file())) {
        try reader.save(Shop())
      }
      #expect(throws: DatabaseFileError.isReadOnly(file: folder.file())) { try reader.compact() }
      readers.append(reader)
    }
    for reader in readers { try reader.close() }
    try expectEqual(image(folder), before)
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.file())
    let reader = try DatabaseFile<Shop>(path: link, configuration: Self.readOnly)
    try expectEqual(reader.load(), DatabaseFileTests.sample())
    try reader.close()
    try FileManager.default.removeItem(atPath: link)
    try expectEqual(image(folder), before)
  }

  @Test("A file that a process left with a log is read with it, and both stay as they were")
  func readOnlyLog() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    let copies = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.file() + suffix, toPath: copies.file() + suffix)
    }
    let before = try image(copies)
    expectEqual(before.count, 2)
    for _ in 0..<2 {
      let reader = try DatabaseFile<Shop>(path: copies.file(), configuration: Self.readOnly)
      try expectEqual(reader.load(), DatabaseFileTests.sample())
      try reader.close()
      try expectEqual(image(copies), before)
    }
    try expectEqual(DatabaseFile<Shop>(path: copies.file()).load(), DatabaseFileTests.sample())
  }

  @Test("A file that nobody may write, in a folder that nobody may write, is read")
  func withoutPermissions() throws {
    let folder = try TemporaryFolder()
    var history = KeepHistory(seed: 3)
    for _ in 0..<4 { try history.advance() }
    let file = try DatabaseFile<CachedFeed>(path: folder.file())
    try file.save(history.feed)
    try file.close()
    let before = try image(folder)
    let files = FileManager.default
    for fileMode in [0o444, 0o644] {
      try files.setAttributes([.posixPermissions: fileMode], ofItemAtPath: folder.file())
      for folderMode in [0o555, 0o777] {
        try files.setAttributes([.posixPermissions: folderMode], ofItemAtPath: folder.path)
        let child = try KeepChild(path: folder.file(), seed: 3, .read, after: 4)
        expectFalse(child.waitUntilEnd())
        expectEqual(child.acknowledged, [1], "\(fileMode), \(folderMode)")
        try expectEqual(image(folder), before, "\(fileMode), \(folderMode)")
      }
    }
    // To remove it.
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
  }
}
