import EntiaCollections
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Indexes.Sorted")
struct SortedIndexTests {
  let feed: Feed

  init() throws {
    feed = try Feed([
      Post(id: 4, title: "Anna", year: 1970, rating: .nan),
      Post(id: 1, title: "anthem", year: 1960, rating: 2),
      Post(id: 3, title: "Zoo", year: 1965, rating: 1),
      Post(id: 2, title: "Bird", year: 1965, rating: 3),
      Post(id: 5, title: "Án", year: 0, rating: 5),
    ])
  }

  @Test("IDs are in the order of the keys, and of the IDs where keys are equal")
  func order() {
    expectEqual(Array(feed.byYear.ids()), [5, 1, 2, 3, 4])
    expectEqual(Array(feed.byYear.ids().reversed()), [4, 3, 2, 1, 5])
    expectEqual(feed.byYear.count, 5)
  }

  @Test("Ranges of every kind")
  func ranges() {
    let index = feed.byYear
    expectEqual(Array(index.ids(in: 1960..<1970)), [1, 2, 3])
    expectEqual(Array(index.ids(in: 1960...1965)), [1, 2, 3])
    expectEqual(Array(index.ids(in: 1965...)), [2, 3, 4])
    expectEqual(Array(index.ids(in: ..<1965)), [5, 1])
    expectEqual(Array(index.ids(in: ...1965)), [5, 1, 2, 3])
    expectEqual(Array(index.ids()), [5, 1, 2, 3, 4])
    expectEqual(Array(index.ids(for: 1965)), [2, 3])
    expectEqual(Array(index.ids(from: .excluding(1965), to: .unbounded)), [4])
    expectEqual(Array(index.ids(from: .excluding(1960), to: .excluding(1970))), [2, 3])
    expectEqual(Array(index.ids(from: .including(1970), to: .including(1960))), [])
    expectEqual(Array(index.ids(in: 1960..<1970).reversed()), [3, 2, 1])
  }

  @Test("A range is a collection with positions in the whole index")
  func positions() {
    let ids = feed.byYear.ids(in: 1960..<1970)
    expectTrue(ids.startIndex == 1 && ids.endIndex == 4 && ids.count == 3)
    expectTrue(ids[2] == 2 && Array(ids[2...]) == [2, 3] && ids.last == 3)
    expectEqual(ids.entries.map(\.key), [1960, 1965, 1965])
  }

  @Test("First, last, nth and ranks")
  func ranks() {
    let index = feed.byYear
    expectTrue(index.ids().first == 5 && index.ids().last == 4)
    expectTrue(index.ids().entries.first?.key == 0 && index.ids().entries.last?.key == 1970)
    expectEqual(index.ids()[2], 2)
    expectTrue(index.ids(in: ..<1965).count == 2 && index.ids(in: ..<1966).count == 4)
    expectEqual(feed.posts.find(by: 3).flatMap { index.rank(of: $0) }, 3)
    expectNil(feed.posts.find(by: 5).flatMap { feed.byRating.rank(of: $0) })
    expectEqual(index.rank(of: Post(id: 3, title: "", year: 1965)), 3)
    expectNil(index.rank(of: Post(id: 3, title: "", year: 1966)))
    expectTrue(Feed().byYear.ids().first == nil && Feed().byYear.ids().last == nil)
  }

  @Test("A condition excludes entities; NaN is last and in no range with a bound")
  func partial() {
    let index = feed.byRating
    expectEqual(Array(index.ids()), [3, 1, 2, 4])
    expectEqual(Array(index.ids(in: 2...)), [1, 2])
    expectEqual(Array(index.ids(in: ...2)), [3, 1])
    expectTrue(Array(index.ids(for: .nan)) == [4] || Array(index.ids(for: .nan)) == [])
    expectTrue(index.coverage == .acceptedRows && feed.byYear.coverage == .allRows)
    expectEqual(feed.code.coverage, .rowsWithKey)
  }

  @Test("A closure's key, and prefixes of it")
  func prefixes() throws {
    let index = feed.byTitle
    expectEqual(Array(index.ids(withPrefix: "an")), [4, 1])
    expectEqual(Array(index.ids(withPrefix: "á")), [5])
    // A mark that is a scalar of its own follows its letter; one that is not makes another letter.
    let marked = try Feed([
      Post(id: 1, title: "x\u{30A}", year: 1), Post(id: 2, title: "e\u{301}", year: 1),
      Post(id: 3, title: "e", year: 1),
    ]).byTitle
    let last = try Feed(
      [
        "a", "a\u{10FFFF}", "a\u{10FFFF}b", "a\u{10FFFF}\u{10FFFF}", "b", "é", "e\u{10FFFF}",
        "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}",
      ]
      .enumerated().map { Post(id: $0.offset, title: $0.element, year: 1) }
    ).byTitle
    expectEqual(Set(last.ids(withPrefix: "a")), [0, 1, 2, 3])
    expectEqual(Set(last.ids(withPrefix: "a\u{10FFFF}")), [1, 2, 3])
    expectEqual(Set(last.ids(withPrefix: "a\u{10FFFF}\u{10FFFF}")), [3])
    expectEqual(Set(last.ids(withPrefix: "e")), [6])
    expectEqual(Set(last.ids(withPrefix: "e\u{301}")), [5])
    expectEqual(Set(last.ids(withPrefix: "\u{10FFFF}")), [7, 8])
    expectEqual(last.ids(withPrefix: "").count, 9)
    expectEqual(Array(marked.ids(withPrefix: "x")), [1])
    expectEqual(Array(marked.ids(withPrefix: "e")), [3])
    expectEqual(Array(index.ids(withPrefix: "")), [4, 1, 2, 3, 5])
    expectEqual(Array(index.ids(withPrefix: "q")), [])
    expectEqual(index.fields.map(\.path), [nil])
  }

  @Test("Several keys, each in its direction")
  func severalKeys() {
    let index = feed.byYearAndTitle
    expectEqual(Array(index.ids()), [5, 1, 3, 2, 4])
    expectEqual(Array(index.ids(startingWith: 1965)), [3, 2])
    expectEqual(Array(index.ids(startingFrom: .excluding(1960), to: .unbounded)), [3, 2, 4])
    expectEqual(Array(index.ids(startingFrom: .unbounded, to: .including(1960))), [5, 1])
    expectEqual(
      Array(index.ids(from: .excluding(SortKeys(1965, Descending("M"))), to: .unbounded)), [2, 4])
    expectEqual(index.fields.map(\.isDescending), [false, true])
    expectEqual(index.fields.map(\.path), [\Post.year, \Post.title])
    expectEqual(index.ids().entries.last?.key.description, "(1970, Anna)")
    expectEqual(index.coverage, .allRows)
  }

  @Test("One field has its own type as key, in both directions")
  func oneKey() throws {
    let posts = Array(feed.posts)
    var byYear = Indexes.Sorted(by: \Post.year)
    byYear.rebuild { visit in posts.forEach(visit) }
    expectEqual(Array(byYear.ids(in: 1960..<1970)), [1, 2, 3])
    expectTrue(byYear.fields.map(\.path) == [\Post.year] && byYear.coverage == .allRows)
    var latest = Indexes.Sorted(by: .descending(\Post.year), where: { $0.year > 0 })
    latest.rebuild { visit in posts.forEach(visit) }
    expectEqual(Array(latest.ids()), [4, 2, 3, 1])
    expectEqual(Array(latest.ids(in: Descending(1965)...)), [2, 3, 1])
    expectEqual(latest.fields.map(\.isDescending), [true])
    let spelled: Indexes.Sorted<Post, Descending<Int>> = .init(by: .descending(\.year))
    expectTrue(spelled.ids(for: Descending(1)).isEmpty)
    // Rows without a value are left out.
    let byCode: Indexes.Sorted<Post, String> = .init(by: \Post.code)
    expectTrue(byCode.ids(withPrefix: "").isEmpty && byCode.coverage == .rowsWithKey)
  }

  @Test("Plain key paths are ascending, and mix with directions")
  func mixedKeys() {
    func order<Key>(_ index: Indexes.Sorted<Post, Key>) -> [Post.EntityID] {
      var index = index
      index.rebuild { visit in
        for id in 0..<8 {
          visit(Post(id: id, title: "\(id & 1)", year: id >> 2, length: id >> 1 & 1))
        }
      }
      return Array(index.ids())
    }
    expectEqual(order(.init(by: \.year, \.title)), [0, 2, 1, 3, 4, 6, 5, 7])
    expectEqual(order(.init(by: \.year, .descending(\.title))), [1, 3, 0, 2, 5, 7, 4, 6])
    expectEqual(order(.init(by: .descending(\.year), \.title)), [4, 6, 5, 7, 0, 2, 1, 3])
    expectEqual(
      order(.init(by: .descending(\.year), .descending(\.title))), [5, 7, 4, 6, 1, 3, 0, 2])
    expectEqual(order(.init(by: \.title, \.year, \.length)), [0, 2, 4, 6, 1, 3, 5, 7])
    expectEqual(order(.init(by: \.title, \.year, .descending(\.length))), [2, 0, 6, 4, 3, 1, 7, 5])
    expectEqual(order(.init(by: \.title, .descending(\.year), \.length)), [4, 6, 0, 2, 5, 7, 1, 3])
    expectEqual(
      order(.init(by: .ascending(\.title), .descending(\.year), .descending(\.length))),
      [6, 4, 2, 0, 7, 5, 3, 1])
    expectEqual(order(.init(by: .descending(\.title), \.year, \.length)), [1, 3, 5, 7, 0, 2, 4, 6])
    expectEqual(
      order(.init(by: .descending(\.title), .ascending(\.year), .descending(\.length))),
      [3, 1, 7, 5, 2, 0, 6, 4])
    expectEqual(
      order(.init(by: .descending(\.title), .descending(\.year), .ascending(\.length))),
      [5, 7, 1, 3, 4, 6, 0, 2])
    expectEqual(
      order(.init(by: .descending(\.title), .descending(\.year), .descending(\.length))),
      [7, 5, 3, 1, 6, 4, 2, 0])
    expectEqual(order(.init(by: \.rating, \.title, \.year, \.id)), [0, 2, 4, 6, 1, 3, 5, 7])
    expectEqual(
      order(
        .init(by: .ascending(\.rating), .descending(\.id), .ascending(\.title), .ascending(\.year))),
      [7, 6, 5, 4, 3, 2, 1, 0])
    let inferred = Indexes.Sorted(by: \Post.title, \.year, .descending(\.length))
    expectEqual(inferred.fields.map(\.path), [\Post.title, \Post.year, \Post.length])
    expectEqual(inferred.fields.map(\.isDescending), [false, false, true])
  }

  @Test("Three fields mix freely: each of the eight forms is the order of a sort")
  func mixedThreeKeys() {
    let posts = (0..<27).map {
      Post(id: $0, title: "\($0 % 3)", year: $0 / 3 % 3, length: $0 / 9)
    }
    func check<Key>(
      _ index: Indexes.Sorted<Post, Key>, _ isDescending: [Bool],
      _ location: SourceLocation = #_sourceLocation
    ) {
      var index = index
      index.rebuild { visit in posts.reversed().forEach(visit) }
      func key(_ post: Post) -> [Int] {
        // The digits of the ID by 3 are the three fields.
        zip([post.year, post.length, post.id % 3], isDescending).map { $1 ? -$0 : $0 } + [post.id]
      }
      let sorted = posts.sorted { key($0).lexicographicallyPrecedes(key($1)) }
      #expect(Array(index.ids()) == sorted.map(\.entityID), sourceLocation: location)
      #expect(index.fields.map(\.isDescending) == isDescending, sourceLocation: location)
      #expect(
        index.fields.map(\.path) == [\Post.year, \Post.length, \Post.title],
        sourceLocation: location)
    }
    check(Indexes.Sorted(by: \Post.year, \.length, \.title), [false, false, false])
    check(Indexes.Sorted(by: \Post.year, \.length, .descending(\.title)), [false, false, true])
    check(Indexes.Sorted(by: \Post.year, .descending(\.length), \.title), [false, true, false])
    check(
      Indexes.Sorted(by: \Post.year, .descending(\.length), .descending(\.title)),
      [false, true, true])
    check(Indexes.Sorted(by: .descending(\Post.year), \.length, \.title), [true, false, false])
    check(
      Indexes.Sorted(by: .descending(\Post.year), \.length, .descending(\.title)),
      [true, false, true])
    check(
      Indexes.Sorted(by: .descending(\Post.year), .descending(\.length), \.title),
      [true, true, false])
    check(
      Indexes.Sorted(by: .descending(\Post.year), .descending(\.length), .descending(\.title)),
      [true, true, true])
  }

  @Test("A key of several parts is compared part by part, whatever its number of parts")
  func keysOfParts() {
    let key = SortKeys(1, "a", Descending(2.5))
    expectTrue(key.description == "(1, a, 2.5)" && key.rest.first == "a")
    expectTrue(key < SortKeys(1, "a", Descending(2)) && key < SortKeys(1, "b", Descending(9)))
    expectTrue(key == SortKeys(1, "a", Descending(2.5)) && !(key < key))
    let four = SortKeys(1, Double.nan, 3, "d")
    expectTrue(four == four && four.hashValue == four.hashValue)
    expectTrue(SortKeys(1, 2.0, 9, "z") < four && four < SortKeys(1, Double.nan, 3, "e"))
    expectEqual(four.order(ofPart: 3, against: "e"), .before)
    expectEqual(four.order(ofPart: 1, against: 2.0), .unordered)
    expectTrue(
      four.order(ofPart: 4, against: 1) == nil && four.order(ofPart: 0, against: "") == nil)
  }

  @Test("Pages follow each other, whatever is inserted and removed between them")
  func pages() throws {
    var feed = feed
    let first = feed.byYear.page(limit: 2)
    expectTrue(first.ids == [5, 1] && first.next == .init(key: 1960, id: 1))
    try feed.performBatchUpdates { context in
      context.modifying.posts.remove(1)
      context.modifying.posts.insert(Post(id: 0, title: "", year: 1960))
      context.modifying.posts.insert(Post(id: 6, title: "", year: 1961))
    }
    let second = feed.byYear.page(after: first.next, limit: 2)
    expectEqual(second.ids, [6, 2])
    let third = feed.byYear.page(after: second.next, limit: 2)
    expectTrue(third.ids == [3, 4] && third.next == nil)
    let back = feed.byYear.page(after: second.next, limit: 2, reversed: true)
    expectTrue(back.ids == [6, 0] && back.next == .init(key: 1960, id: 0))
    let end = feed.byYear.page(after: back.next, limit: 9, reversed: true)
    expectTrue(end.ids == [5] && end.next == nil)
    let none = feed.byYear.page(after: first.next, limit: -1)
    expectTrue(none.ids == [] && none.next == first.next)
  }

  @Test("A search by values of unknown types gives the same result")
  func searching() {
    func ids<Key>(
      _ index: Indexes.Sorted<Post, Key>, _ values: [Any],
      from lower: ConditionBound = .unbounded, to upper: ConditionBound = .unbounded,
      reversed: Bool = false
    ) -> [Post.EntityID]? {
      guard let ranks = index.ranks(values, lower, upper) else { return nil }
      var result: [Post.EntityID] = []
      index.walk(IndexWalk(ranks: ranks, isReversed: reversed, start: nil)) {
        result.append($0)
        return true
      }
      return result.count == ranks.count ? result : nil
    }
    func ids(
      _ index: some SearchableIndex<Post>, _ value: Any
    ) -> [Post.EntityID]? { index.ids(equalTo: value)?.ids }
    let year = feed.byYear
    expectEqual(ids(year, [1965]), [2, 3])
    expectEqual(ids(year, [], from: .excluding(1960)), [2, 3, 4])
    expectNil(ids(year, ["x"]))
    expectNil(ids(year, [], from: .including(1.5)))
    expectNil(ids(year, [1965, 1]))
    let both = feed.byYearAndTitle
    expectEqual(ids(both, [1965]), [3, 2])
    expectEqual(ids(both, [1965, "Zoo"]), [3])
    expectEqual(ids(both, [1965], from: .including("C")), [3])
    expectEqual(ids(both, [1965], to: .excluding("Zoo")), [2])
    expectEqual(ids(both, [1965], from: .including("A"), to: .including("Z"), reversed: true), [2])
    expectEqual(ids(both, [], from: .including(1960), to: .excluding(1970)), [1, 3, 2])
    expectNil(ids(both, [1965], from: .including(5)))
    expectNil(ids(both, [1965, "Zoo"], from: .including(5)))
    expectEqual(ids(feed.titles, "Zoo"), [3])
    expectNil(ids(feed.titles, 5))
    expectEqual(ids(feed.code, "x"), [])
  }
}
