import EntiaCoding
import EntiaDatabase
import EntiaTestDomains
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
    #expect(text("a\"</script>") == #""a\"</script>""#)
    #expect(text(true) == "true")
    #expect(text(UInt64.max) == "18446744073709551615")
    #expect(text(-0.5) == "-0.5")
    #expect(text(Double.nan) == "\"nan\"")
    #expect(text(Float.infinity) == "\"inf\"")
    #expect(text(Decimal(string: "1.10") as Any) == "1.1")
    #expect(text(Int?.none as Any) == "null")
    #expect(text(Int??.some(.some(3)) as Any) == "3")
    #expect(text(Date(timeIntervalSince1970: 0.25)) == "\"1970-01-01T00:00:00.25Z\"")
    #expect(
      text(try #require(URL(string: "https://entia.example/a"))) == "\"https://entia.example/a\"")
    #expect(text(Data([1, 2])) == "\"AQI=\"")
    #expect(text(["b", "a"]) == #"["b","a"]"#)
    #expect(text(Set([3, 1, 2])) == "[1,2,3]")
    #expect(text(["b": 2, "a": 1]) == #"{"a":1,"b":2}"#)
    #expect(text([1: true]) == #"{"1":true}"#)
    #expect(text([AnyHashable("1"): 1, AnyHashable(1): 2]) == #"[["1",1],[1,2]]"#)
    #expect(text(Suit.hearts) == "\"hearts\"")
    #expect(text(Plain.off) == "\"off\"")
    #expect(text(Shape.circle(radius: 2)) == #"{"circle":{"radius":2}}"#)
    #expect(text(Shape.size(1, height: 2)) == #"{"size":{".0":1,"height":2}}"#)
    #expect(text(Slug(rawValue: "a")) == "\"a\"")
    #expect(text(Point(x: 1, y: 2.5)) == #"{"x":1,"y":2.5}"#)
    #expect(text(Empty()) == "\"Empty()\"")
    #expect(text(Book.EntityID("b1")) == "\"b1\"")
    #expect(text([Shelf.EntityID(7)]) == "[7]")
  }

  @Test("Objects and deep values end")
  func deep() {
    let node = Node()
    node.next = node
    #expect(text(node).contains("Node"))
    var chain = Chain.end
    for _ in 0..<1000 { chain = .link(chain) }
    #expect(text(chain).contains("…"))
  }
}
