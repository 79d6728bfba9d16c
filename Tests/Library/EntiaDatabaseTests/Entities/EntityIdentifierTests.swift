import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

private struct Named: EntityType, Identifiable { let id: String }
private struct Numbered: EntityType, Identifiable { let id: Int }
private struct Unique: EntityType, Identifiable { let id: UUID }
private struct Small: EntityType, Identifiable { let id: UInt8 }
private struct Seat: EntityType {
  struct Place: Hashable, Codable { var row: Int, seat: String }
  typealias EntityIDRawType = Place
  var entityID: EntityID { .init(place) }
  var place: Place
  static var entityName: String { "seat" }
}

@Suite("IDs of entities")
struct EntityIdentifierTests {
  @Test("Literals and interpolations of the raw type")
  func literals() {
    let name: Named.EntityID = "n1"
    let character: Named.EntityID = "x"
    let number: Numbered.EntityID = 7
    let index = 1
    expectTrue(name == .init("n1") && name == "n\(index)")
    expectEqual(character.raw, "x")
    expectEqual(number.raw, 7)
    expectEqual(Named(id: "n1").entityID, name)
    expectEqual(Set<Named.EntityID>(["n1", "n2", "n1"]).count, 2)
  }

  @Test("Any hashable raw type serves, and tables find by it")
  func rawTypes() {
    let uuids = (0..<50).map { _ in UUID() }
    let unique = Tables.Hash(uuids.map { Unique(id: $0) })
    expectEqual(unique.find(in: uuids.map { .init($0) }).map(\.id), uuids)
    let places = (0..<50).map { Seat.Place(row: $0 / 7, seat: "s\($0 % 7)") }
    let seats = Tables.Hash(places.map { Seat(place: $0) })
    expectEqual(seats.find(in: places.map { .init($0) }).map(\.place), places)
    expectFalse(seats.contains(.init(.init(row: 99, seat: "s1"))))
    let small = Tables.Hash((0...UInt8.max).map { Small(id: $0) })
    expectTrue((0...UInt8.max).allSatisfy { small.find(by: .init($0))?.id == $0 })
  }

  @Test("Strings that are canonically equivalent are one ID")
  func equivalentStrings() {
    let composed: Named.EntityID = "caf\u{E9}"
    let decomposed: Named.EntityID = "cafe\u{301}"
    let kelvin: Named.EntityID = "\u{212A}"
    expectTrue(composed == decomposed && Set([composed, decomposed]).count == 1)
    let table = Tables.Hash([Named(id: "caf\u{E9}"), Named(id: "K")])
    expectTrue(table.contains(decomposed) && table.contains(kelvin))
    expectEqual(Set<Named.EntityID>(["K", kelvin]).count, 1)
  }

  @Test("As a dictionary's key, alone and inside another value")
  func dictionaryKeys() {
    struct Pair: Hashable {
      var name: Named.EntityID
      var number: Numbered.EntityID
    }
    var scores: [Named.EntityID: Int] = [:]
    for number in 0..<500 { scores["n\(number % 100)", default: 0] += 1 }
    expectTrue(scores.count == 100 && scores.values.allSatisfy { $0 == 5 })
    let pairs = Set((0..<100).map { Pair(name: "n\($0 % 10)", number: .init($0 % 4)) })
    expectEqual(pairs.count, 20)
    expectTrue(pairs.contains(Pair(name: "n3", number: 1)))
  }

  @Test("Coded as the bare raw value, and as an object's key")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func json(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    try expectEqual(json(["n1", "n2"] as [Named.EntityID]), #"["n1","n2"]"#)
    try expectEqual(json([7] as [Numbered.EntityID]), "[7]")
    let seat = Seat.EntityID(.init(row: 1, seat: "a"))
    try expectEqual(json(seat), #"{"row":1,"seat":"a"}"#)
    try expectEqual(JSONDecoder().decode(Seat.EntityID.self, from: encoder.encode(seat)), seat)
    let byName: [Named.EntityID: Int] = ["b": 2, "a": 1]
    let byNumber: [Numbered.EntityID: String] = [10: "x"]
    try expectEqual(json(byName), #"{"a":1,"b":2}"#)
    try expectEqual(json(byNumber), #"{"10":"x"}"#)
    let decoder = JSONDecoder()
    try expectEqual(
      decoder.decode([Named.EntityID: Int].self, from: Data(#"{"a":1,"b":2}"#.utf8)), byName)
    try expectEqual(
      decoder.decode([Numbered.EntityID: String].self, from: Data(#"{"10":"x"}"#.utf8)), byNumber)
    #expect(throws: DecodingError.self) {
      try decoder.decode([Numbered.EntityID: String].self, from: Data(#"{"ten":"x"}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try decoder.decode([Numbered.EntityID].self, from: Data(#"["7"]"#.utf8))
    }
  }

  @Test("Ordered as the raw values")
  func order() {
    expectEqual((["b", "a", "c"] as [Named.EntityID]).sorted().map(\.raw), ["a", "b", "c"])
    #expect((9 as Numbered.EntityID) < 10)
    expectEqual((["10", "9"] as [Named.EntityID]).min(), "10")
  }

  @Test("Descriptions for people and for programmers")
  func descriptions() {
    expectEqual("\(Named.EntityID("n1")) \(Numbered.EntityID(7))", "n1 7")
    expectEqual(String(reflecting: Named.EntityID("n1")), #"Named("n1")"#)
    expectEqual(String(reflecting: Numbered.EntityID(7)), "Numbered(7)")
    let seat = Seat.EntityID(.init(row: 1, seat: "a"))
    expectEqual(EntityLabel(seat).description, #"seat Place(row: 1, seat: "a")"#)
    expectEqual(EntityLabel(Named.EntityID("n1")).description, "Named n1")
  }
}
