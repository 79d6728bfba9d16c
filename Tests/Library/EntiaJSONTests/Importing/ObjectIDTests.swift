import Entia
import EntiaJSON
import EntiaLaws
import EntiaRecords
import Testing

@Entity(id: "shelf", "position")
private struct Place {
  let shelf: String
  let position: Int
  var book = "none"
  var note: String?
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
}

@NormalizedStorage
private struct Library {
  @Table var places: Tables.Hash<Place> = .init()
  @Table var pairs: Tables.Hash<Pair> = .init()
  @Table var seats: Tables.Hash<Seat> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
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
            seat: random.oneIn(2) ? nil : .init(seat)))
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
        #expect(database.places == library.places, "seed \(seed)")
        #expect(database.seats == library.seats, "seed \(seed)")
        #expect(database.stickers == library.stickers, "seed \(seed)")
        #expect(library.pairs.allSatisfy { database.pairs[$0.entityID] == $0 }, "seed \(seed)")
      }
    }
  }

  @Test(
    "A nested export imports to the rows that it has, also by replacing",
    arguments: LawRuns(count: 40).seeds)
  func nested(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let library = Self.random(&random)
    let json = try library.exportJSON(Sticker.self, depth: 1)
    var imported = Library()
    try imported.importJSON(ImportSource(name: "stickers", bytes: json), of: Sticker.self)
    #expect(imported.stickers == library.stickers, "seed \(seed)")
    for sticker in library.stickers {
      for id in sticker.others + [sticker.place].compactMap({ $0 }) {
        #expect(imported.places[id] == library.places[id], "seed \(seed)")
      }
      if let id = sticker.seat, let seat = library.seats[id] {
        #expect(imported.seats[id] == seat, "seed \(seed)")
      }
      if let id = sticker.pair { #expect(imported.pairs[id] != nil, "seed \(seed)") }
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
    #expect(try read(#"{"position":1,"shelf":"a"}"#).isEmpty)
    #expect(library.places.map(\.book) == ["kept"])
    #expect(try read(#"{"shelf":"a","position":1,"book":"new"}"#).isEmpty)
    #expect(library.places.map(\.book) == ["new"])
    let problems = try read(#"{"shelf":"b","position":1}"#)
    #expect(problems.count == 1 && problems[0].contains("places"))
    #expect(library.places.count == 1)
    #expect(throws: (any Error).self) { try read(#"{"shelf":1,"position":1}"#) }
    #expect(throws: (any Error).self) { try read(#"{"shelf":"c"}"#) }
  }
}
