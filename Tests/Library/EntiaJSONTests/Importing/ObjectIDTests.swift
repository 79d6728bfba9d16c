import Entia
import EntiaJSON
import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@Entity(id: "shelf", "position")
private struct Place {
  let shelf: String
  let position: Int
  var book = "none"
  var note: String?
}

/// An entity whose other members may all be `nil`.
@Entity(id: "row", "column")
private struct Cell {
  let row: Int
  let column: Int
  var text: String?
  var number: Int?
  var isOn: Bool?
  var date: Date?
  var next: Cell.EntityID?
}

/// An entity with a `Codable` of its own, whose ID has an optional member.
private struct Slot: EntityType, Codable, Equatable {
  struct RawID: Hashable, Codable, Sendable {
    var shelf: String
    var box: Int?
  }
  typealias EntityIDRawType = RawID

  var shelf: String
  var box: Int?
  var count: UInt16?
  var labels: [String]?

  var entityID: EntityID { .init(.init(shelf: shelf, box: box)) }
}

/// An entity without members beside its ID.
@Entity(id: "first", "second")
private struct Pair {
  let first: Int
  let second: Int
}

/// An entity with a hand-written ID of several members.
private struct Seat: EntityType, Codable, Equatable {
  struct RawID: Hashable, Codable, Sendable {
    var row = 1
    var letter = "a"
  }
  typealias EntityIDRawType = RawID

  let entityID: EntityID
  var guest: String?
}

@Entity
private struct Sticker {
  let id: String
  var place: Place.EntityID?
  var others: [Place.EntityID] = []
  var pair: Pair.EntityID?
  var seat: Seat.EntityID?
  var cell: Cell.EntityID?
  var slot: Slot.EntityID?
}

@NormalizedStorage
private struct Library {
  @Table var places: Tables.Hash<Place> = .init()
  @Table var pairs: Tables.Hash<Pair> = .init()
  @Table var seats: Tables.Hash<Seat> = .init()
  @Table var cells: Tables.Hash<Cell> = .init()
  @Table var slots: Tables.Hash<Slot> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
}

/// Cells and the stickers on them.
@NormalizedStorage
private struct Sheet {
  @Table var cells: Tables.Hash<Cell> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
  @Relationship var stickerCell: ToOne<Sticker, Cell> = .init(\.cell, onDelete: .nullify)
}

@Suite("IDs that are objects in JSON")
struct ObjectIDTests {
  private static func random(_ random: inout SeededGenerator) -> Library {
    func place(_ random: inout SeededGenerator) -> Place.EntityID {
      .init(.init(shelf: random.oneIn(2) ? "a" : "b", position: random.number(in: 0..<3)))
    }
    var library = Library()
    library.performBatchUpdates { context in
      for number in 0..<random.number(in: 0..<6) {
        let id = place(&random)
        context.modifying.places.insert(
          Place(
            shelf: id.raw.shelf, position: id.raw.position, book: "book \(number)",
            note: random.oneIn(2) ? nil : "note"))
        context.modifying.pairs.insert(Pair(first: number, second: random.number(in: 0..<2)))
        let seat = Seat.RawID(row: random.number(in: 0..<3), letter: "b")
        context.modifying.seats.insert(
          Seat(entityID: .init(seat), guest: random.oneIn(2) ? nil : "guest"))
        context.modifying.stickers.insert(
          Sticker(
            id: "s\(number)", place: random.oneIn(3) ? nil : place(&random),
            others: (0..<random.number(in: 0..<3)).map { _ in place(&random) },
            pair: random.oneIn(2) ? nil : .init(.init(first: number, second: 0)),
            seat: random.oneIn(2) ? nil : .init(seat),
            cell: .init(.init(row: random.number(in: 0..<3), column: number)),
            slot: .init(.init(shelf: "s\(number)", box: random.oneIn(2) ? nil : 1))))
        context.modifying.cells.insert(
          Cell(
            row: random.number(in: 0..<3), column: number,
            text: random.oneIn(3) ? "text" : nil, number: random.oneIn(3) ? 1 : nil,
            isOn: random.oneIn(3) ? true : nil,
            date: random.oneIn(3) ? Date(timeIntervalSinceReferenceDate: 0) : nil,
            next: random.oneIn(3) ? .init(.init(row: 0, column: 0)) : nil))
        context.modifying.slots.insert(
          Slot(
            shelf: "s\(number)", box: random.oneIn(2) ? nil : 1,
            count: random.oneIn(3) ? 1 : nil, labels: random.oneIn(3) ? ["l"] : nil))
      }
    }
    return library
  }

  @Test(
    "Law 6: an export of tables imports to an equal database, into an empty one and into itself",
    arguments: LawRuns(count: 40).seeds)
  func tables(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let library = Self.random(&random)
    let json = try library.exportTables()
    for target in [Library(), library] {
      for conflict in [nil, ConflictPolicy.replace] {
        var options = TypedImportOptions()
        options.onConflict = conflict
        let result = Importer.importingTables(
          [ImportSource(name: "tables", bytes: json)], into: target, options: options)
        let database = try #require(result.database, "seed \(seed): \(result.report.problems)")
        // Pairs that are referenced and not there are complete in their reference.
        expectEqual(database.places, library.places, "seed \(seed)")
        expectEqual(database.seats, library.seats, "seed \(seed)")
        expectEqual(database.cells, library.cells, "seed \(seed)")
        expectEqual(database.slots, library.slots, "seed \(seed)")
        expectEqual(database.stickers, library.stickers, "seed \(seed)")
        expectTrue(library.pairs.allSatisfy { database.pairs[$0.entityID] == $0 }, "seed \(seed)")
      }
    }
  }

  @Test(
    "A nested export imports to the rows that it has, also by replacing",
    arguments: LawRuns(count: 40).seeds)
  func nested(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let library = Self.random(&random)
    for keys in [KeySpelling.same, .snakeCase, .custom { "_" + $0.uppercased() }] {
      try nested(library, keys, depth: random.number(in: 1..<4), seed)
    }
  }

  private func nested(
    _ library: Library, _ keys: KeySpelling, depth: Int, _ seed: UInt64
  ) throws {
    let json = try library.exportJSON(
      Sticker.self, depth: depth, options: TypedExportOptions(keys: keys))
    var imported = Library()
    try imported.importJSON(
      ImportSource(name: "stickers", bytes: json), of: Sticker.self,
      options: TypedImportOptions(keys: keys))
    expectEqual(imported.stickers, library.stickers, "seed \(seed)")
    for sticker in library.stickers {
      for id in sticker.others + [sticker.place].compactMap({ $0 }) {
        expectEqual(imported.places[id], library.places[id], "seed \(seed)")
      }
      if let id = sticker.seat, let seat = library.seats[id] {
        expectEqual(imported.seats[id], seat, "seed \(seed)")
      }
      if let id = sticker.pair { expectTrue(imported.pairs[id] != nil, "seed \(seed)") }
      if let id = sticker.cell {
        expectEqual(imported.cells[id], library.cells[id], "seed \(seed)")
      }
      if let id = sticker.slot {
        expectEqual(imported.slots[id], library.slots[id], "seed \(seed)")
      }
    }
  }

  @Test("A nested row with only the members of its ID has one null, and no other row has")
  func nulls() throws {
    var library = Library()
    library.performBatchUpdates { context in
      context.modifying.cells.insert(Cell(row: 1, column: 2))
      context.modifying.cells.insert(Cell(row: 1, column: 3, number: 4))
      context.modifying.slots.insert(Slot(shelf: "a"))
      context.modifying.stickers.insert(
        Sticker(
          id: "s", cell: .init(.init(row: 1, column: 2)), slot: .init(.init(shelf: "a"))))
      context.modifying.stickers.insert(
        Sticker(
          id: "t", pair: .init(.init(first: 1, second: 2)),
          cell: .init(.init(row: 1, column: 3))))
      context.modifying.pairs.insert(Pair(first: 1, second: 2))
    }
    func text(_ json: [UInt8]) -> String { String(decoding: json, as: UTF8.self) }
    let stickers = text(try library.exportJSON(Sticker.self, depth: 1))
    expectTrue(stickers.contains(#""cell":{"row":1,"column":2,"text":null}"#), "\(stickers)")
    expectTrue(stickers.contains(#""slot":{"shelf":"a","count":null}"#), "\(stickers)")
    expectTrue(stickers.contains(#""cell":{"row":1,"column":3,"number":4}"#), "\(stickers)")
    expectTrue(stickers.contains(#""pair":{"first":1,"second":2}"#), "\(stickers)")
    for rows in [
      text(try library.exportJSON(Sticker.self)), text(try library.exportJSON(Cell.self)),
      text(try library.exportJSON(Slot.self)), text(try library.exportTables()),
    ] { expectFalse(rows.contains("null"), "\(rows)") }
  }

  @Test("A nested row with the entities of an inverse needs no null")
  func inverse() throws {
    var sheet = Sheet()
    sheet.performBatchUpdates { context in
      context.modifying.cells.insert(Cell(row: 1, column: 2))
      context.modifying.cells.insert(
        Cell(row: 1, column: 3, next: .init(.init(row: 1, column: 2))))
      context.modifying.stickers.insert(Sticker(id: "s", cell: .init(.init(row: 1, column: 2))))
    }
    let json = try sheet.exportJSON(
      Cell.self, depth: 1, following: [.inverse(\.stickerCell, as: "stickers")])
    expectFalse(String(decoding: json, as: UTF8.self).contains("null"))
    let rows = try sheet.exportJSON(Sticker.self, depth: 1)
    expectTrue(String(decoding: rows, as: UTF8.self).contains(#"{"row":1,"column":2,"text":null}"#))
    for (json, isCells) in [(json, true), (rows, false)] {
      var imported = Sheet()
      let source = ImportSource(name: "sheet", bytes: json)
      if isCells {
        try imported.importJSON(source, of: Cell.self)
        expectEqual(imported, sheet)
      } else {
        try imported.importJSON(source, of: Sticker.self)
        expectEqual(imported.cells.map(\.column), [2])
      }
    }
  }

  @Test("An object with other members is an entity, and one without is a reference")
  func forms() throws {
    var library = Library()
    library.performBatchUpdates { context in
      context.modifying.places.insert(Place(shelf: "a", position: 1, book: "kept"))
    }
    func read(_ place: String) throws -> [String] {
      var options = TypedImportOptions()
      options.onConflict = .replace
      let report = try library.importJSON(
        source("[{\"id\":\"s\",\"place\":\(place)}]"), of: Sticker.self, options: options)
      return report.problems.map(\.description)
    }
    try expectTrue(read(#"{"position":1,"shelf":"a"}"#).isEmpty)
    expectEqual(library.places.map(\.book), ["kept"])
    try expectTrue(read(#"{"shelf":"a","position":1,"book":"new"}"#).isEmpty)
    expectEqual(library.places.map(\.book), ["new"])
    let problems = try read(#"{"shelf":"b","position":1}"#)
    expectTrue(problems.count == 1 && problems[0].contains("places"))
    expectEqual(library.places.count, 1)
    #expect(throws: (any Error).self) { try read(#"{"shelf":1,"position":1}"#) }
    #expect(throws: (any Error).self) { try read(#"{"shelf":"c"}"#) }
  }
}
