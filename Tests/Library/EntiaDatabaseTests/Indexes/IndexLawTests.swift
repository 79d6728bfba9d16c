import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCollections

@Suite("Laws of indexes")
struct IndexLawTests {
  @Test("The laws of databases, with an index of every kind", arguments: StorageLaw.allCases)
  func feed(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 2 : 0, steps: 20, corpus: Corpus.storages)
    try StorageLaws(FeedSubject.self, runs: runs).check(law)
  }

  @Test("The laws of databases, with ages and answers", arguments: StorageLaw.allCases)
  func inbox(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 2 : 0, steps: 20, corpus: Corpus.storages)
    try StorageLaws(InboxSubject.self, runs: runs).check(law)
  }

  @Test("Law 47: ages and answers have only rows that exist, and no eviction removes what is kept")
  func eviction() throws {
    let runs = LawRuns(count: isScaled ? 4 : 0, steps: 40, corpus: Corpus.storages)
    try StorageLaws(InboxSubject.self, runs: runs).check(.evictionsSpareWhatIsKept)
  }

  @Test("Law 13: decoded indexes are those of the rows")
  func coding() throws {
    let runs = LawRuns(count: 1, steps: 12, corpus: Corpus.storages)
    try StorageLaws(FeedSubject.self, runs: runs).checkCoding()
  }

  @Test("A sorted index agrees with sorting and filtering every row")
  func againstScans() throws {
    var random = SeededGenerator(seed: 13)
    var feed = Feed()
    for _ in 0..<120 {
      do {
        try feed.performBatchUpdates { try FeedSubject.edit(&$0, using: &random) }
      } catch is BatchError {
        // Two have one key; nothing was done.
      }
      let sorted = feed.posts.sorted { ($0.year, $0.id) < ($1.year, $1.id) }
      let index = feed.byYear
      expectEqual(Array(index.ids()), sorted.map(\.entityID))
      expectEqual(index.ids().indices.map { index.ids()[$0] }, sorted.map(\.entityID))
      for year in 1959...1963 {
        expectEqual(
          Array(index.ids(in: year...)), sorted.filter { $0.year >= year }.map(\.entityID))
        expectEqual(Array(index.ids(in: ..<year)), sorted.filter { $0.year < year }.map(\.entityID))
        expectEqual(Array(index.ids(for: year)), sorted.filter { $0.year == year }.map(\.entityID))
      }
      for (rank, post) in sorted.enumerated() { expectEqual(index.rank(of: post), rank) }
      let several = feed.posts.sorted {
        ($0.year, $1.title, $0.id) < ($1.year, $0.title, $1.id)
      }
      expectEqual(Array(feed.byYearAndTitle.ids()), several.map(\.entityID))
      let prefixed = feed.posts.filter { $0.title.lowercased().hasPrefix("a") }
      expectEqual(Set(feed.byTitle.ids(withPrefix: "a")), Set(prefixed.map(\.entityID)))
      for group in 0..<6 {
        let user = User.EntityID(group)
        let members = feed.posts.filter { $0.authorID == user }.map(\.entityID)
        expectEqual(feed.byAuthor.count(in: user), members.count)
        expectEqual(feed.byAuthor.ids(in: user).sorted(), members.sorted())
      }
      expectEqual(feed.byAuthor.groups().sorted(), Set(feed.posts.map(\.authorID)).sorted())
    }
  }

  @Test("Law 22: upkeep is logarithmic in the rows, and rows and keys that do not change cost none")
  func work() throws {
    func feed(rows: Int) throws -> Feed {
      try Feed((0..<rows).map { Post(id: $0, title: "t\($0)", year: $0, code: "c\($0)") })
    }
    func work(_ feed: inout Feed, _ body: (inout BatchContext<Feed>) -> Void) throws -> Int {
      let before = feed
      let work = try TableWork.counting { try feed.performBatchUpdates { body(&$0) } }
      expectTrue(feed != before)
      return work.copiedNodes
    }
    func update(_ context: inout BatchContext<Feed>) {
      context.modifying.posts.updateIfExists(id: 7) {
        $0.year = 100
        $0.title = "new"
      }
    }
    var (few, many) = (try feed(rows: 125), try feed(rows: 6_000))
    let (small, large) = (try work(&few, update), try work(&many, update))
    expectTrue(small > 0 && large <= small + 40 && large <= 100)
    // The table's own path, and nothing of the indexes.
    let unrelated = try work(&many) { context in
      context.modifying.posts.updateIfExists(id: 7) { $0.length = 9 }
    }
    expectTrue(unrelated > 0 && unrelated <= 8)
    expectTrue(few.verify() == [] && many.verify() == [])
  }

  @Test("Within a batch, a key of many rows costs as much for each row as a key of few")
  func sharedKeys() {
    func comparisons(rows: Int) -> Int {
      var index = Indexes.Unique<Coupon, String>(\.code)
      let coupons = (0..<rows).map { Coupon(id: CouponNumber($0), code: "same") }
      for coupon in coupons { index.rowChanged(from: nil, to: coupon) }
      expectEqual(index.ids(for: "same"), coupons.map(\.entityID))
      // From both ends, so that the first row changes as well as the others.
      var (first, last) = (0, rows - 1)
      let before = CouponNumber.comparisons.count
      while first < last {
        for id in [first, last] { index.rowChanged(from: coupons[id], to: nil) }
        (first, last) = (first + 1, last - 1)
      }
      expectEqual(index.count, rows % 2)
      return (CouponNumber.comparisons.count - before) / rows
    }
    let (few, many) = (comparisons(rows: 125), comparisons(rows: 2_001))
    expectTrue(few > 0 && many <= few + 4, "\(few) and \(many)")
  }
}

private struct Coupon: EntityType, Identifiable {
  let id: CouponNumber
  var code: String
}

/// An ID that counts its comparisons.
private struct CouponNumber: Hashable, Sendable {
  final class Count: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    var count: Int { lock.withLock { number } }
    func add() { lock.withLock { number += 1 } }
  }

  static let comparisons = Count()
  let number: Int

  init(_ number: Int) { self.number = number }

  static func == (lhs: Self, rhs: Self) -> Bool {
    comparisons.add()
    return lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
