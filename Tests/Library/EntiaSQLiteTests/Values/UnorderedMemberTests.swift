import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Sets and dictionaries in columns")
struct UnorderedMemberTests {
  @Test("Equal rows have equal bytes, whatever the capacity of their collections is")
  func equalRows() throws {
    for id in 0..<20 {
      let rows = [1, 100, 1_000, 10_000].map { UnorderedRow(id: id, capacity: $0) }
      let cells = try rows.map { try checkStoredRow($0) }
      for other in cells { expectEqual(other, cells[0]) }
    }
  }

  @Test("Elements are in the order of their texts")
  func order() throws {
    try expectEqual(checkStored(Set([10, 9, 1])), .text("[1,10,9]"))
    try expectEqual(checkStored(["é": Set(["b", "a"])]), .text(#"{"é":["a","b"]}"#))
    try expectEqual(
      checkStored([UnorderedRow.Kind.third: 1, .first: 2]), .text(#"["first",2,"third",1]"#))
    try expectEqual(checkStored([2: "b", 10: "a", 1: "c"]), .text(#"{"1":"c","10":"a","2":"b"}"#))
    try expectEqual(checkStored([Set([[2], [1, 2]])]), .text("[[[1,2],[2]]]"))
  }

  /// A value with sets that its first values do not have.
  struct Late: Encodable {
    struct Erased: Encodable {
      let value: any Encodable
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Free: Encodable {
      let value: Any
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = value as? any Encodable { try container.encode(value) }
      }
    }
    enum Choice: Encodable {
      case none
      case words(Set<String>)
    }
    var maybe: Set<String>?
    var list: [Set<String>] = []
    var choice = Choice.none
    var erased = Erased(value: 1)
    var free = Free(value: 1)
  }

  @Test("A type is not known by values that have no set", arguments: [0, 1, 2, 3, 4])
  func lateSets(member: Int) throws {
    func late(capacity: Int) -> Late {
      var words = Set<String>(minimumCapacity: capacity)
      for number in 0..<20 { words.insert("w\(number)") }
      switch member {
      case 0: return Late(maybe: words)
      case 1: return Late(list: [words])
      case 2: return Late(choice: .words(words))
      case 3: return Late(erased: Late.Erased(value: words))
      default: return Late(free: Late.Free(value: words))
      }
    }
    let json = NestedJSON()
    for _ in 0..<40 { _ = try json.text(of: Late()) }
    let texts = try [1, 100, 1_000].map { try json.text(of: [late(capacity: $0)]) }
    expectEqual(texts, [texts[0], texts[0], texts[0]])
  }

  /// A row whose ID contains a set.
  struct Grouped: EntityType, Codable {
    struct Group: Hashable, Codable, Sendable { let names: Set<String> }
    typealias EntityIDRawType = Group
    var entityID: EntityID { EntityID(group) }
    let group: Group
  }

  @Test("An ID that contains a set is one key, whatever the capacity of the set is")
  func identifiers() throws {
    let coding = try idCoding(of: Grouped.self)
    let forms = try [1, 100, 1_000].map { capacity in
      var names = Set<String>(minimumCapacity: capacity)
      for number in 0..<20 { names.insert("n\(number)") }
      return try coding.idForm(of: Grouped.EntityID(.init(names: names)), RowEncoder())
    }
    for form in forms { expectEqual(form, forms[0]) }
  }
}
