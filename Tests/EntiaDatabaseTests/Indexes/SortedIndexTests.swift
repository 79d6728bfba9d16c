import EntiaCollections
import Testing

@testable import EntiaDatabase

@Suite("Indexes.Sorted")
struct SortedIndexTests {
  let catalog: Catalog

  init() throws {
    catalog = try Catalog([
      Track(id: 4, title: "Anna", year: 1970, rating: .nan),
      Track(id: 1, title: "anthem", year: 1960, rating: 2),
      Track(id: 3, title: "Zoo", year: 1965, rating: 1),
      Track(id: 2, title: "Bird", year: 1965, rating: 3),
      Track(id: 5, title: "Án", year: 0, rating: 5),
    ])
  }

  @Test("IDs are in the order of the keys, and of the IDs where keys are equal")
  func order() {
    #expect(Array(catalog.byYear.ids()) == [5, 1, 2, 3, 4])
    #expect(Array(catalog.byYear.ids().reversed()) == [4, 3, 2, 1, 5])
    #expect(catalog.byYear.count == 5)
  }

  @Test("Ranges of every kind")
  func ranges() {
    let index = catalog.byYear
    #expect(Array(index.ids(in: 1960..<1970)) == [1, 2, 3])
    #expect(Array(index.ids(in: 1960...1965)) == [1, 2, 3])
    #expect(Array(index.ids(in: 1965...)) == [2, 3, 4])
    #expect(Array(index.ids(in: ..<1965)) == [5, 1])
    #expect(Array(index.ids(in: ...1965)) == [5, 1, 2, 3])
    #expect(Array(index.ids(in: ...)) == [5, 1, 2, 3, 4])
    #expect(Array(index.ids(for: 1965)) == [2, 3])
    #expect(Array(index.ids(after: 1965)) == [4])
    #expect(Array(index.ids(from: .excluding(1960), to: .excluding(1970))) == [2, 3])
    #expect(Array(index.ids(from: .including(1970), to: .including(1960))) == [])
    #expect(Array(index.ids(in: 1960..<1970).reversed()) == [3, 2, 1])
  }

  @Test("A range is a collection with positions in the whole index")
  func positions() {
    let ids = catalog.byYear.ids(in: 1960..<1970)
    #expect(ids.startIndex == 1 && ids.endIndex == 4 && ids.count == 3)
    #expect(ids[2] == 2 && Array(ids[2...]) == [2, 3] && ids.last == 3)
    #expect(ids.entries.map(\.key) == [1960, 1965, 1965])
  }

  @Test("First, last, nth and ranks")
  func ranks() {
    let index = catalog.byYear
    #expect(index.first == 5 && index.last == 4)
    #expect(index.firstKey == 0 && index.lastKey == 1970)
    #expect(index[2] == 2 && index[5] == nil && index[-1] == nil)
    #expect(index.rank(of: 1965) == 2 && index.rank(of: 1966) == 4)
    #expect(catalog.rank(of: 3, in: \.byYear) == 3)
    #expect(catalog.rank(of: 9, in: \.byYear) == nil)
    #expect(catalog.rank(of: 5, in: \.byRating) == nil)
    #expect(index.rank(of: Track(id: 3, title: "", year: 1965)) == 3)
    #expect(index.rank(of: Track(id: 3, title: "", year: 1966)) == nil)
    #expect(Catalog().byYear.first == nil && Catalog().byYear.lastKey == nil)
  }

  @Test("A condition leaves entities out; NaN comes last and is in no range with a bound")
  func partial() {
    let index = catalog.byRating
    #expect(Array(index.ids()) == [3, 1, 2, 4])
    #expect(Array(index.ids(in: 2...)) == [1, 2])
    #expect(Array(index.ids(in: ...2)) == [3, 1])
    #expect(Array(index.ids(for: .nan)) == [4] || Array(index.ids(for: .nan)) == [])
    #expect(index.coverage == .acceptedRows && catalog.byYear.coverage == .allRows)
    #expect(catalog.code.coverage == .rowsWithKey)
  }

  @Test("A closure's key, and prefixes of it")
  func prefixes() throws {
    let index = catalog.byTitle
    #expect(Array(index.ids(withPrefix: "an")) == [4, 1])
    #expect(Array(index.ids(withPrefix: "á")) == [5])
    // A mark that is a scalar of its own follows its letter; one that is not makes another letter.
    let marked = try Catalog([
      Track(id: 1, title: "x\u{30A}", year: 1), Track(id: 2, title: "e\u{301}", year: 1),
      Track(id: 3, title: "e", year: 1),
    ]).byTitle
    #expect(Array(marked.ids(withPrefix: "x")) == [1])
    #expect(Array(marked.ids(withPrefix: "e")) == [3])
    #expect(Array(index.ids(withPrefix: "")) == [4, 1, 2, 3, 5])
    #expect(Array(index.ids(withPrefix: "q")) == [])
    #expect(index.fields.map(\.path) == [nil])
  }

  @Test("Several keys, each in its direction")
  func severalKeys() {
    let index = catalog.byYearAndTitle
    #expect(Array(index.ids()) == [5, 1, 3, 2, 4])
    #expect(Array(index.ids(startingWith: 1965)) == [3, 2])
    #expect(Array(index.ids(startingFrom: .excluding(1960), to: .unbounded)) == [3, 2, 4])
    #expect(Array(index.ids(startingFrom: .unbounded, to: .including(1960))) == [5, 1])
    #expect(Array(index.ids(after: SortKeys(1965, Descending("M")))) == [2, 4])
    #expect(index.fields.map(\.isDescending) == [false, true])
    #expect(index.fields.map(\.path) == [\Track.year, \Track.title])
    #expect(index.lastKey?.description == "(1970, Anna)")
    #expect(index.coverage == .allRows)
  }

  @Test("Pages follow each other, whatever comes and goes between them")
  func pages() throws {
    var catalog = catalog
    let first = catalog.byYear.page(limit: 2)
    #expect(first.ids == [5, 1] && first.next == .init(key: 1960, id: 1))
    try catalog.performBatchUpdates { context in
      context.modifying.tracks.remove(1)
      context.modifying.tracks.insert(Track(id: 0, title: "", year: 1960))
      context.modifying.tracks.insert(Track(id: 6, title: "", year: 1961))
    }
    let second = catalog.byYear.page(after: first.next, limit: 2)
    #expect(second.ids == [6, 2])
    let third = catalog.byYear.page(after: second.next, limit: 2)
    #expect(third.ids == [3, 4] && third.next == nil)
    let back = catalog.byYear.page(after: second.next, limit: 2, reversed: true)
    #expect(back.ids == [6, 0] && back.next == .init(key: 1960, id: 0))
    let end = catalog.byYear.page(after: back.next, limit: 9, reversed: true)
    #expect(end.ids == [5] && end.next == nil)
    let none = catalog.byYear.page(after: first.next, limit: -1)
    #expect(none.ids == [] && none.next == first.next)
  }

  @Test("A search by values whose types are not known says the same")
  func searching() {
    func ids(_ found: FoundIDs<Track>?, reversed: Bool = false) -> [Track.EntityID]? {
      guard let found else { return nil }
      var result: [Track.EntityID] = []
      found.forEach(reversed: reversed) {
        result.append($0)
        return true
      }
      return result.count == found.count ? result : nil
    }
    let year = catalog.byYear
    #expect(ids(year.search(equal: [1965], from: .unbounded, to: .unbounded)) == [2, 3])
    #expect(ids(year.search(equal: [], from: .excluding(1960), to: .unbounded)) == [2, 3, 4])
    #expect(ids(year.search(equal: ["x"], from: .unbounded, to: .unbounded)) == nil)
    #expect(ids(year.search(equal: [], from: .including(1.5), to: .unbounded)) == nil)
    #expect(ids(year.search(equal: [1965, 1], from: .unbounded, to: .unbounded)) == nil)
    let both = catalog.byYearAndTitle
    #expect(ids(both.search(equal: [1965], from: .unbounded, to: .unbounded)) == [3, 2])
    #expect(ids(both.search(equal: [1965, "Zoo"], from: .unbounded, to: .unbounded)) == [3])
    #expect(ids(both.search(equal: [1965], from: .including("C"), to: .unbounded)) == [3])
    #expect(ids(both.search(equal: [1965], from: .unbounded, to: .excluding("Zoo"))) == [2])
    #expect(
      ids(both.search(equal: [1965], from: .including("A"), to: .including("Z")), reversed: true)
        == [2])
    #expect(ids(both.search(equal: [], from: .including(1960), to: .excluding(1970))) == [1, 3, 2])
    #expect(ids(both.search(equal: [1965], from: .including(5), to: .unbounded)) == nil)
    #expect(
      ids(both.search(equal: [1965, "Zoo"], from: .including(5), to: .unbounded)) == nil)
    #expect(ids(catalog.titles.search(equal: ["Zoo"], from: .unbounded, to: .unbounded)) == [3])
    #expect(ids(catalog.titles.search(equal: [], from: .unbounded, to: .unbounded)) == nil)
    #expect(ids(catalog.code.search(equal: ["x"], from: .unbounded, to: .unbounded)) == [])
  }
}
