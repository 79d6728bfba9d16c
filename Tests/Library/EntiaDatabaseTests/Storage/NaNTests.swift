import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// What a NaN in a row, a key or an ID does, step by step.
@Suite("NaN in rows, keys and IDs")
struct NaNTests {
  private func reading(_ id: Int, _ value: Double = .nan) -> Reading {
    Reading(id: id, value: value, position: Position(x: value, y: 0), stationID: 1)
  }

  private func weather(_ count: Int) throws -> Weather {
    var weather = Weather()
    try weather.performBatchUpdates { context in
      context.modifying.readings.insert((0..<count).map { reading($0) })
      context.modifying.stations.insert([
        Station(id: .nan, height: .nan), Station(id: 1, height: 0),
      ])
    }
    return weather
  }

  @Test("An untouched row with a NaN is in no difference, wherever its page was copied")
  func untouchedRows() throws {
    let base = try weather(10)
    var edited = base
    try edited.performBatchUpdates { context in
      context.modifying.readings.insert(reading(3, 7))
      context.modifying.stations.insert(Station(id: 2, height: 1))
    }
    let changes = edited.changes(since: base)
    expectEqual(changes.readings.updated.map(\.entityID), [3])
    expectTrue(changes.stations.updated.isEmpty && changes.stations.inserted.count == 1)
    try edited.apply(changes.inverted)
    expectEqual(edited, base)
    expectTrue(edited.changes(since: base).isEmpty)
  }

  @Test("Inserting or updating a row to its current value changes nothing")
  func unchanged() throws {
    let base = try weather(3)
    var copy = base
    try copy.performBatchUpdates { context in
      expectTrue(context.modifying.readings.insert(reading(1)).outcome.isUnchanged)
      expectTrue(
        context.modifying.stations.insert(Station(id: .nan, height: .nan)).outcome.isUnchanged)
      context.modifying.readings.updateIfExists(id: 2) { $0.value = .nan }
      expectTrue(
        context.modifying.readings.update(where: { _ in true }, { $0.value = .nan }).isEmpty)
    }
    expectTrue(copy.snapshot.isIdentical(to: base.snapshot))
  }

  @Test("A key that is NaN is filed once, found by its bits and taken out again")
  func keys() throws {
    var weather = try weather(2)
    for step in 0..<5 {
      try weather.performBatchUpdates { context in
        context.modifying.readings.updateIfExists(id: 0) { $0.limit = Float(step) }
        try context.modifying.stations.updateExists(id: .init(.nan)) { $0.height = .nan }
      }
      expectTrue(
        weather.contents.byValue.count == 1 && weather.contents.byPosition.groups().count == 1)
      expectEqual(weather.contents.byValue.ids(for: .nan), [0, 1])
      expectEqual(weather.contents.byValue.ids(for: -.nan), [])
      expectEqual(weather.contents.height.find(by: .nan), .init(.nan))
      expectEqual(weather.verify(), [])
    }
    #expect(throws: BatchError.self) {
      try weather.performBatchUpdates {
        _ = $0.modifying.stations.insert(Station(id: 5, height: .nan))
      }
    }
    try weather.performBatchUpdates { context in
      context.modifying.readings.remove([0, 1] as [Reading.EntityID])
      context.modifying.stations.remove(.init(.nan))
    }
    expectTrue(weather.contents.byValue.count == 0 && weather.contents.height.count == 1)
    expectTrue(weather.contents.byPosition.groups().isEmpty && weather.verify() == [])
  }

  @Test("A key that is a list is found by another list of the same NaN")
  func lists() throws {
    var weather = Weather()
    func list() -> [Double] { [1, .nan] }
    for step in 0..<4 {
      try weather.performBatchUpdates { context in
        var row = reading(0, 1)
        row.history = list()
        row.limit = Float(step)
        context.modifying.readings.insert(row)
      }
      expectEqual(weather.contents.byHistory.count, 1)
      expectEqual(weather.contents.byHistory.ids(for: list()), [0])
    }
    try weather.performBatchUpdates { _ = $0.modifying.readings.remove(0) }
    expectTrue(weather.contents.byHistory.count == 0)
  }

  @Test("A predicate compares by ==, which no NaN passes, with an index or without")
  func predicates() throws {
    let weather = try weather(2)
    let wanted = Double.nan
    let descriptor = FetchDescriptor<Reading>(predicate: #Predicate { $0.value == wanted })
    expectTrue(weather.fetch(descriptor).isEmpty)
    let listed = FetchDescriptor<Reading>(predicate: #Predicate { [wanted].contains($0.value) })
    expectTrue(weather.fetch(listed).isEmpty)
  }

  @Test("Entities in groups by a key that is NaN are in one group")
  func groups() throws {
    let weather = try weather(3)
    let all = FetchDescriptor<Reading>()
    expectEqual(weather.fetchGrouped(all, by: \.value).map(\.entities.count), [3])
    expectEqual(weather.fetchSections(all, by: \.value).map(\.entities.count), [3])
    expectEqual(weather.fetchCounts(all, by: \.position).map(\.count), [3])
    expectEqual(weather.fetchSummaries(all, of: \.id, by: \.value).map(\.summary.count), [3])
  }
}

extension TableInsertion {
  fileprivate var isUnchanged: Bool {
    if case .unchanged = self { return true }
    return false
  }
}
