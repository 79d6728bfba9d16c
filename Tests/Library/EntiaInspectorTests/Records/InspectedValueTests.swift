import EntiaCoding
import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaInspector

@Suite("Values of an inspected store")
struct InspectedValueTests {
  private enum Suit: String { case hearts }
  private enum Plain { case on, off }
  private enum Shape {
    case circle(radius: Int)
    case size(Int, height: Int)
  }
  private struct Slug: RawRepresentable { let rawValue: String }
  private struct Point { let x: Int, y: Double }
  private struct Empty {}
  private final class Node { var next: Node? }
  private indirect enum Chain {
    case end
    case link(Chain)
  }

  private func text(_ value: Any) -> String {
    String(decoding: JSONValue(inspecting: value).bytes(), as: UTF8.self)
  }

  @Test("Values become JSON, whether they are Codable or not")
  func values() throws {
    expectEqual(text("a\"</script>"), #""a\"</script>""#)
    expectEqual(text(true), "true")
    expectEqual(text(UInt64.max), "18446744073709551615")
    expectEqual(text(-0.5), "-0.5")
    expectEqual(text(Double.nan), "\"nan\"")
    expectEqual(text(Float.infinity), "\"inf\"")
    expectEqual(text(Decimal(string: "1.10") as Any), "1.1")
    expectEqual(text(Int?.none as Any), "null")
    expectEqual(text(Int??.some(.some(3)) as Any), "3")
    expectEqual(text(Date(timeIntervalSince1970: 0.25)), "\"1970-01-01T00:00:00.25Z\"")
    expectEqual(
      text(try #require(URL(string: "https://entia.example/a"))), "\"https://entia.example/a\"")
    expectEqual(text(Data([1, 2])), "\"AQI=\"")
    expectEqual(text(["b", "a"]), #"["b","a"]"#)
    expectEqual(text(Set([3, 1, 2])), "[1,2,3]")
    expectEqual(text(["b": 2, "a": 1]), #"{"a":1,"b":2}"#)
    expectEqual(text([1: true]), #"{"1":true}"#)
    expectEqual(text([AnyHashable("1"): 1, AnyHashable(1): 2]), #"[["1",1],[1,2]]"#)
    expectEqual(text(Suit.hearts), "\"hearts\"")
    expectEqual(text(Plain.off), "\"off\"")
    expectEqual(text(Shape.circle(radius: 2)), #"{"circle":{"radius":2}}"#)
    expectEqual(text(Shape.size(1, height: 2)), #"{"size":{".0":1,"height":2}}"#)
    expectEqual(text(Slug(rawValue: "a")), "\"a\"")
    expectEqual(text(Point(x: 1, y: 2.5)), #"{"x":1,"y":2.5}"#)
    expectEqual(text(Empty()), "\"Empty()\"")
    expectEqual(text(Book.EntityID("b1")), "\"b1\"")
    expectEqual(text([Shelf.EntityID(7)]), "[7]")
  }

  @Test("Objects and deep values end")
  func deep() {
    let node = Node()
    node.next = node
    expectTrue(text(node).contains("Node"))
    var chain = Chain.end
    for _ in 0..<1000 { chain = .link(chain) }
    expectTrue(text(chain).contains("…"))
  }
}
