import EntiaDatabase
import EntiaLaws
import Testing

@testable import EntiaCollections

@Suite("Laws of indexes")
struct IndexLawTests {
  @Test("The laws of databases, with an index of every kind", arguments: StorageLaw.allCases)
  func catalog(_ law: StorageLaw) throws {
    let runs = LawRuns(count: 10, steps: 20, corpus: Corpus.storages)
    try StorageLaws(CatalogSubject.self, runs: runs).check(law)
  }

  @Test("Law 13: decoded indexes are those of the rows")
  func coding() throws {
    let runs = LawRuns(count: 6, steps: 12, corpus: Corpus.storages)
    try StorageLaws(CatalogSubject.self, runs: runs).checkCoding()
  }

  @Test("A sorted index says what sorting and filtering every row says")
  func againstScans() throws {
    var random = SeededGenerator(seed: 13)
    var catalog = Catalog()
    for _ in 0..<120 {
      do {
        try catalog.performBatchUpdates { try CatalogSubject.edit(&$0, using: &random) }
      } catch is BatchError {
        // Two have one key; nothing was done.
      }
      let sorted = catalog.tracks.sorted { ($0.year, $0.id) < ($1.year, $1.id) }
      let index = catalog.byYear
      #expect(Array(index.ids()) == sorted.map(\.entityID))
      #expect(index.indicesOfAll.map { index[$0] } == sorted.map(\.entityID))
      for year in 1959...1963 {
        #expect(
          Array(index.ids(in: year...)) == sorted.filter { $0.year >= year }.map(\.entityID))
        #expect(Array(index.ids(in: ..<year)) == sorted.filter { $0.year < year }.map(\.entityID))
        #expect(Array(index.ids(for: year)) == sorted.filter { $0.year == year }.map(\.entityID))
      }
      for (rank, track) in sorted.enumerated() { #expect(index.rank(of: track) == rank) }
      let several = catalog.tracks.sorted {
        ($0.year, $1.title, $0.id) < ($1.year, $0.title, $1.id)
      }
      #expect(Array(catalog.byYearAndTitle.ids()) == several.map(\.entityID))
      let prefixed = catalog.tracks.filter { $0.title.lowercased().hasPrefix("a") }
      #expect(
        Set(catalog.byTitle.ids(withPrefix: "a")) == Set(prefixed.map(\.entityID)))
      for group in 0..<6 {
        let band = Band.EntityID(group)
        let members = catalog.tracks.filter { $0.bandID == band }.map(\.entityID)
        #expect(catalog.byBand.count(in: band) == members.count)
        #expect(catalog.byBand.sortedIDs(in: band) == members.sorted())
      }
      #expect(catalog.byBand.sortedGroups() == Set(catalog.tracks.map(\.bandID)).sorted())
      #expect(catalog.byBand.groupCount == catalog.byBand.groups().count)
    }
  }

  @Test("Law 22: upkeep is logarithmic in the rows, and rows and keys that do not change cost none")
  func work() throws {
    func work(rows: Int, _ body: (inout BatchContext<Catalog>) -> Void) throws -> Int {
      let tracks = (0..<rows).map { Track(id: $0, title: "t\($0)", year: $0, code: "c\($0)") }
      var catalog = try Catalog(tracks)
      let before = catalog
      let work = try TableWork.counting { try catalog.performBatchUpdates { body(&$0) } }
      #expect(catalog != before && catalog.verify() == [])
      return work.copiedNodes
    }
    func update(_ context: inout BatchContext<Catalog>) {
      context.modifying.tracks.updateIfExists(id: 7) {
        $0.year = 100
        $0.title = "new"
      }
    }
    let (small, large) = (try work(rows: 125, update), try work(rows: 8_000, update))
    #expect(small > 0 && large <= small + 40 && large <= 100)
    // The table's own path, and nothing of the indexes.
    let unrelated = try work(rows: 8_000) { context in
      context.modifying.tracks.updateIfExists(id: 7) { $0.length = 9 }
    }
    #expect(unrelated > 0 && unrelated <= 8)
  }
}

extension Indexes.Sorted {
  var indicesOfAll: Range<Int> { 0..<count }
}
