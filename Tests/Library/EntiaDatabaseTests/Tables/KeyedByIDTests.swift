import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// Dictionaries that are keyed by IDs, of every kind of raw value.
@Suite("Dictionaries keyed by IDs are objects keyed by raw values")
struct KeyedByIDTests {
  private struct Row<Raw: Hashable & Sendable & Codable>: EntityType, Identifiable {
    let id: Raw
  }

  private enum Color: String, Codable { case red, green }
  private enum Level: Int, Codable {
    case low = 1
    case high = 2
  }
  private struct Code: RawRepresentable, Hashable, Codable { let rawValue: String }
  private struct Place: Hashable, Codable { var row: Int, seat: String }

  /// Encodes a dictionary, decodes it by both encoders, and returns its JSON.
  private func json<Raw: Hashable & Sendable & Codable>(_ raws: Raw...) throws -> String {
    typealias ID = Row<Raw>.EntityID
    var table: [ID: Int] = [:]
    for (number, raw) in raws.enumerated() { table[ID(raw)] = number }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(table)
    try expectEqual(JSONDecoder().decode([ID: Int].self, from: data), table)
    let list = try PropertyListEncoder().encode(table)
    try expectEqual(PropertyListDecoder().decode([ID: Int].self, from: list), table)
    return String(decoding: data, as: UTF8.self)
  }

  @Test("Strings, integers of every width and other numbers")
  func numbers() throws {
    try expectEqual(json("a", "b"), #"{"a":0,"b":1}"#)
    try expectEqual(json(7, -7), #"{"-7":1,"7":0}"#)
    try expectEqual(json(Int64.min), #"{"-9223372036854775808":0}"#)
    try expectEqual(json(UInt64.max), #"{"18446744073709551615":0}"#)
    try expectEqual(json(Int8(-1)), #"{"-1":0}"#)
    try expectEqual(json(UInt32(3)), #"{"3":0}"#)
    try expectEqual(json(0.5, .nan), #"{"0.5":0,"nan":1}"#)
    try expectEqual(json(true), #"{"true":0}"#)
  }

  @Test("Unique identifiers, enumerations and values that wrap one")
  func wrapped() throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    try expectEqual(json(id), #"{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":0}"#)
    try expectEqual(json(Color.red, .green), #"{"green":1,"red":0}"#)
    try expectEqual(json(Level.high), #"{"2":0}"#)
    try expectEqual(json(Code(rawValue: "x"), Code(rawValue: "7")), #"{"7":1,"x":0}"#)
    let url = try #require(URL(string: "https://entia.dev/a"))
    try expectEqual(json(url), #"{"https://entia.dev/a":0}"#)
  }

  @Test("Values of several parts, by their JSON text")
  func composed() throws {
    try expectEqual(json(Place(row: 1, seat: "a")), #"{"{\"row\":1,\"seat\":\"a\"}":0}"#)
  }

  @Test("A key that is not of the raw type is an error")
  func wrongKeys() throws {
    let data = Data(#"{"x": 1}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Row<Int64>.EntityID: Int].self, from: data)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Row<UUID>.EntityID: Int].self, from: data)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Row<Color>.EntityID: Int].self, from: data)
    }
  }
}
