import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Groups, sections and summaries")
struct GroupingTests {
  let store: Store

  init() throws {
    store = try Store([
      Disc(id: 1, title: "a", year: 3, rating: 2), Disc(id: 2, title: "b", year: 1),
      Disc(id: 3, title: "a", year: 3, rating: .nan), Disc(id: 4, title: "c", year: 2, rating: -1),
      Disc(id: 5, title: "b", year: 3, seconds: 9),
    ])
  }

  @Test("Groups are in the order of their first entities; a section begins where the key changes")
  func groups() {
    let all = FetchDescriptor<Disc>()
    let groups = store.fetchGrouped(all, by: \.title)
    expectEqual(groups.map(\.key), ["a", "b", "c"])
    expectEqual(groups.map { $0.entities.map(\.id) }, [[1, 3], [2, 5], [4]])
    let sections = store.fetchSections(all, by: \.title)
    expectEqual(sections.map(\.key), ["a", "b", "a", "c", "b"])
    let sorted = FetchDescriptor<Disc>(sortBy: [SortDescriptor(\.year)])
    expectEqual(store.fetchSections(sorted, by: \.year).map(\.key), [1, 2, 3])
    expectEqual(
      store.fetchSections(sorted, by: \.year).map { $0.entities.map(\.id) }.last, [1, 3, 5])
    let counts = store.fetchCounts(sorted, by: \.year)
    expectTrue(counts.map(\.key) == [1, 2, 3] && counts.map(\.count) == [1, 1, 3])
  }

  @Test("Summaries of a field, of all and by key")
  func summaries() {
    let all = FetchDescriptor<Disc>()
    let years = store.fetchSummary(all, of: \.year)
    expectTrue(years.count == 5 && years.sum == 12 && years.minimum == 1 && years.maximum == 3)
    #expect(abs((years.average ?? 0) - 2.4) < 1e-12)
    let none = store.fetchSummary(FetchDescriptor<Disc> { _ in false }, of: \.year)
    expectTrue(none.count == 0 && none.sum == 0 && none.minimum == nil && none.average == nil)
    let byTitle = store.fetchSummaries(all, of: \.year, by: \.title)
    expectEqual(byTitle.map(\.key), ["a", "b", "c"])
    expectTrue(
      byTitle.map(\.summary.sum) == [6, 4, 2] && byTitle.map(\.summary.count) == [2, 2, 1])
  }

  @Test("A sum and a mean do not depend on intermediate results that are out of range")
  func ranges() {
    func summary(_ ratings: [Double]) -> FetchSummary<Double> {
      var summary = FetchSummary<Double>()
      for rating in ratings { summary.add(rating, by: Double.fetchOperations) }
      return summary
    }
    expectEqual(summary([1e308, -1e308]).average, 0)
    expectEqual(summary([.infinity, 1]).average, .infinity)
    expectEqual(summary([.infinity, .infinity]).average, .infinity)
    let large = summary([1e308, 1e308, -1e308]).average ?? 0
    #expect(abs(large / 1e308 - 1 / 3) < 1e-12)
    func sum(_ numbers: [Int8]) -> Int8? {
      var summary = FetchSummary<Int8>()
      for number in numbers { summary.add(number, by: Int8.fetchOperations) }
      return summary.sum
    }
    expectTrue(sum([127, 1, -5]) == 123 && sum([-5, 127, 1]) == 123)
    expectTrue(sum([-128, -1, 1]) == -128 && sum([-128, -1]) == nil && sum([127, 127]) == nil)
    expectEqual(sum([127, 127, 127, -128, -128, -124]), 1)
  }

  @Test("Summaries of an optional field leave out nil and NaN")
  func optionals() {
    let all = FetchDescriptor<Disc>()
    let ratings = store.fetchSummary(all, of: \.rating)
    expectTrue(ratings.count == 2 && ratings.sum == 1 && ratings.average == 0.5)
    expectTrue(ratings.minimum == -1 && ratings.maximum == 2)
    let byTitle = store.fetchSummaries(all, of: \.rating, by: \.title)
    expectEqual(byTitle.map(\.key), ["a", "b", "c"])
    expectEqual(byTitle.map(\.summary.count), [1, 0, 1])
    expectEqual(store.fetchMinimum(all, of: \.rating), -1)
    expectEqual(store.fetchMaximum(all, of: \.rating), 2)
    let none = store.fetchSummary(FetchDescriptor<Disc> { $0.rating == nil }, of: \.rating)
    expectTrue(none.count == 0 && none.sum == 0 && none.minimum == nil && none.average == nil)
  }

  @Test("Summaries of decimal numbers are exact, and leave out NaN")
  func decimals() {
    let all = FetchDescriptor<Disc>()
    let prices = store.fetchSummary(all, of: \.price)
    expectTrue(prices.sum == Decimal(string: "1.2") && prices.count == 4)
    #expect(abs((prices.average ?? 0) - 0.3) < 1e-12)
    expectTrue(prices.minimum == Decimal(string: "0.1") && prices.maximum == Decimal(string: "0.5"))
    expectEqual(store.fetchMinimum(all, of: \.price), Decimal(string: "0.1"))
    expectEqual(store.fetchMaximum(all, of: \.price), Decimal(string: "0.5"))
    let greatest = Decimal.greatestFiniteMagnitude
    expectTrue(Decimal.fetchOperations.sum(greatest, greatest).overflow != 0)
    expectEqual(store.fetchSummary(all, of: \.discount).sum, Decimal(string: "0.1"))
  }

  @Test("A sum beyond its type is nil, and the average is still there")
  func overflow() throws {
    let store = try Store([Disc(id: 1, seconds: 200), Disc(id: 2, seconds: 100)])
    let seconds = store.fetchSummary(FetchDescriptor<Disc>(), of: \.seconds)
    expectTrue(seconds.sum == nil && seconds.average == 150 && seconds.maximum == 200)
  }

  @Test("Minimum and maximum: by an index in its order, else by a scan; NaN is no number")
  func extremes() throws {
    let all = FetchDescriptor<Disc>()
    expectTrue(store.fetchMinimum(all, of: \.year) == 1 && store.fetchMaximum(all, of: \.year) == 3)
    expectEqual(store.fetchMaximum(all, of: \.title), "c")
    let live = FetchDescriptor<Disc>(predicate: #Predicate { $0.isLive })
    expectNil(store.fetchMinimum(live, of: \.year))
    let two = FetchDescriptor<Disc>(fetchLimit: 2)
    expectTrue(store.fetchMinimum(two, of: \.year) == 1 && store.fetchMaximum(two, of: \.id) == 2)
    let rated = FetchDescriptor<Disc>(predicate: #Predicate { $0.rating != nil })
    expectEqual(store.fetchSummary(rated, of: \.stars).maximum, 2)
    expectEqual(store.fetchMaximum(rated, of: \.stars), 2)
    expectEqual(store.fetchMinimum(rated, of: \.stars), -1)
  }
}

extension Disc {
  fileprivate var price: Decimal { id == 3 ? .nan : Decimal(id) / 10 }
  fileprivate var discount: Decimal? { id == 1 ? price : nil }
  fileprivate var stars: Double { rating ?? .nan }
}
