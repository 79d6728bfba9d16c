import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Elements that are loaded")
struct LoadedElementsTests {
  @Test(
    "Numbers of an order sort rows stably, at any distances", arguments: LawRuns(count: 20).seeds)
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...300, using: &random)
    let step = Int64(1) << Int64.random(in: 0...40, using: &random)
    let bounds: [ClosedRange<Int64>] = [-3...3, -1_000...1_000, .min / step...Int64.max / step]
    let bound = bounds.randomElement(using: &random) ?? 0...0
    let numbers = (0..<count).map { _ in Int64.random(in: bound, using: &random) * step }
    let expected = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    let isAscending = expected == Array(numbers.indices)
    expectEqual(OrderNumbers.ascendingIndices(of: numbers), isAscending ? nil : expected)

    let elements = LoadedElements<String>()
    for number in numbers { elements.append { "a text that is not stored inline: \(number)" } }
    elements.arrange(by: expected)
    expectEqual(
      Array(elements), expected.map { "a text that is not stored inline: \(numbers[$0])" })
    expectEqual(elements.count, 0)
  }

  private final class Counted {
    nonisolated(unsafe) static var count = 0
    init() { Counted.count += 1 }
    deinit { Counted.count -= 1 }
  }

  @Test("Elements that were not moved out are released, the others once")
  func released() {
    do {
      let elements = LoadedElements<Counted>()
      for _ in 0..<100 { elements.append { Counted() } }
      expectEqual(elements.count, 100)
      for _ in 0..<30 { expectTrue(elements.next() != nil) }
      expectEqual(Counted.count, 70)
    }
    expectEqual(Counted.count, 0)
  }
}

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
