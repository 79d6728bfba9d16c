import Entia
import EntiaDatabase
import EntiaSQLite
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

/// The IDs of a program's older version, in files that a newer version reads and saves.
@Suite("IDs whose members or kinds have changed")
struct RenamedIDTests {
  private func change<Storage: NormalizedStorageType>(
    _ storage: Storage, _ edit: (inout BatchContext<Storage>) -> Void
  ) throws -> Storage {
    var copy = storage
    try copy.performBatchUpdates { edit(&$0) }
    return copy
  }

  /// Saves a storage in a new file.
  private func save<Storage: NormalizedStorageType>(_ storage: Storage, to path: String) throws {
    let file = try DatabaseFile<Storage>(path: path)
    try file.save(storage)
    try file.close()
  }

  /// Saves an edit of the storage in a file, and checks that the file has exactly this edit.
  private func saveEdit<Storage: NormalizedStorageType & Equatable>(
    of path: String, _ migrations: [Migration] = [],
    _ edit: (inout BatchContext<Storage>) -> Void
  ) throws {
    var expected: Storage
    do {
      let file = try DatabaseFile<Storage>(path: path, migrations: migrations)
      expected = try change(try file.load(), edit)
      try file.save(expected)
      try expectEqual(file.load(), expected)
      try file.close()
    }
    let file = try DatabaseFile<Storage>(path: path, migrations: migrations)
    try expectEqual(file.load(), expected)
    expectTrue(expected.verify().isEmpty)
    try file.close()
  }

  @Test("Old names of an ID's members are read in rows, references, keys and held IDs")
  func renamedFrom() throws {
    let folder = try TemporaryFolder()
    try save(OldRoom.sample, to: folder.file())
    let ids = (1...4).map { Room.Place.EntityID(.init(rack: "a", position: $0)) }
    do {
      let file = try DatabaseFile<Room>(path: folder.file())
      let room = try file.load()
      expectEqual(room.places.map(\.entityID), Array(ids.prefix(3)))
      expectTrue(room.stickers["s"]?.place == ids[0] && room.stickers["s"]?.counts == [ids[1]: 2])
      expectEqual(Array(room.favorites.ids()), [ids[2]])
      try file.close()
    }
    try saveEdit(of: folder.file()) { (room: inout BatchContext<Room>) in
      room.modifying.places.updateIfExists(id: ids[0]) { $0.book = "new" }
      room.modifying.places.move(ids[2], to: 0)
    }
    try saveEdit(of: folder.file()) { (room: inout BatchContext<Room>) in
      room.modifying.places.updateIfExists(id: ids[0]) { $0.book = "newer" }
      room.modifying.places.remove(ids[1])
      room.modifying.favorites.remove(ids[2])
      room.modifying.places.insert(Room.Place(rack: "a", position: 4))
      room.modifying.stickers.updateIfExists(id: "s") { $0.place = ids[3] }
    }
    try saveEdit(of: folder.file()) { (room: inout BatchContext<Room>) in
      room.modifying.places.insert(Room.Place(rack: "a", position: 2, book: "back"))
      room.modifying.places.remove(ids[2])
    }
  }

  @Test("Clients that share a file of the older version edit its rows")
  func shared() async throws {
    let folder = try TemporaryFolder()
    try save(OldRoom.sample, to: folder.file())
    let ids = (1...3).map { Room.Place.EntityID(.init(rack: "a", position: $0)) }
    for round in 1...2 {
      let file = try DatabaseFile<Room>(
        path: folder.file(), configuration: .init(access: .shared))
      let store = SharedStore<Room>(initialState: SharedState(storage: try file.load()))
      let sharing = try store.share(\.storage, through: file)
      store.batch(\.storage) { room in
        room.places.updateIfExists(id: ids[0]) { $0.book = "\(round)" }
        room.places.remove(ids[round])
        room.places.insert(Room.Place(rack: "b", position: round))
      }
      try await sharing.settled()
      let reader = try DatabaseFile<Room>(
        path: folder.file(), configuration: .init(isReadOnly: true))
      let room = try reader.load()
      expectTrue(room == store.state.storage && room.places[ids[0]]?.book == "\(round)")
      expectTrue(room.places.count == 3 && room.verify().isEmpty)
      try reader.close()
    }
  }

  @Test("A stored name of an ID's member keeps the form of the files")
  func storedName() throws {
    let folder = try TemporaryFolder()
    try save(OldRoom.sample, to: folder.file())
    let ids = (1...4).map { StoredRoom.Place.EntityID(.init(rack: "a", position: $0)) }
    try saveEdit(of: folder.file()) { (room: inout BatchContext<StoredRoom>) in
      room.modifying.places.updateIfExists(id: ids[0]) { $0.book = "new" }
      room.modifying.places.insert(StoredRoom.Place(rack: "a", position: 4))
      room.modifying.favorites.append(ids[0])
      room.modifying.stickers.insert(
        StoredRoom.Sticker(id: "t", place: ids[3], counts: [ids[0]: 1]))
    }
    // The older version reads what the newer one has saved.
    let file = try DatabaseFile<OldRoom>(path: folder.file())
    let room = try file.load()
    let old = (1...4).map { OldRoom.Place.EntityID(.init(shelf: "a", position: $0)) }
    expectTrue(room.places.map(\.entityID) == old && room.places[old[0]]?.book == "new")
    expectEqual(Array(room.favorites.ids()), [old[2], old[0]])
    expectEqual(room.stickers["t"], OldRoom.Sticker(id: "t", place: old[3], counts: [old[0]: 1]))
    try file.close()
  }

  @Test("A file whose member was renamed by a migration is saved, and its references tell the name")
  func migratedName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    let migrations = [Migration.renamingMember("shelf", to: "rack", of: "places")]
    var old = OldRoom()
    old.performBatchUpdates { batch in
      batch.modifying.places.insert(OldRoom.sample.places.map { $0 })
    }
    try save(old, to: path)
    let id = PlainRoom.Place.EntityID(.init(rack: "a", position: 1))
    try saveEdit(of: path, migrations) { (room: inout BatchContext<PlainRoom>) in
      room.modifying.places.updateIfExists(id: id) { $0.book = "new" }
      room.modifying.places.move(id, to: 2)
    }
    try saveEdit(of: path, migrations) { (room: inout BatchContext<PlainRoom>) in
      room.modifying.places.remove(.init(.init(rack: "a", position: 2)))
      room.modifying.places.updateIfExists(id: id) { $0.book = "newer" }
    }
    // References have the old name still, which only the ID itself can read.
    let other = folder.file("other.sqlite")
    try save(OldRoom.sample, to: other)
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<PlainRoom>(path: other, migrations: migrations).load()
    }
    expectEqual(error?.description.contains("rack"), true)
    try saveEdit(of: other, migrations) { (room: inout BatchContext<Room>) in
      room.modifying.places.updateIfExists(id: .init(.init(rack: "a", position: 1))) {
        $0.book = "new"
      }
    }
  }

  @Test("A member, other members or another member become the ID")
  func kinds() throws {
    let folder = try TemporaryFolder()
    func check<Old: NormalizedStorageType & Equatable, New: NormalizedStorageType & Equatable>(
      _ old: Old, _ edits: [(inout BatchContext<New>) -> Void]
    ) throws {
      let path = folder.file("\(New.self).sqlite")
      try save(old, to: path)
      for edit in edits { try saveEdit(of: path, [], edit) }
    }
    let numbered = try change(NumberedPages()) { batch in
      batch.modifying.pages.insert((1...4).map { NumberedPages.Page(id: $0, text: "\($0)") })
    }
    typealias ID = EditionPages.Page.EntityID
    try check(
      numbered,
      [
        { (batch: inout BatchContext<EditionPages>) in
          batch.modifying.pages.updateIfExists(id: ID(.init(number: 1, edition: 1))) {
            $0.text = "one"
          }
          batch.modifying.pages.remove(ID(.init(number: 2, edition: 1)))
          batch.modifying.pages.insert(EditionPages.Page(number: 1, edition: 2))
        },
        { batch in
          batch.modifying.pages.move(ID(.init(number: 3, edition: 1)), to: 0)
          batch.modifying.pages.remove(ID(.init(number: 1, edition: 1)))
        },
      ])
    let named = try change(NamedPages()) { batch in
      batch.modifying.pages.insert(["a", "b"].map { NamedPages.Page(id: $0, number: 7) })
      batch.modifying.pages.insert(NamedPages.Page(id: "c", number: 8))
    }
    try check(
      named,
      [
        { (batch: inout BatchContext<SluggedPages>) in
          batch.modifying.pages.updateIfExists(id: .init(.init(slug: "a", number: 7))) {
            $0.text = "A"
          }
          batch.modifying.pages.insert(SluggedPages.Page(slug: "a", number: 8))
          batch.modifying.pages.remove(.init(.init(slug: "b", number: 7)))
        }
      ])
    let slugged = try change(SluggedPages()) { batch in
      batch.modifying.pages.insert(
        (1...3).map { SluggedPages.Page(slug: "a", number: $0, text: "t") })
    }
    try check(
      slugged,
      [
        { (batch: inout BatchContext<CountedPages>) in
          batch.modifying.pages.updateIfExists(id: CountedPages.Page.EntityID(2)) {
            $0.text = "two"
          }
          batch.modifying.pages.insert(CountedPages.Page(slug: "b", number: 4))
          batch.modifying.pages.remove(CountedPages.Page.EntityID(3))
        },
        { batch in
          batch.modifying.pages.updateIfExists(id: CountedPages.Page.EntityID(1)) {
            $0.text = "one"
          }
        },
      ])
  }

  @Test("A migration gives references the new kind of ID")
  func migratedReferences() throws {
    let folder = try TemporaryFolder()
    let old = try change(NumberedPages()) { batch in
      batch.modifying.pages.insert([1, 2].map { NumberedPages.Page(id: $0, text: "\($0)") })
      batch.modifying.marks.insert(NumberedPages.Mark(id: 1, page: 2))
    }
    try save(old, to: folder.file())
    #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<EditionPages>(path: folder.file()).load()
    }
    let migration = Migration.transforming("marks", named: "marks of editions") { row in
      var row = row
      let number: Int = try row.value(of: "page")
      try row.set(EditionPages.Page.ID(number: number, edition: 1), of: "page")
      return row
    }
    try saveEdit(of: folder.file(), [migration]) { (batch: inout BatchContext<EditionPages>) in
      let id = EditionPages.Page.EntityID(.init(number: 2, edition: 1))
      expectEqual(batch.modifying.marks[1]?.page, id)
      batch.modifying.pages.updateIfExists(id: id) { $0.text = "two" }
    }
  }
}
