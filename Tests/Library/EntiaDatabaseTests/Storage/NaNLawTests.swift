import EntiaCollections
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@Suite("Laws of rows and keys that hold a NaN")
struct NaNLawTests {
  @Test("The laws of databases, with NaN in rows, keys and IDs", arguments: StorageLaw.allCases)
  func weather(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 2 : 0, steps: 25, corpus: Corpus.storages)
    try StorageLaws(WeatherSubject.self, runs: runs).check(law)
  }

  @Test("A database with NaN survives a round trip through JSON")
  func coding() throws {
    let runs = LawRuns(count: 1, steps: 15, corpus: Corpus.storages)
    try StorageLaws(WeatherSubject.self, runs: runs).checkCoding()
  }

  @Test("Laws 1, 2, 3, 5, 6: Tables.Hash of rows with NaN", arguments: TableLaw.allCases)
  func tables(_ law: TableLaw) throws {
    let runs = LawRuns(count: isScaled ? 4 : 0, steps: 40, corpus: Corpus.tables)
    try TableLaws(
      runs: runs, makeTable: { Tables.Hash<Reading>() }, makeEntity: WeatherSubject.reading
    ).check(law)
  }

  @Test("Laws 1, 2, 3, 5, 6: Tables.Hash of rows whose ID may be NaN", arguments: TableLaw.allCases)
  func identifiers(_ law: TableLaw) throws {
    let runs = LawRuns(count: isScaled ? 4 : 0, steps: 40, corpus: Corpus.tables)
    let ids: [Double] = [.nan, 0, 1, -1, .infinity, -.nan]
    try TableLaws(
      runs: runs, makeTable: { Tables.Hash<Station>() },
      makeEntity: { Station(id: ids[$0], height: WeatherSubject.number(&$1)) }
    ).check(law)
  }

  @Test("Law 19: a fetch with any index equals the same fetch without it, whatever is NaN")
  func fetches() throws {
    let runs = LawRuns(count: 2, steps: 12, corpus: Corpus.storages)
    try FetchLaws<WeatherSubject, Reading>(runs: runs) { random in
      let wanted = WeatherSubject.number(&random)
      let position = Position(x: wanted, y: Float(WeatherSubject.number(&random)))
      let limit: Float? = Float(WeatherSubject.number(&random))
      let list = [wanted, WeatherSubject.number(&random)]
      let predicates: [Predicate<Reading>?] = [
        nil, #Predicate { $0.value == wanted }, #Predicate { $0.value != wanted },
        #Predicate { $0.value >= wanted }, #Predicate { $0.position == position },
        #Predicate { $0.limit == limit }, #Predicate { list.contains($0.value) },
        #Predicate { $0.history == list }, #Predicate { $0.value < wanted || $0.value == wanted },
      ]
      let orders: [[SortDescriptor<Reading>]] = [
        [], [SortDescriptor(\.value)], [SortDescriptor(\.value, order: .reverse)],
        [SortDescriptor(\.position)], [SortDescriptor(\.position, order: .reverse)],
        [SortDescriptor(\.value), SortDescriptor(\.position.y, order: .reverse)],
      ]
      return FetchDescriptor(
        predicate: predicates[random.number(in: 0..<predicates.count)],
        sortBy: orders[random.number(in: 0..<orders.count)],
        fetchLimit: random.oneIn(2) ? nil : random.number(in: 0..<4))
    }.check()
  }

  @Test("Law 41: a merge takes the changes of both sides, and a NaN alone is no conflict")
  func merges() throws {
    var random = SeededGenerator(seed: 2)
    var merges = 0
    for _ in 0..<60 {
      var base = Weather()
      base.edit(&random, times: 8)
      var (mine, theirs) = (base, base)
      mine.edit(&random, times: 3)
      try expectTrue(base.merging(mine, base: base).storage.hasSameRows(as: mine))
      try expectTrue(mine.merging(base, base: base).storage.hasSameRows(as: mine))
      try expectTrue(mine.merging(mine, base: base).storage.hasSameRows(as: mine))
      theirs.edit(&random, times: 3)
      let changes = mine.changes(since: base)
      var copy = base
      try copy.apply(changes)
      expectEqual(copy, mine)
      try copy.apply(changes.inverted)
      expectTrue(copy == base && Set(copy.verify()) == Set(base.verify()))
      do {
        let merged = try mine.merging(theirs, base: base, by: ThreeWayMerge(otherwise: .mine))
        let mirrored = try theirs.merging(mine, base: base, by: ThreeWayMerge(otherwise: .theirs))
        // The order may differ: what both placed between the same neighbors has mine first.
        let difference = merged.storage.changes(since: mirrored.storage)
        expectTrue(difference.readings.isEmpty)
        expectTrue(difference.stations.inserted.isEmpty && difference.stations.removed.isEmpty)
        expectTrue(difference.stations.updated.isEmpty)
        merged.storage.expectChanges(of: theirs, notOf: mine, since: base)
        merged.storage.expectChanges(of: mine, notOf: theirs, since: base)
        merges += 1
      } catch is BatchError {
        // Two stations of one height.
      }
    }
    #expect(merges > 30)
  }
}

extension Weather {
  fileprivate mutating func edit(_ random: inout SeededGenerator, times: Int) {
    for _ in 0..<times {
      do {
        try performBatchUpdates { try WeatherSubject.edit(&$0, using: &random) }
      } catch {
        // Two stations of one height; nothing was done.
      }
    }
  }

  /// Expects the fields that one fork changed in rows that the other one left alone.
  fileprivate func expectChanges(of fork: Self, notOf other: Self, since base: Self) {
    for row in readings {
      guard let old = base.readings.find(by: row.entityID),
        let new = fork.readings.find(by: row.entityID),
        let untouched = other.readings.find(by: row.entityID), haveSameValue(old, untouched)
      else { continue }
      expectTrue(haveSameValue(row.value, new.value) && haveSameValue(row.limit, new.limit))
      expectTrue(haveSameValue(row.position, new.position))
      expectTrue(haveSameValue(row.history, new.history))
    }
  }

  fileprivate func hasSameRows(as other: Self) -> Bool {
    Set(readings.map(\.entityID)) == Set(other.readings.map(\.entityID))
      && changes(since: other).readings.isEmpty && changes(since: other).stations.count == 0
  }
}
