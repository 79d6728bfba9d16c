import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Migrations that change the kind of IDs.
@Suite("IDs that a migration changes")
struct ChangedIDTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  private func save<Storage: NormalizedStorageType>(_ storage: Storage) throws {
    let file = try DatabaseFile<Storage>(path: path)
    try file.save(storage)
    try file.close()
  }

  /// Opens the file with migrations, and checks that it has a storage, also after an edit of it.
  private func check<Storage: NormalizedStorageType & Equatable>(
    _ expected: Storage, _ migrations: [Migration],
    _ edit: (inout BatchContext<Storage>) -> Void
  ) throws {
    var file = try DatabaseFile<Storage>(path: path, migrations: migrations)
    try expectEqual(file.load(), expected)
    try file.close()
    file = try DatabaseFile<Storage>(path: path, migrations: migrations)
    var edited = try file.load()
    expectEqual(edited, expected)
    try edited.performBatchUpdates { edit(&$0) }
    try file.save(edited)
    try file.close()
    file = try DatabaseFile<Storage>(
      path: path, configuration: .init(isReadOnly: true), migrations: migrations)
    try expectEqual(file.load(), edited)
  }

  private static func numbered(_ ids: [Int]) -> NumberedNotes {
    var notes = NumberedNotes()
    notes.performBatchUpdates { batch in
      for id in ids {
        batch.modifying.notes.append(NumberedNotes.Note(id: id, text: "note \(id)"))
        batch.modifying.favorites.append(.init(id))
      }
    }
    return notes
  }

  private static func named(_ ids: [(id: String, number: Int)]) -> NamedNotes {
    var notes = NamedNotes()
    notes.performBatchUpdates { batch in
      for (id, number) in ids {
        batch.modifying.notes.append(NamedNotes.Note(id: id, text: "note \(number)"))
        batch.modifying.favorites.append(.init(id))
      }
    }
    return notes
  }

  private static func transforming(
    _ change: @escaping @Sendable (StoredValue) -> StoredValue
  ) -> [Migration] {
    ["notes", "favorites"].map { table in
      .transforming(table, named: "IDs of \(table)") { row in
        var row = row
        row.id = change(row.id)
        return row
      }
    }
  }

  /// Replaces all rows, instead of transforming each.
  private static func replacing(
    _ change: @escaping @Sendable (StoredValue) -> StoredValue
  ) -> [Migration] {
    [
      .custom("IDs") { tables in
        for table in ["notes", "favorites"] {
          var rows = try tables.rows(of: table)
          for index in rows.indices { rows[index].id = change(rows[index].id) }
          try tables.setRows(rows, of: table)
        }
      }
    ]
  }

  /// Texts for integers, with a mark in the place of the digits.
  private static let forms = ["#", "00#", "n#", "#.0", " #", "#e2"]

  @Test("Integers become texts, which stay as they are", arguments: forms, [true, false])
  func texts(form: String, transforms: Bool) throws {
    try save(Self.numbered([3, 1, 2]))
    @Sendable func text(_ id: Int64) -> String {
      form.replacingOccurrences(of: "#", with: "\(id)")
    }
    @Sendable func change(_ id: StoredValue) -> StoredValue {
      if case .integer(let id) = id { .text(text(id)) } else { id }
    }
    let migrations = transforms ? Self.transforming(change) : Self.replacing(change)
    let expected = Self.named([3, 1, 2].map { (text(Int64($0)), $0) })
    try check(expected, migrations) { batch in
      batch.modifying.notes.updateIfExists(id: .init(text(1))) { $0.text = "changed" }
      batch.modifying.notes.insert(NamedNotes.Note(id: text(4), text: "new"), at: 1)
      batch.modifying.notes.remove(.init(text(3)))
      batch.modifying.favorites.append(.init(text(4)))
    }
  }

  @Test("Some of the integers become texts, and the other way round", arguments: [true, false])
  func mixed(transforms: Bool) throws {
    try save(Self.numbered([3, 1, 2]))
    @Sendable func change(_ id: StoredValue) -> StoredValue {
      id == .integer(1) ? .text("1") : id
    }
    let migrations = transforms ? Self.transforming(change) : Self.replacing(change)
    let file = try DatabaseFile<NamedNotes>(path: path, migrations: migrations)
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.database.notes.map(\.id), ["1"])
    expectEqual(Array(loaded.database.favorites.ids()), ["1"])
    expectEqual(loaded.skippedRows.map(\.row).sorted(), ["2", "2", "3", "3"])
  }

  @Test("Texts become integers", arguments: [true, false])
  func integers(transforms: Bool) throws {
    try save(Self.named([("c", 3), ("a", 1), ("b", 2)]))
    @Sendable func change(_ id: StoredValue) -> StoredValue {
      guard case .text(let text) = id, let place = ["a", "b", "c"].firstIndex(of: text) else {
        return id
      }
      return .integer(Int64(place + 1))
    }
    let migrations = transforms ? Self.transforming(change) : Self.replacing(change)
    try check(Self.numbered([3, 1, 2]), migrations) { batch in
      batch.modifying.notes.updateIfExists(id: 1) { $0.text = "changed" }
      batch.modifying.notes.insert(NumberedNotes.Note(id: 4, text: "new"), at: 1)
      batch.modifying.notes.remove(3)
      batch.modifying.favorites.append(4)
    }
  }

  @Test("IDs of rows that other members become are written with setID", arguments: [true, false])
  func composite(isText: Bool) throws {
    try save(Self.numbered([3, 1, 2]))
    let saved = Migration.transforming("favorites", named: "favorites of editions") { row in
      var row = row
      if case .integer(let number) = row.id {
        if isText {
          row.id = .text(#"{"id":\#(number),"edition":1}"#)
        } else {
          try row.setID(EditionNotes.Note.ID(number: Int(number), edition: 1))
        }
      }
      return row
    }
    var expected = EditionNotes()
    expected.performBatchUpdates { batch in
      for number in [3, 1, 2] {
        batch.modifying.notes.append(EditionNotes.Note(number: number, text: "note \(number)"))
        batch.modifying.favorites.append(.init(.init(number: number, edition: 1)))
      }
    }
    try check(expected, [saved]) { batch in
      let id = EditionNotes.Note.EntityID(.init(number: 1, edition: 1))
      batch.modifying.notes.updateIfExists(id: id) { $0.text = "changed" }
      batch.modifying.favorites.remove(id)
    }
  }

  @Test("An ID that two rows would have names the table and the row")
  func repeated() throws {
    try save(Self.numbered([1, 2]))
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<NamedNotes>(path: path, migrations: Self.transforming { _ in .text("n") })
    }
    expectTrue("\(String(describing: error))".contains("another row has this ID"))
    let file = try DatabaseFile<NumberedNotes>(path: path)
    try expectEqual(file.load(), Self.numbered([1, 2]))
  }
}
