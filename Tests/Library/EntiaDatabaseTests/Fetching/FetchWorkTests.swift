import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Costs of fetches, and explain")
struct FetchWorkTests {
  /// Fetches, counts, and compares with the fetch that asks no index.
  private func work<Entity: EntityType>(
    _ store: Store, _ descriptor: FetchDescriptor<Entity>
  ) -> FetchWork {
    var work = FetchWork()
    expectEqual(store.fetch(descriptor, work: &work), store.scan(descriptor))
    return work
  }

  @Test("Law 22: a fetch that an index serves examines only its rows, whatever the table's size")
  func served() throws {
    for count in [400, 4_000] {
      let store = try Store.large(count)
      let year = count / 20
      let sorted = SortDescriptor<Disc>(\.year, order: .reverse)
      let equal = FetchDescriptor<Disc>(predicate: #Predicate { $0.year == year })
      expectEqual(work(store, equal).rowsExamined, 10)
      let range = FetchDescriptor<Disc>(
        predicate: #Predicate { $0.year >= year && $0.year < year + 3 })
      expectEqual(work(store, range).rowsExamined, 30)
      let top = FetchDescriptor<Disc>(sortBy: [sorted], fetchLimit: 15)
      expectEqual(work(store, top), FetchWork(examined: 15, returned: 15))
      let late = FetchDescriptor<Disc>(sortBy: [sorted], fetchLimit: 5, fetchOffset: 7)
      // The index knows which rows are passed over; they are not looked at.
      expectEqual(work(store, late), FetchWork(examined: 5, returned: 5))
      let both = FetchDescriptor<Disc>(
        predicate: #Predicate { $0.year < year },
        sortBy: [sorted, SortDescriptor(\.title, comparator: .lexical)], fetchLimit: 4)
      expectEqual(work(store, both), FetchWork(examined: 4, returned: 4))
      let fixed = FetchDescriptor<Disc>(
        predicate: #Predicate { $0.year == year },
        sortBy: [SortDescriptor(\.title, comparator: .lexical)], fetchLimit: 4)
      expectEqual(work(store, fixed), FetchWork(examined: 4, returned: 4))
      let years = [1, 3, year, 1]
      let among = FetchDescriptor<Disc>(predicate: #Predicate { years.contains($0.year) })
      expectEqual(work(store, among).rowsExamined, 30)
      let either = FetchDescriptor<Disc>(
        predicate: #Predicate { $0.year == 1 || ($0.year == 2 && !$0.isLive) })
      expectEqual(work(store, either).rowsExamined, 20)
      let sequel: Disc.EntityID? = 5
      let one = FetchDescriptor<Disc>(predicate: #Predicate { $0.sequelID == sequel })
      expectEqual(work(store, one), FetchWork(examined: 1, returned: 1))
      let label = FetchDescriptor<Crate>(predicate: #Predicate { $0.label == "c7" })
      expectEqual(work(store, label), FetchWork(examined: 1, returned: 1))
      let never = FetchDescriptor<Disc>(predicate: #Predicate { _ in false })
      expectEqual(work(store, never), FetchWork())
      let joined = FetchDescriptor<Disc>().joining(
        inverse: \Store.Contents.crateDiscs, #Predicate { $0.label == "c7" })
      let joinedWork = work(store, joined)
      expectTrue(joinedWork.rowsExamined == 1 && joinedWork.relatedRowsExamined <= 2)
      let page = store.fetchPage(
        FetchDescriptor(sortBy: [sorted], fetchLimit: 5),
        after: FetchCursor(after: Disc(id: year * 10 + 4, year: year)))
      expectEqual(page.entities.map(\.year), [Int](repeating: year, count: 5))
      expectEqual(page.entities.map(\.id), (5...9).map { year * 10 + $0 })
    }
  }

  @Test("Law 22: holders are examined until they decide, and without a condition not at all")
  func holders() throws {
    // Disc 0 has 1,000 holders, the others have none.
    let store = try Store((0..<1_000).map { Disc(id: $0, title: "t", sequelID: 0) })
    let quantifiers: [(JoinQuantifier, examined: Int, isMet: Bool)] = [
      (.any, 1, true), (.none, 1, false), (.all, 1_000, true), (.atLeast(0), 0, true),
      (.atLeast(3), 3, true), (.atLeast(1_001), 0, false), (.atMost(2), 3, false),
      (.atMost(1_000), 0, true), (.exactly(2), 3, false), (.exactly(1_000), 1_000, true),
    ]
    for (quantifier, examined, isMet) in quantifiers {
      let first = FetchDescriptor<Disc>(predicate: #Predicate { $0.id == 0 })
      let matching = first.joining(
        inverse: \Store.discSequel, #Predicate { $0.title != "x" }, matching: quantifier)
      expectEqual(work(store, matching).relatedRowsExamined, examined, "\(quantifier)")
      let counted = first.joining(inverse: \Store.discSequel, matching: quantifier)
      expectEqual(work(store, counted).relatedRowsExamined, 0, "\(quantifier)")
      expectTrue(store.fetch(matching).isEmpty != isMet, "\(quantifier)")
      expectTrue(store.fetch(counted).isEmpty != isMet, "\(quantifier)")
    }
    // If the first of three holders does not match, there are no three that match.
    let few = try Store(
      (0..<4).map { Disc(id: $0, title: $0 == 1 ? "x" : "t", sequelID: $0 > 0 ? 0 : nil) })
    let three = FetchDescriptor<Disc>(predicate: #Predicate { $0.id == 0 }).joining(
      inverse: \Store.discSequel, #Predicate { $0.title != "x" }, matching: .atLeast(3))
    expectEqual(work(few, three).relatedRowsExamined, 1)
    expectEqual(few.fetch(three), [])
  }

  @Test("A limit without an index keeps a heap: about one comparison for each row")
  func heap() throws {
    let store = try Store.large(4_000)
    let descriptor = FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.id)], fetchLimit: 10)
    let limited = work(store, descriptor)
    expectTrue(limited.rowsExamined == 4_000 && limited.rowsReturned == 10)
    #expect(limited.comparisons < 6_000)
    var all = descriptor
    all.fetchLimit = nil
    #expect(work(store, all).comparisons > 20_000)
  }

  @Test("Without a sort a limit ends the scan, and enumerate looks no further than it is let")
  func earlyExit() throws {
    let store = try Store.large(4_000)
    let plain = FetchDescriptor<Disc>(fetchLimit: 3, fetchOffset: 2)
    expectEqual(work(store, plain), FetchWork(examined: 5, returned: 3))
    let closure = FetchDescriptor<Disc>(fetchLimit: 3) { $0.id >= 0 }
    expectEqual(work(store, closure), FetchWork(examined: 3, returned: 3))
    var seen: [Int] = []
    store.enumerate(FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.year)])) { disc, stop in
      seen.append(disc.id)
      stop = seen.count == 4
    }
    expectEqual(seen, [0, 1, 2, 3])
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.enumerate(FetchDescriptor<Disc>()) { _, _ throws(Stop) in throw Stop() }
    }
  }

  /// Returns the explanation of a fetch as text.
  private func text<Entity: EntityType>(
    _ store: Store, _ descriptor: FetchDescriptor<Entity>
  ) -> String { store.explain(descriptor).description }

  @Test("explain of a scan")
  func explainedScans() throws {
    let store = try Store.large(400)
    expectEqual(
      text(store, FetchDescriptor<Disc>()),
      "Disc: 400 of 400 rows by a scan of the table; in the table's order, no sort")
    expectTrue(
      Store().explain(FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.rating)])).description
        .hasPrefix("Disc: 0 of 0 rows by a scan of the table; in the table's order, no sort"))
  }

  @Test("explain lists the index, its condition, the rows and the sort")
  func explainedIndexes() throws {
    let store = try Store.large(400)
    let year = SortDescriptor<Disc>(\.year, order: .reverse)
    expectEqual(
      text(store, FetchDescriptor<Disc>(predicate: #Predicate { $0.year >= 3 && $0.year < 7 })),
      "Disc: 40 of 400 rows by byYear (year from 3 below 7); put in the table's order")
    expectEqual(
      text(store, FetchDescriptor<Disc>(predicate: #Predicate { $0.year > 30 }, sortBy: [year])),
      "Disc: 90 of 400 rows by byYear (year above 30); in its order, no sort")
    expectEqual(
      text(store, FetchDescriptor<Disc>(sortBy: [year], fetchLimit: 50)),
      "Disc: 50 of 400 rows by byYear; in its order, no sort")
    expectEqual(
      text(
        store,
        FetchDescriptor<Disc>(
          predicate: #Predicate { $0.year == 3 },
          sortBy: [SortDescriptor(\.title, comparator: .lexical)])),
      "Disc: 10 of 400 rows by byYearAndTitle (year = 3); in its order, no sort")
    let sequel: Disc.EntityID? = 5
    expectEqual(
      text(store, FetchDescriptor<Disc>(predicate: #Predicate { $0.sequelID == sequel })),
      "Disc: 1 of 400 rows by bySequel (sequelID = 5); in its order, no sort")
    expectFalse(store.explain(FetchDescriptor<Disc>(sortBy: [year], fetchLimit: 0)).isSorting)
  }

  @Test("explain of a limit states the rows that are examined at most, and the matches that end it")
  func explainedLimits() throws {
    let store = try Store.large(400)
    let year = SortDescriptor<Disc>(\.year)
    let limited = FetchDescriptor<Disc>(
      predicate: #Predicate { $0.year > 30 }, sortBy: [year], fetchLimit: 5)
    expectEqual(
      text(store, limited),
      "Disc: at most 90 of 400 rows by byYear (year above 30); in its order, no sort, "
        + "ends after 5 matches")
    expectEqual(store.explain(limited).endsAfter, 5)
    expectEqual(work(store, limited).rowsExamined, 5)
    expectEqual(
      text(store, FetchDescriptor<Disc>(predicate: #Predicate { $0.seconds < 9 }, fetchLimit: 1)),
      """
      Disc: at most 400 of 400 rows by a scan of the table; in the table's order, no sort, ends \
      after 1 match
        no index on seconds: `@Index var … : Indexes.Sorted<Disc, UInt8> = .init(\\.seconds)` \
      would serve this
      """)
    // A limit that is not reached, and one that is exact, are no upper bounds.
    var all = limited
    all.fetchLimit = 90
    expectNil(store.explain(all).endsAfter)
    expectNil(store.explain(FetchDescriptor<Disc>(sortBy: [year], fetchLimit: 5)).endsAfter)
    // After a row, the rows before it are not visited.
    let pages = FetchDescriptor<Disc>(sortBy: [year], fetchLimit: 5)
    expectEqual(store.explain(pages).rowsExamined, 5)
  }

  @Test("explain names an index that would serve a sort by several fields")
  func explainedSorts() throws {
    let store = try Store.large(40)
    func notes(_ sort: [SortDescriptor<Disc>]) -> [String] {
      store.explain(FetchDescriptor<Disc>(sortBy: sort)).notes
    }
    func note(_ names: String, _ fields: String) -> [String] {
      [
        "no index has the order of \(names): "
          + "`@Index var … = Indexes.Sorted(by: \(fields))` would serve this"
      ]
    }
    let seconds = SortDescriptor<Disc>(\.seconds)
    let title = SortDescriptor<Disc>(\.title, comparator: .lexical)
    let turned = SortDescriptor<Disc>(\.title, comparator: .lexical, order: .reverse)
    expectEqual(notes([seconds, title]), note("seconds, title", #"\Disc.seconds, \.title"#))
    expectEqual(
      notes([turned, seconds]), note("title, seconds", #"\Disc.title, .descending(\.seconds)"#))
    expectEqual(
      notes([seconds, turned, SortDescriptor(\.year), SortDescriptor(\.id)]),
      note(
        "seconds, title, year, id",
        #".ascending(\Disc.seconds), .descending(\.title), .ascending(\.year), "#
          + #".ascending(\.id)"#))
    expectEqual(
      notes([seconds, SortDescriptor(\.decade)]),
      [
        "no index has the order of 2 fields of Disc, some of them computed: "
          + "an `Indexes.Sorted` by the same key paths would serve this"
      ])
    expectEqual(
      notes([title, SortDescriptor(\.rating)]),
      [
        "no index has the order of rating: an index leaves out rows without a value"
      ])
    // An index has the order.
    expectEqual(notes([SortDescriptor(\.year), turned]), [])
  }

  @Test("explain lists the two indexes of a union")
  func explainedUnions() throws {
    let store = try Store.large(400)
    expectEqual(
      text(
        store,
        FetchDescriptor<Crate>(predicate: #Predicate { $0.label == "c1" || $0.label == "c2" })),
      """
      Crate: 2 of 40 rows by byLabel (label = "c1") or byLabel (label = "c2"); put in the table's order
      """)
  }

  @Test("explain lists the relationship of a join")
  func explainedJoins() throws {
    let store = try Store.large(400)
    expectEqual(
      text(
        store,
        FetchDescriptor<Disc>().joining(
          inverse: \Store.Contents.crateDiscs, #Predicate { $0.label == "c7" })),
      """
      Disc: 10 of 400 rows by byLabel (label = "c7") through crateDiscs; put in the table's order
      """)
  }

  @Test("explain lists the parts that are left to evaluate")
  func explainedPredicates() throws {
    let store = try Store.large(400)
    let unknown = Predicate<Disc> { disc in
      let tags = PredicateExpressions.build_KeyPath(root: disc, keyPath: \.tags)
      return PredicateExpressions.build_contains(tags) { IsShort(text: $0, than: disc) }
    }
    expectEqual(
      text(
        store,
        FetchDescriptor(predicate: unknown, sortBy: [SortDescriptor(\.rating)], fetchLimit: 2)),
      """
      Disc: 400 of 400 rows by a scan of the table; sorted, the first 2 kept
        IsShort is left to Predicate.evaluate: it cannot be compiled
        no index has the order of rating: an index leaves out rows without a value
      """)
    #if canImport(Darwin)
      // Elsewhere every descriptor that can be made is known.
      expectEqual(
        text(
          store,
          FetchDescriptor<Disc>(
            sortBy: [SortDescriptor(\.title, comparator: .localizedStandard)], fetchLimit: 2)),
        """
        Disc: 400 of 400 rows by a scan of the table; sorted, the first 2 kept
          sort 1 is left to its own comparison, which is none that an index has
        """)
    #endif
  }

  @Test("A relationship of another database finds nothing, and explain states the reason")
  func foreign() throws {
    let library = try Library.sample()
    expectEqual(
      library.explain(FetchDescriptor<Disc>()).notes, ["this database has no table of Disc"])
    let joined = FetchDescriptor<Book>().joining(
      \Library.Contents.bookAuthor, #Predicate { $0.name == "Ann" })
    expectEqual(library.fetch(joined).map(\.rawID), ["b1", "b2"])
    let foreign = FetchDescriptor<Disc>().joining(
      \Foreign.discSequel, #Predicate { $0.year == 0 })
    let store = try Store.large(40)
    expectEqual(store.fetch(foreign), [])
    expectEqual(
      store.explain(foreign).notes, ["a relationship that is joined is not one of this database"])
  }

  /// The contents of another storage.
  struct Foreign: StorageContents {
    var discSequel = ToOne<Disc, Disc>(\.sequelID, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.relationship("discSequel", \.discSequel) }
  }

  @Test("IDs without an order: ties are in the table's order, and pages follow it")
  func unorderedIDs() throws {
    let posters = [4, 1, 3, 0, 2].map { Poster(number: $0, year: $0 % 2) }
    let store = try Store([], posters: posters)
    let descriptor = FetchDescriptor<Poster>(sortBy: [SortDescriptor(\.year)])
    expectEqual(store.fetch(descriptor).map(\.number), [4, 0, 2, 1, 3])
    for sort in [[], [SortDescriptor<Poster>(\.year, order: .reverse)]] {
      var paged = FetchDescriptor(sortBy: sort)
      let all = store.fetchPage(paged).entities
      expectEqual(all.map(\.number), sort.isEmpty ? [4, 1, 3, 0, 2] : [1, 3, 4, 0, 2])
      paged.fetchLimit = 2
      var found: [Poster] = []
      var cursor: FetchCursor<Poster>?
      repeat {
        let page = store.fetchPage(paged, after: cursor)
        found += page.entities
        cursor = page.next
      } while cursor != nil && found.count < 9
      expectEqual(found, all)
    }
  }

  @Test("NaN sorts after every number and nil before; a descending order reverses both")
  func notANumber() throws {
    let ratings: [Double?] = [2, .nan, 1, nil, 3]
    let store = try Store(ratings.enumerated().map { Disc(id: $0, rating: $1) })
    let forced = FetchDescriptor<Disc>(predicate: #Predicate { $0.rating! > 1 })
    expectEqual(store.fetch(forced).map(\.id), [0, 4])
    let sorted = FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.rating)])
    expectEqual(store.fetch(sorted).map(\.id), [3, 2, 0, 4, 1])
    let turned = FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.rating, order: .reverse)])
    expectEqual(store.fetch(turned).map(\.id), [1, 4, 0, 2, 3])
  }
}

extension FetchWork {
  fileprivate init(examined: Int, returned: Int) {
    self.init()
    rowsExamined = examined
    rowsReturned = returned
  }
}
