import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Damaged files, full disks and locks")
struct HostileFileTests {
  /// Returns the bytes of a file with many pages.
  func sampleBytes(_ folder: TemporaryFolder) throws -> Data {
    let file = try DatabaseFile<Shop>(path: folder.file("sound.sqlite"))
    var shop = DatabaseFileTests.sample()
    shop.performBatchUpdates { context in
      for id in 10..<300 {
        context.modifying.items.insert(Item(id: id, name: String(repeating: "n\(id)", count: 20)))
        context.modifying.notes.insert(Note(id: "n\(id)", text: "", labels: ["\(id)"]))
      }
    }
    try file.save(shop)
    try file.close()
    return try Data(contentsOf: URL(fileURLWithPath: file.path))
  }

  /// Opens and loads a damaged file, which either works or throws an error of its own type, and
  /// leaves the file as it was.
  func check(_ bytes: Data, _ path: String, _ place: String) throws {
    let url = URL(fileURLWithPath: path)
    try bytes.write(to: url)
    do {
      let file = try DatabaseFile<Shop>(path: path)
      let shop = try file.load()
      _ = shop.image
      _ = try file.unclaimed
      try file.close()
    } catch is DatabaseFileError {
      // The expected outcome; any other type fails the test.
    }
    try expectEqual(Data(contentsOf: url), bytes, "\(place)")
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  @Test("A file that was truncated at any page is refused or read, and not changed")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let bytes = try sampleBytes(folder)
    let pages = bytes.count / 4_096
    #expect(pages > 15)
    for page in 1..<pages {
      for extra in [0, 1_000] {
        try check(bytes.prefix(page * 4_096 - extra), folder.file(), "\(page) - \(extra)")
      }
    }
  }

  @Test(
    "A file with flipped bytes is refused or read, and not changed",
    arguments: 1...4 as ClosedRange<UInt64>)
  func flipped(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let bytes = try sampleBytes(folder)
    var random = SeededGenerator(seed: seed)
    for round in 0..<scaled(30) {
      var damaged = bytes
      for _ in 0..<random.number(in: 1..<6) {
        // Half of them in the header of a page, where the structure is.
        let page = random.number(in: 0..<bytes.count / 4_096) * 4_096
        let offset = random.number(in: 0..<(random.oneIn(2) ? 4_096 : 64))
        damaged[page + offset] ^= UInt8(random.number(in: 1..<256))
      }
      try check(damaged, folder.file(), "seed \(seed), round \(round)")
    }
  }

  @Test("A full disk leaves the file as it was, and later saves succeed")
  func full() throws {
    let folder = try TemporaryFolder()
    let file = try DatabaseFile<Shop>(path: folder.file())
    let sample = DatabaseFileTests.sample()
    try file.save(sample)
    var shop = sample
    shop.performBatchUpdates { context in
      for id in 10..<2_000 { context.modifying.items.insert(Item(id: id, name: "name \(id)")) }
    }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=20") }
    for _ in 0..<2 {
      #expect(throws: DatabaseFileError.isFull(file: file.path)) { try file.save(shop) }
      try expectEqual(file.read().image, sample.image)
    }
    try file.withTurn { try $0.connection.execute("PRAGMA max_page_count=1000000") }
    try file.save(shop)
    try expectEqual(file.load().image, shop.image)
  }

  @Test(
    "A file that another connection has locked is told apart from one that is open elsewhere",
    .prompt)
  func locked() throws {
    let folder = try TemporaryFolder()
    var file = try DatabaseFile<Shop>(path: folder.file())
    try file.save(DatabaseFileTests.sample())
    try file.close()
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("PRAGMA journal_mode=DELETE")
    file = try DatabaseFile(path: folder.file(), configuration: .init(isReadOnly: true))
    try other.execute("BEGIN EXCLUSIVE")
    #expect(throws: DatabaseFileError.isLocked(file: file.path)) { try file.load() }
    #expect(throws: DatabaseFileError.isOpenElsewhere(file: file.path)) {
      try DatabaseFile<Shop>(path: file.path)
    }
    try other.execute("COMMIT")
    try expectEqual(file.load(), DatabaseFileTests.sample())
  }

  @Test("Rows that violate rules of the storage are refused with the reasons")
  func refused() throws {
    struct Box: NormalizedStorageType {
      struct Contents: StorageContents {
        var items = Tables.Hash<Item>()
        var name = Indexes.Unique<Item, String>(\.name)

        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self {
          visitor.table("items", \.items)
          visitor.index("name", \.name)
        }
      }

      var snapshot = Snapshot(Contents())
    }
    let folder = try TemporaryFolder()
    let writer = try DatabaseFile<Shop>(path: folder.file())
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.items.insert([Item(id: 1, name: "same"), Item(id: 2, name: "same")])
    }
    try writer.save(shop)
    try writer.close()
    let file = try DatabaseFile<Box>(path: folder.file())
    let error = #expect(throws: DatabaseFileError.self) { try file.load() }
    guard case .refused(file.path, let reasons) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(reasons.count, 1)
  }

  @Test("A save inside the encoding of a row is refused")
  func busy() throws {
    struct Nosy: EntityType, Identifiable, Codable {
      let id: Int
      nonisolated(unsafe) static var file: DatabaseFile<Bookshop<OldNames, Nosy, OldWriter>>?

      init(id: Int) { self.id = id }
      init(from decoder: any Decoder) throws { id = 1 }

      func encode(to encoder: any Encoder) throws { try Nosy.file?.save(.init()) }
    }
    let file = try DatabaseFile<Bookshop<OldNames, Nosy, OldWriter>>.inMemory()
    Nosy.file = file
    defer { Nosy.file = nil }
    var shop = try file.load()
    shop.performBatchUpdates { $0.modifying.books.insert(Nosy(id: 1)) }
    let error = #expect(throws: DatabaseFileError.self) { try file.save(shop) }
    expectTrue("\(String(describing: error))".contains("in use by a call"))
  }

  @Test("Calls of several threads take turns")
  func threads() throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    let base = try file.load()
    DispatchQueue.concurrentPerform(iterations: 40) { index in
      do {
        var shop = base
        shop.performBatchUpdates { $0.modifying.items.insert(Item(id: 100 + index, name: "x")) }
        if index % 2 == 0 { try file.save(shop) }
        #expect(try file.load().items.count <= 3)
      } catch {
        Issue.record("\(error)")
      }
    }
  }
}
