import EntiaLaws
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Laws of fetching")
struct FetchLawTests {
  /// Runs random histories; the closure judges every step.
  private func histories(
    _ judge: (Store, inout SeededGenerator, _ place: String) throws -> Void
  ) throws {
    for seed in LawRuns(count: 3, corpus: Corpus.storages).seeds {
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
        #expect(found == store.scan(descriptor).map(\.id), "\(place): \(explanation)")
        #expect(store.fetchIDs(descriptor).map(\.raw) == found, "\(place): \(explanation)")
        #expect(store.fetchCount(descriptor) == found.count, "\(place): \(explanation)")
        #expect(store.first(descriptor)?.id == found.first, "\(place): \(explanation)")
        served.formUnion(explanation.indexes)
        if !explanation.indexes.isEmpty, !explanation.isSorting { inOrder += 1 }
      }
    }
    // Otherwise nothing was compared.
    #expect(
      served.isSuperset(of: [
        "byYear", "byTitle", "byRating", "byYearAndTitle", "bySequel", "byColor", "byLabel",
        "crateDiscs", "discSequel", "primary key",
      ]))
    #expect(!served.contains("liveByTitle"))
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
        #expect(
          store.fetch(descriptor).map(\.id) == model(descriptor, in: store),
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
      #expect(all.sorted() == store.fetch(descriptor).map(\.id).sorted(), "\(place)")
      if !descriptor.sortBy.isEmpty || !descriptor.relatedSorts.isEmpty {
        #expect(all == store.fetch(descriptor).map(\.id))
      }
      descriptor.fetchLimit = random.number(in: 1..<5)
      var paged: [Int] = []
      var cursor: FetchCursor<Disc>?
      repeat {
        let page = store.fetchPage(descriptor, after: cursor)
        paged += page.entities.map(\.id)
        cursor = page.next
      } while cursor != nil && paged.count <= all.count
      #expect(paged == all, "\(place): \(store.explain(descriptor))")
    }
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
      #expect(found == wanted, "\(place)")
      comparisons += found.count
    }
    #expect(comparisons > 30)
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
      #expect(known == rest.filter { later.discs.contains(.init($0)) }, "\(place)")
    }
  }
}
