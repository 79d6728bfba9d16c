import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Numbers of an order")
struct OrderNumbersTests {
  @Test("New numbers lie between their neighbors, ascending, or there is no room")
  func between() throws {
    for (previous, next, count) in [
      (Int64?.none, Int64?.none, 3), (0, nil, 2), (nil, 0, 2), (0, 100, 99), (0, 3, 2),
      (.min, .max, 5), (-5, 5, 1),
    ] {
      let numbers = try #require(OrderNumbers.between(previous, next, count: count))
      var last = previous
      for index in 0..<count {
        if let last { #expect(last < numbers[index]) }
        last = numbers[index]
      }
      if let last, let next { #expect(last < next) }
    }
    expectNil(OrderNumbers.between(0, 1, count: 1))
    expectNil(OrderNumbers.between(0, 3, count: 3))
    expectNil(OrderNumbers.between(.max - 5, nil, count: 1))
    expectNil(OrderNumbers.between(nil, .min + 5, count: 1))
  }
}
