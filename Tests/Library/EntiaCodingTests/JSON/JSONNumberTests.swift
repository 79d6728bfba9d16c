import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
  @Test("numbers of different spelling are different")
  func identity() throws {
    expectEqual(JSONNumber("1"), JSONNumber(1))
    expectTrue(JSONNumber("1") != JSONNumber("1.0"))
    try expectEqual(JSONText.parse(Array("1e400".utf8)).text, "1e400")
    expectEqual(JSONNumber("-0")?.isInteger, true)
    expectEqual(JSONNumber("1.0")?.isInteger, false)
    expectEqual(JSONNumber("12")?.integer, 12)
    expectNil(JSONNumber("99999999999999999999")?.integer)
  }

  @Test(
    "a text that is not a number is refused",
    arguments: ["", " 1", "1 ", "01", "+1", "1.", "a", "[1]"])
  func refused(text: String) { expectNil(JSONNumber(text)) }

  @Test("numbers of equal value compare equal in any spelling")
  func sameValue() throws {
    let groups = [
      ["0", "-0", "0.0", "0e5", "-0e-999999999999999999999"],
      ["100", "1e2", "1.00e2", "100.0", "1000e-1", "0.001e5", "1E+2", "1e0000000000000000000002"],
      ["-5", "-5.0", "-0.5e1", "-50e-1"],
      ["1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001"],
      ["1e-1000000000000000000", "0.1e-999999999999999999"],
      ["999999999999999999", "999999999999999999.0", "9.99999999999999999e17"],
      ["1000000000000000000", "1e18", "0.1e19"], ["-99999999999999999", "-9999999999999999.9e1"],
      ["-100000000000000000", "-1e17", "-1E+17"], ["1.5", "1.50", "15e-1", "0.15e1"],
    ]
    for group in groups {
      for left in group {
        for right in group {
          let left = try #require(JSONNumber(left))
          let right = try #require(JSONNumber(right))
          expectEqual(left.compareValue(to: right), 0, "\(left) and \(right)")
          expectEqual(left.valueText, right.valueText)
          expectEqual(left < right, left.text.utf8.lexicographicallyPrecedes(right.text.utf8))
        }
      }
    }
  }

  @Test("order is by value, exactly")
  func order() throws {
    let ascending = [
      "-1e99999999999999999999", "-1e400", "-123456789012345678901234567890", "-100", "-99.5", "-2",
      "-1", "-0.5", "-1e-400", "-1e-99999999999999999999", "0", "1e-99999999999999999999",
      "1e-400", "0.1", "0.10000000000000000000000000000000000000001", "0.2", "1", "1.5", "2", "9",
      "10", "99", "1e2", "100.00000000000000000000000000000001", "9007199254740992",
      "9007199254740993", "99999999999999999999", "100000000000000000000", "1e21", "1e400",
      "1.0000001e400", "1e99999999999999999999", "2e99999999999999999999",
      "1e100000000000000000000",
    ].map { JSONNumber($0) }
    for (left, first) in ascending.enumerated() {
      for (right, second) in ascending.enumerated() {
        let (first, second) = (try #require(first), try #require(second))
        expectEqual(first < second, left < right, "\(first) and \(second)")
        let order = first.compareValue(to: second)
        expectEqual(order.signum(), (left - right).signum(), "\(first) and \(second)")
        expectEqual(first.valueText == second.valueText, left == right, "\(first), \(second)")
      }
    }
  }
}
