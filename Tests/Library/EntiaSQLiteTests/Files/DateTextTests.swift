import Entia
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Dates that another program wrote as text")
struct DateTextTests {
  struct Place: Codable, Hashable {
    var opened: Date
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
  }

  /// A row whose ID is a date.
  struct Day: EntityType, Codable, Equatable {
    typealias EntityIDRawType = Date
    var entityID: EntityID { EntityID(date) }
    let date: Date
    var note = ""
  }

  @NormalizedStorage
  struct Planner {
    @Table var events: Tables.Hash<Event> = .init()
    @Table var visits: Tables.Hash<Visit> = .init()
    @Table var days: Tables.Hash<Day> = .init()
    @Index var eventsByStart: Indexes.Sorted<Event, Date> = .init(\.start)
  }

  private let file: DatabaseFile<Planner>
  private let planner: Planner

  /// Creates a file, and replaces the dates in it by texts.
  init() throws {
    // 1 May 2024, 12:34:56.789.
    let start = Date(timeIntervalSinceReferenceDate: 736_259_696.789)
    let end = Date(timeIntervalSinceReferenceDate: 736_259_696)
    let midnight = Date(timeIntervalSinceReferenceDate: 736_214_400)
    var planner = Planner()
    planner.performBatchUpdates { context in
      for id in 1...3 {
        let start = start + Double(3 - id)
        context.modifying.events.insert(
          Event(
            id: id, title: "", start: start, end: end, days: [start, midnight],
            names: ["a": end], place: Place(opened: midnight)))
        context.modifying.visits.insert(
          Visit(
            id: id, title: "", start: start, end: end, days: [start, midnight],
            names: ["a": end], place: Place(opened: midnight)))
      }
      context.modifying.days.insert(Day(date: midnight))
    }
    self.planner = planner
    file = try DatabaseFile<Planner>.inMemory()
    try file.save(planner)
    for table in ["events", "visits"] {
      try execute(
        """
        UPDATE \(table) SET start='2024-05-01 12:34:' || (59 - id) || '.789',
          end='2024-05-01T14:34:56+02:00',
          days='["2024-05-01T12:34:' || (59 - id) || '.789Z","2024-05-01"]',
          names='{"a":"2024-05-01T12:34:56Z"}', place='{"opened":"2024-05-01 00:00:00"}'
        """)
    }
    try execute("UPDATE days SET entia_id='2024-05-01', date='2024-05-01'")
  }

  private func execute(_ sql: String) throws {
    try file.withTurn { try $0.connection.edit(sql) }
  }

  private func value(_ sql: String) throws -> StoredValue? {
    try file.withTurn { try $0.connection.value(sql) }
  }

  @Test("They are read in columns, in nested values and as IDs")
  func read() throws {
    let loaded = try file.load()
    expectEqual(loaded, planner)
    let first = loaded.fetch(FetchDescriptor<Event>(sortBy: [SortDescriptor(\.start)]))
    expectEqual(first.map(\.id), [3, 2, 1])
  }

  @Test("They are written as numbers when their row is saved, and not before")
  func written() throws {
    var loaded = try file.load()
    try file.save(loaded)
    for table in ["events", "visits"] {
      try expectEqual(value("SELECT typeof(start) FROM \(table) WHERE id=1"), .text("text"))
    }
    let live = loaded
    loaded.performBatchUpdates { context in
      context.modifying.events.updateIfExists(id: 1) { $0.title = "new" }
      context.modifying.visits.updateIfExists(id: 1) { $0.title = "new" }
      context.modifying.days.insert(
        Day(date: Date(timeIntervalSinceReferenceDate: 736_214_400), note: "new"))
    }
    try file.save(loaded)
    expectEqual(live, planner)
    for table in ["events", "visits"] {
      for (id, form) in [(1, "real"), (2, "text")] {
        try expectEqual(
          value("SELECT typeof(start) FROM \(table) WHERE id=\(id)"), .text(form), "\(table)")
        try expectEqual(
          value("SELECT typeof(end) FROM \(table) WHERE id=\(id)"), .text(form), "\(table)")
      }
      try expectEqual(
        value("SELECT days FROM \(table) WHERE id=1"),
        .text("[736259698.789,736214400]"))
    }
    try expectEqual(value("SELECT date FROM days"), .real(736_214_400))
    try expectEqual(file.read(), loaded)
    try file.expectRowCounts()
  }

  @Test("A row with another text is an error that names the row and the member")
  func noDates() throws {
    for (column, text) in [
      ("start", "2024-02-30"), ("start", "12:34"), ("end", ""), ("start", "736259696.789"),
      ("days", "[\"tomorrow\"]"), ("place", "{\"opened\":\"2024-05-01T25:00\"}"),
    ] {
      for table in ["events", "visits"] {
        let old = try #require(try value("SELECT \(column) FROM \(table) WHERE id=2"))
        try execute("UPDATE \(table) SET \(column)='\(text)' WHERE id=2")
        let error = #expect(throws: DatabaseFileError.self) { try file.load() }
        guard case .cannotDecode(_, table, "2", let name?, _) = error else {
          Issue.record("\(table) \(text): \(String(describing: error))")
          return
        }
        expectTrue(name.hasPrefix(column), "\(String(describing: error))")
        try file.withTurn {
          try $0.connection.prepare("UPDATE \(table) SET \(column)=? WHERE id=2").run([old])
        }
      }
    }
    try expectEqual(file.load(), planner)
  }
}
