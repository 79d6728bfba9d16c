import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("The order of IDs")
struct RecordKeyOrderTests {
  private func key(_ text: String) throws -> RecordKey {
    .number(try #require(JSONNumber(text)))
  }

  private func isSorted(_ keys: [RecordKey]) -> Bool {
    RecordKeyOrder(keys).places.map { keys[$0] } == keys.sorted()
  }

  @Test("Integers of any size are ordered by value, before strings")
  func integers() throws {
    let texts = [
      "0", "-0", "1", "-1", "12", "9223372036854775807", "-9223372036854775808",
      "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
      "1152921504606846976", "-99999999999999999999999", "99999999999999999999998",
      "99999999999999999999999", "-99999999999999999999998",
    ]
    let keys = try texts.map(key) + texts.map(RecordKey.string)
    expectTrue(isSorted(keys) && isSorted(keys.reversed()))
    let decimals = try ["1.5", "2e3", "-0.5", "12.25", "2000"].map(key)
    expectTrue(isSorted(keys + decimals))
  }

  @Test("Strings are ordered by their bytes, with any shared prefixes")
  func strings() {
    let prefixes = ["", "a", "aaaaaaa", "aaaaaaaa", "https://example.com/users/", "é", "\0"]
    let ends = ["", "\0", "\0\0", "\0\0\0\0\0\0\0\0\0", "a", "b", "aaaaaaaaaaaaaaaaa", "ü", "z9"]
    let texts = prefixes.flatMap { prefix in ends.flatMap { [prefix + $0, prefix + $0 + "x"] } }
    let keys = Set(texts.map(RecordKey.string))
    expectTrue(isSorted(Array(keys)))
  }

  @Test("Keys of few letters and of every length, in any number, are ordered", arguments: 0..<30)
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(in range: Range<Int>) -> Int { .random(in: range, using: &random) }
    let letters = ["a", "b", "\0", "é"]
    let keys = try (0..<number(in: 0..<200)).map { _ -> RecordKey in
      let length = number(in: 0..<24)
      if number(in: 0..<3) == 0 {
        let digits = (0...length).map { _ in "\(number(in: 1..<3))" }.joined()
        return try key((number(in: 0..<2) == 0 ? "-" : "") + digits)
      }
      let shared = number(in: 0..<2) == 0 ? "aaaaaaaaa" : ""
      return .string(shared + (0..<length).map { _ in letters[number(in: 0..<4)] }.joined())
    }
    expectTrue(isSorted(keys))
  }

  /// Keys of one kind, in no order.
  private func keys(_ kind: String, _ count: Int) throws -> [RecordKey] {
    try (0..<count).map { index in
      let shuffled = index &* 48_271 % count
      return switch kind {
      case "short": .string("\(shuffled)")
      case "prefix": .string("user_00\(shuffled)")
      case "url": .string("https://example.com/api/v1/users/\(shuffled)/profile")
      case "huge": try key("\((UInt64(1) << 63) + UInt64(shuffled))")
      default: try key("\((1 << 60) + shuffled)")
      }
    }
  }

  @Test("Ordering reads each text a few times for any length of the shared prefix")
  func work() throws {
    let count = 20_011
    for kind in ["short", "prefix", "url", "huge"] {
      let order = RecordKeyOrder(try keys(kind, count))
      #expect(order.textReads <= 8 * count, "\(kind): \(order.textReads)")
    }
    expectEqual(RecordKeyOrder(try keys("large", count)).textReads, 0)
  }
}
