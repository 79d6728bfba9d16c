import Entia
import EntiaCoding
import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite(
  "Dates that `entia push` has copied from a JSON file",
  .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct DateTextTests {
  struct Place: Codable, Hashable {
    var opened: Date
  }

  /// A value that is a date, a number or a text.
  enum Property: Codable, Hashable {
    case date(Date)
    case number(Decimal)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let date = try? container.decode(Date.self) {
        self = .date(date)
      } else if let number = try? container.decode(Decimal.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .date(let date): try container.encode(date)
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  /// A row with generated code.
  @Entity
  struct Event {
    let id: Int
    var title: String
    var start: Date
    var end: Date?
    var days: [Date] = []
    var names: [String: Date] = [:]
    var place: Place?
    var price: Decimal
    var note: Property
  }

  /// A row with the same members that is `Codable`.
  struct Visit: EntityType, Identifiable, Codable, Equatable {
    let id: Int
    var title: String
    var start: Date
    var end: Date?
    var days: [Date] = []
    var names: [String: Date] = [:]
    var place: Place?
    var price: Decimal
    var note: Property
  }

  /// A row whose ID is a date.
  struct Day: EntityType, Codable, Equatable {
    typealias EntityIDRawType = Date
    var entityID: EntityID { EntityID(date) }
    let date: Date
  }

  @NormalizedStorage
  struct Planner: Equatable {
    @Table var events: Tables.Hash<Event> = .init()
    @Table var visits: Tables.Hash<Visit> = .init()
    @Table var days: Tables.Hash<Day> = .init()
  }

  private static func row(_ id: Int, in part: String, start: String) throws -> UntypedSpace.Row {
    let text = """
      {"id": \(id), "title": "", "start": "\(start)", "end": "2024-05-01T14:34:56+02:00",
        "days": ["2024-05-01T12:34:56.789Z", "2024-05-01"], "names": {"a": "2024-05-01 12:34"},
        "place": {"opened": "2024-05-01 00:00:00"}, "price": "12.50", "note": "2024-05-01"}
      """
    return UntypedSpace.Row(part: part, key: "\(id)", body: try JSONValue.parse(text))
  }

  @Test("They are read in members and in nested values, and written as numbers with their row")
  func read() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let tool = try UntypedSpace(connecting: server.string(database: database), space: "space")
    let rows = try ["events", "visits"].flatMap { part in
      try (1...2).map { try Self.row($0, in: part, start: "2024-05-01T12:34:56.789Z") }
    }
    try tool.replace(rows, expecting: .anything)

    let shared = try await server.open(Planner.self, database: database)
    let loaded = try await shared.load()
    // 1 May 2024, 12:34:56.789.
    let start = Date(timeIntervalSinceReferenceDate: 736_259_696.789)
    let end = Date(timeIntervalSinceReferenceDate: 736_259_696)
    let midnight = Date(timeIntervalSinceReferenceDate: 736_214_400)
    let price = try #require(Decimal(string: "12.5"))
    var planner = Planner()
    planner.performBatchUpdates { context in
      for id in 1...2 {
        context.modifying.events.insert(
          Event(
            id: id, title: "", start: start, end: end, days: [start, midnight],
            names: ["a": midnight + 45_240], place: Place(opened: midnight), price: price,
            note: .text("2024-05-01")))
        context.modifying.visits.insert(
          Visit(
            id: id, title: "", start: start, end: end, days: [start, midnight],
            names: ["a": midnight + 45_240], place: Place(opened: midnight), price: price,
            note: .text("2024-05-01")))
      }
    }
    expectEqual(loaded, planner)

    var edited = loaded
    edited.performBatchUpdates { context in
      context.modifying.events.updateIfExists(id: 1) { $0.title = "new" }
      context.modifying.visits.updateIfExists(id: 1) { $0.start = end }
      context.modifying.visits.remove(Visit.EntityID(2))
    }
    _ = try await shared.push(
      edited.changes(since: loaded), client: ClientID(), mutation: 1, base: 1)
    try await expectEqual(shared.load(), edited)
    let stored = try server.connection(database: database).run(
      """
      SELECT entity || id || ' ' || jsonb_typeof(body->'start') || ' ' || jsonb_typeof(body->'end')
      FROM entia_row ORDER BY entity, id
      """)
    expectEqual(
      stored.rows.map { $0.text(at: 0) },
      ["events1 number number", "events2 string string", "visits1 number number"])
    await shared.close()
  }

  @Test("Another text, and a text as an ID, is an error that names the row and the member")
  func refused() async throws {
    let server = try await LocalServer.shared()
    let database = try await server.makeDatabase()
    let tool = try UntypedSpace(connecting: server.string(database: database), space: "space")
    let day = UntypedSpace.Row(
      part: "days", key: "\"2024-05-01\"", body: try JSONValue.parse(#"{"date": "2024-05-01"}"#))
    for (row, column) in [
      (try Self.row(1, in: "events", start: "2024-02-30"), "start"),
      (try Self.row(1, in: "visits", start: "736259696.789"), "start"), (day, "id"),
    ] {
      try tool.replace([row], expecting: .anything)
      let shared = try await server.open(Planner.self, database: database)
      let error = await #expect(throws: SharedDatabaseError.self) { try await shared.load() }
      guard case .cannotDecode(_, row.part, row.key, column, _) = error else {
        Issue.record("\(row): \(String(describing: error))")
        return
      }
      await shared.close()
    }
  }
}
