import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Upkeep of database files")
struct UpkeepTests {
  @Test("A compacted file is smaller, and loads as before")
  func compact() throws {
    let folder = try TemporaryFolder()
    func size() throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file())
      return try #require(attributes[.size] as? Int)
    }
    let file = try DatabaseFile<Shop>(path: folder.file(), configuration: .init(durability: .fast))
    var shop = Shop()
    let text = String(repeating: "long", count: 50)
    shop.performBatchUpdates { context in
      for id in 0..<2_000 { context.modifying.notes.insert(Note(id: "\(id)", text: text)) }
    }
    try file.save(shop)
    shop.performBatchUpdates { context in
      for id in 0..<1_900 { context.modifying.notes.remove(Note.EntityID("\(id)")) }
    }
    try file.save(shop)
    try file.compact()
    #expect(try size() < 100_000)
    try expectEqual(file.read().image, shop.image)
    // The next save is compared as before.
    shop.performBatchUpdates { $0.modifying.notes.insert(Note(id: "new", text: "")) }
    try file.save(shop)
    try expectEqual(file.load().image, shop.image)
  }

  @Test("A backup contains what was saved, while the file stays in use; files are not replaced")
  func backup() throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.sqlite")
    let file = try DatabaseFile<Shop>(path: folder.file())
    let shop = DatabaseFileTests.sample()
    try file.save(shop)
    try file.backup(to: copy)
    try file.save(Shop())
    try expectEqual(DatabaseFile<Shop>(path: copy).load().image, shop.image)
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    expectEqual(attributes[.posixPermissions] as? Int, 0o600)
    #expect(
      throws: DatabaseFileError.cannotOpen(file: copy, reason: "there is a file already")
    ) { try file.backup(to: copy) }
    #expect(throws: DatabaseFileError.self) { try file.backup(to: folder.path + "/no/copy") }
    try expectEqual(DatabaseFile<Shop>(path: copy).load().image, shop.image)
    try expectEqual(file.load(), Shop())
  }
}
