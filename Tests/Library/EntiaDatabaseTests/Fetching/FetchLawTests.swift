import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Laws of fetching")
struct FetchLawTests {
  /// Runs random histories; the closure judges every step.
  private func histories(
    _ judge: (Store, inout SeededGenerator, _ place: String) throws -> Void
  ) throws {
    for seed in LawRuns(count: 2, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var store = Store()
      for step in 0..<20 {
        try StoreEdits.edit(&store, &random)
        try judge(store, &random, "seed \(seed), step \(step)")
      }
    }
  }

  /// What a fetch must give, said as simply as can be: without plans, orders and heaps.
  private func model(_ descriptor: FetchDescriptor<Disc>, in store: Store) -> [Int] {
    var rows = store.discs.filter { disc in
      descriptor.predicate.map { PredicateTests.evaluate($0, disc) } ?? true
    }
    if !descriptor.sortBy.isEmpty {
      rows.sort { a, b in
        for sort in descriptor.sortBy {
          switch sort.compare(a, b) {
          case .orderedSame: continue
          case .orderedAscending: return true
          case .orderedDescending: return false
          }
        }
        return a.id < b.id
      }
    }
    let rest = rows.dropFirst(max(0, descriptor.fetchOffset ?? 0))
    return rest.prefix(max(0, descriptor.fetchLimit ?? .max)).map(\.id)
  }

  @Test("Law 19: every fetch with any index equals the same fetch without it")
  func indexesChangeNothing() throws {
    var served: Set<String> = []
    var inOrder = 0
    try histories { store, random, place in
      for _ in 0..<8 {
        let descriptor = RandomDescriptor.make(&random)
        let explanation = store.explain(descriptor)
        let found = store.fetch(descriptor).map(\.id)
        expectEqual(found, store.scan(descriptor).map(\.id), "\(place): \(explanation)")
        expectEqual(store.fetchIDs(descriptor).map(\.raw), found, "\(place): \(explanation)")
        expectEqual(store.fetchCount(descriptor), found.count, "\(place): \(explanation)")
        expectEqual(store.first(descriptor)?.id, found.first, "\(place): \(explanation)")
        served.formUnion(explanation.indexes)
        if !explanation.indexes.isEmpty, !explanation.isSorting { inOrder += 1 }
      }
    }
    // Otherwise nothing was compared.
    expectTrue(
      served.isSuperset(of: [
        "byYear", "byTitle", "byRating", "byYearAndTitle", "bySequel", "byColor", "byLabel",
        "crateDiscs", "discSequel", "primary key",
      ]))
    expectFalse(served.contains("liveByTitle"))
    #expect(inOrder > 20)
  }

  @Test("A fetch returns the same rows as filter, sort, dropFirst and prefix")
  func modelled() throws {
    try histories { store, random, place in
      for _ in 0..<6 {
        var descriptor = RandomDescriptor.make(&random)
        guard descriptor.filter == nil, descriptor.related.isEmpty, descriptor.relatedSorts.isEmpty
        else { continue }
        // A NaN has no place in the model's order.
        if store.discs.contains(where: { $0.rating?.isNaN == true }) {
          descriptor.sortBy.removeAll { $0.keyPath == \Disc.rating }
        }
        expectEqual(
          store.fetch(descriptor).map(\.id), model(descriptor, in: store),
          "\(place): \(store.explain(descriptor))")
      }
    }
  }

  @Test("Pages, one after the other, are the whole result, whatever their size")
  func pages() throws {
    try histories { store, random, place in
      var descriptor = RandomDescriptor.make(&random)
      descriptor.fetchLimit = nil
      descriptor.fetchOffset = nil
      let all = store.fetchPage(descriptor).entities.map(\.id)
      expectEqual(all.sorted(), store.fetch(descriptor).map(\.id).sorted(), "\(place)")
      if !descriptor.sortBy.isEmpty || !descriptor.relatedSorts.isEmpty {
        expectEqual(all, store.fetch(descriptor).map(\.id))
      }
      descriptor.fetchLimit = random.number(in: 1..<5)
      var paged: [Int] = []
      var cursor: FetchCursor<Disc>?
      repeat {
        let page = store.fetchPage(descriptor, after: cursor)
        paged += page.entities.map(\.id)
        cursor = page.next
      } while cursor != nil && paged.count <= all.count
      expectEqual(paged, all, "\(place): \(store.explain(descriptor))")
    }
  }

  @Test("A page after any row, also one that the fetch does not select, is that of a scan")
  func pagesAfterAnyRow() throws {
    var (inOrder, rows) = (0, 0)
    try histories { store, random, place in
      for _ in 0..<8 {
        let cursor = FetchCursor(after: Disc.random(id: random.number(in: -1..<13), &random))
        let descriptor =
          random.oneIn(2)
          ? RandomDescriptor.make(&random) : RandomDescriptor.fixingFields(&random)
        let page = store.fetchPage(descriptor, after: cursor)
        var started = descriptor
        started.start = .after(cursor)
        let explanation = store.explain(started)
        let message = "\(place): after \(cursor.entity): \(explanation)"
        expectEqual(page.entities.map(\.id), store.scan(started).map(\.id), "\(message)")
        let next = store.scanPage(descriptor, after: cursor).next
        expectEqual(page.next?.entity.id, next?.entity.id, "\(message)")
        if !explanation.indexes.isEmpty, !explanation.isSorting {
          inOrder += 1
          rows += page.entities.count
        }
      }
    }
    expectTrue(inOrder > 20 && rows > 20)
  }

  @Test("A page begins after a row that no longer meets the condition, in every order")
  func pageAfterChangedRow() throws {
    let discs = (10..<30).map { Disc(id: $0, title: "b\($0 % 2)", year: $0 / 4) }
    let store = try Store(discs)
    let even = #Predicate<Disc> { $0.title == "b0" }
    func page(
      _ sortBy: [SortDescriptor<Disc>], after disc: Disc, _ predicate: Predicate<Disc>? = nil
    ) -> [Int] {
      let descriptor = FetchDescriptor(
        predicate: predicate ?? even, sortBy: sortBy, fetchLimit: 3)
      let cursor = FetchCursor(after: disc)
      let page = store.fetchPage(descriptor, after: cursor)
      expectEqual(page, store.scanPage(descriptor, after: cursor))
      return page.entities.map(\.id)
    }
    for title in ["", "a", "b0", "b00", "b1", "z"] {
      let changed = Disc(id: 14, title: title, year: 3)
      expectEqual(page([], after: changed), [16, 18, 20])
      expectEqual(page([SortDescriptor(\.year)], after: changed), [16, 18, 20])
      expectEqual(page([SortDescriptor(\.year, order: .reverse)], after: changed), [10])
      // The order of the titles decides before the IDs.
      let wanted = title < "b0" ? [10, 12, 14] : title == "b0" ? [16, 18, 20] : []
      expectEqual(page([SortDescriptor(\.title, comparator: .lexical)], after: changed), wanted)
    }
    let fourth = #Predicate<Disc> { $0.year == 4 }
    let title = SortDescriptor(\Disc.title, comparator: .lexical, order: .reverse)
    expectEqual(page([title], after: Disc(id: 17, title: "b1", year: 9), fourth), [19, 16, 18])
    expectEqual(page([title], after: Disc(id: 17, title: "b1", year: 0), fourth), [19, 16, 18])
    expectEqual(
      page([SortDescriptor(\.year), title], after: Disc(id: 17, title: "b1", year: 9), fourth), [])
    expectEqual(
      page([SortDescriptor(\.year), title], after: Disc(id: 17, title: "b1", year: 0), fourth),
      [17, 19, 16])
    let list = [3, 4]
    let among = #Predicate<Disc> { list.contains($0.year) }
    expectEqual(page([], after: Disc(id: 14, title: "", year: 9), among), [15, 16, 17])
    let range = #Predicate<Disc> { $0.year >= 3 && $0.year < 5 }
    expectEqual(page([SortDescriptor(\.year)], after: Disc(id: 14, year: 0), range), [12, 13, 14])
    expectEqual(page([SortDescriptor(\.year)], after: Disc(id: 14, year: 9), range), [])
  }

  @Test("Rows that no edit touches are on one page each, in order, whatever happens in between")
  func pagesBetweenEdits() throws {
    var comparisons = 0
    try histories { store, random, place in
      var descriptor = RandomDescriptor.make(&random)
      descriptor.fetchLimit = nil
      descriptor.fetchOffset = nil
      // A row that no edit touches may be related to one that was edited.
      guard descriptor.related.isEmpty, descriptor.relatedSorts.isEmpty else { return }
      var current = store
      let all = store.fetchPage(descriptor).entities.map(\.id)
      descriptor.fetchLimit = random.number(in: 1..<4)
      var (paged, touched): ([Int], Set<Int>) = ([], [])
      var cursor: FetchCursor<Disc>?
      for _ in 0..<60 {
        let page = current.fetchPage(descriptor, after: cursor)
        paged += page.entities.map(\.id)
        cursor = page.next
        if cursor == nil { break }
        let before = current
        try StoreEdits.edit(&current, &random)
        let changes = current.changes(since: before).changes(of: Disc.self)
        touched.formUnion((changes.inserted + changes.removed).map(\.id))
        touched.formUnion(changes.updated.map(\.new.id))
      }
      let (found, wanted) = (
        paged.filter { !touched.contains($0) }, all.filter { !touched.contains($0) }
      )
      expectEqual(found, wanted, "\(place)")
      comparisons += found.count
    }
    #expect(comparisons > scaled(30))
  }

  @Test("A page continues after an entity that was changed or removed in between")
  func pagesGoOn() throws {
    try histories { store, random, place in
      var descriptor = RandomDescriptor.make(&random)
      descriptor.fetchLimit = random.number(in: 1..<4)
      descriptor.fetchOffset = nil
      let first = store.fetchPage(descriptor)
      guard let cursor = first.next else { return }
      var later = store
      try later.performBatchUpdates { context in
        context.modifying.discs.remove(cursor.entity.entityID)
      }
      descriptor.fetchLimit = nil
      // Removing a row may change which others are related to it.
      guard descriptor.related.isEmpty else { return }
      let rest = store.fetchPage(descriptor, after: cursor).entities.map(\.id)
      let known = later.fetchPage(descriptor, after: cursor).entities.map(\.id)
      expectEqual(known, rest.filter { later.discs.contains(.init($0)) }, "\(place)")
    }
  }
}
