import EntiaCoding
import EntiaDatabase
import EntiaLocalServer
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

/// A value as a member of a row.
private struct Holder<Value: Codable>: Codable {
  let member: Value
}

@Suite(
  "The forms of values in jsonb", .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct JSONFormTests {
  /// Stores a value as a member of a row, reads it back, and returns what the server has.
  @discardableResult
  private func check<Value: Codable>(
    _ value: Value, by isSame: (Value, Value) -> Bool, _ location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let json = try FormDestination.json(of: Holder(member: value))
    let text = String(decoding: json.bytes(), as: UTF8.self)
    let server = try await LocalServer.shared()
    let result = try server.connection().run("SELECT ($1::jsonb)::text", [text])
    let stored = try #require(result.rows.first?.text(at: 0))
    let found = try FormSource(try JSONValue.parse(stored)).decode(Holder<Value>.self).member
    #expect(isSame(found, value), "\(found), \(stored)", sourceLocation: location)
    return String(stored.dropFirst(#"{"member": "#.count).dropLast())
  }

  @discardableResult
  private func check<Value: Codable & Equatable>(
    _ value: Value, _ location: SourceLocation = #_sourceLocation
  ) async throws -> String { try await check(value, by: ==, location) }

  @Test("Bool and integers of every width, over 2^63 too")
  func integers() async throws {
    try await expectEqual(check(true), "true")
    try await check(Int8.min)
    try await check(Int16.max)
    try await check(Int32.min)
    try await check(Int.max)
    try await check(Int64.min)
    try await check(UInt8.max)
    try await expectEqual(check(UInt64.max), "18446744073709551615")
    try await check(UInt.max)
  }

  @Test("Floating-point numbers with all their bits")
  func numbers() async throws {
    for number in [
      0.0, -0.0, 0.1, .infinity, -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
      .pi, 1e300, -1.5e20, 1e16, 123_456_789e40, 1e-7, .greatestFiniteMagnitude,
      Double(nan: 7, signaling: false),
    ] {
      try await check(number, by: { $0.bitPattern == $1.bitPattern })
      try await check([number], by: { $0[0].bitPattern == $1[0].bitPattern })
    }
    for number in [
      Float(0.1), -0.0, .nan, .infinity, Float(nan: 3, signaling: false), .greatestFiniteMagnitude,
      .leastNonzeroMagnitude,
    ] { try await check(number, by: { $0.bitPattern == $1.bitPattern }) }
    try await expectEqual(check(1e16), "10000000000000000.0")
  }

  @Test("Strings and names of members: empty, with NUL, with what looks like another form")
  func strings() async throws {
    for text in [
      "", "a\0b", "\0", "$", "$NaN", "$Infinity", "$text:", "$text:^", "^0", "^", "a^0\0^^b",
      "e\u{301}", "é", "😀", "\u{FFFF}", "\u{1}\u{1F}\"\\/", "null", "1",
    ] {
      let isSame: (String, String) -> Bool = { $0.utf8.elementsEqual($1.utf8) }
      try await check(text, by: isSame)
      try await check([text: 1])
      try await check([text])
    }
    try await check(String(repeating: "0123456789", count: 100_000))
  }

  @Test("Data, dates with their full precision, UUIDs, URLs and decimals")
  func foundation() async throws {
    try await check(Data())
    try await check(Data([0, 1, 255]))
    for seconds in [0, -0.0, 0.1, -1e9, 786_000_000.123_456_7, .pi] {
      try await check(Date(timeIntervalSinceReferenceDate: seconds))
    }
    try await check(Date.distantFuture)
    try await check(UUID())
    try await check(try #require(URL(string: "https://a.b/c?d=e#f")))
    let base = try #require(URL(string: "https://a.b/c/"))
    let relative = try #require(URL(string: "d", relativeTo: base))
    try await check(
      relative, by: { $0.relativeString == $1.relativeString && $0.baseURL == $1.baseURL })
    try await check(try #require(Decimal(string: "12345678901234567890.123456789")))
    try await check(Decimal.nan, by: { $0.isNaN && $1.isNaN })
  }

  enum Color: String, Codable { case red }
  enum Level: Int, Codable { case low = 1 }
  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case label(String, bold: Bool)
    case nothing
  }
  /// A type that accepts several types.
  enum Loose: Codable, Hashable, Sendable {
    case integer(Int)
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Int.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      }
    }
  }
  struct Optionals: Codable, Equatable {
    var text: String?
    var number: Int?
    var flag: Bool?
    var list: [Int]?
    var date: Date?
    var shape: Shape?
  }
  struct Empty: Codable, Equatable {}

  @Test("Nested values, enums, optionals, and types that accept several types")
  func nested() async throws {
    try await expectEqual(check(Color.red), "\"red\"")
    try await expectEqual(check(Level.low), "1")
    try await check(Shape.circle(radius: -.infinity))
    try await check(Shape.label("a\"\0b", bold: true))
    try await check(Shape.nothing)
    try await check([Color.red: [Shape.nothing]])
    try await check([1: [UInt64.max]])
    try await check([[String]]())
    try await check(Empty())
    try await check(Optionals())
    try await check(
      Optionals(
        text: "a", number: 1, flag: true, list: [1], date: Date(timeIntervalSinceReferenceDate: 1),
        shape: .nothing))
    for value in [
      Loose.integer(1), .number(1), .text("1"), .number(1e16), .number(1e300), .number(-0.0),
      .text("$-0"), .number(.infinity), .text("$Infinity"), .integer(.max), .number(0x1p63),
    ] { try await check(value) }
  }

  @Test("IDs: 1 beside \"1\", spellings of one ID, composite and UUID IDs")
  func keys() async throws {
    func key(_ value: some Encodable) throws -> String {
      ServerKey.key(of: try FormDestination.json(of: value))
    }
    try expectTrue(key(1) != key("1"))
    try expectTrue(key(1) != key(1.0))
    try expectEqual(key(0.0), key(-0.0))
    try expectEqual(key("é"), key("e\u{301}"))
    try expectTrue(key("a\0") != key("a"))
    try expectEqual(key(Drawer(row: 1, column: 2)), #"{"column":2.0,"row":1}"#)
    let id = UUID()
    try expectEqual(key(id), "\"\(id.uuidString)\"")
  }

  @Test("Values nested too deeply are refused when they are written")
  func depth() throws {
    struct Nested: Encodable {
      let depth: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if depth > 0 { try container.encode(Nested(depth: depth - 1)) }
      }
    }
    _ = try FormDestination.json(of: Nested(depth: 400))
    #expect(throws: EncodingError.self) { try FormDestination.json(of: Nested(depth: 600)) }
  }
}
