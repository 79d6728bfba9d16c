import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The JSON of nested values")
struct NestedJSONTests {
  /// Values of all types that JSON has a form for.
  private struct Sample: Codable, Hashable {
    struct Part: Codable, Hashable {
      var flag: Bool?
      var byte: UInt8
      var small: Int16
      var large: UInt64
    }
    enum Choice: Codable, Hashable {
      case none
      case number(Double)
      case pair(first: String, second: [Int?])
    }
    var text: String
    var double: Double
    var float: Float
    var decimal: Decimal
    var date: Date
    var data: Data
    var url: URL
    var uuid: UUID
    var parts: [Part]
    var byName: [String: Choice]
    var byNumber: [Int: String?]
    var nothing: [String: Part]

    init(seed: Int) {
      var random = Random(state: UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
      func text() -> String {
        String(
          (0..<random.next() % 6).map { _ in Self.characters[random.index(Self.characters.count)] })
      }
      self.text = text()
      double = random.double()
      float = random.float()
      decimal =
        Decimal(
          sign: random.next() % 2 == 0 ? .plus : .minus, exponent: random.index(60) - 30,
          significand: Decimal(random.next() >> 8))
      date = Date(timeIntervalSinceReferenceDate: random.double())
      data = Data((0..<random.index(5)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      url = URL(fileURLWithPath: "/a/\(random.next())/b c")
      uuid =
        UUID(
          uuidString: "00000000-0000-4000-8000-0000\(String(format: "%08X", random.index(1 << 30)))"
        )
        ?? UUID()
      parts = (0..<random.index(3)).map { _ in
        Part(
          flag: [true, false, nil][random.index(3)], byte: UInt8(truncatingIfNeeded: random.next()),
          small: Int16(truncatingIfNeeded: random.next()), large: random.next())
      }
      byName = [:]
      byNumber = [:]
      nothing = [:]
      for _ in 0..<random.index(5) {
        byName[text()] =
          [Choice.none, .number(random.double()), .pair(first: text(), second: [1, nil])][
            random.index(3)]
        byNumber[random.index(100) - 50] = [text(), nil][random.index(2)]
      }
    }

    private static let characters: [Character] = [
      "a", "Z", "9", "\"", "\\", "/", "\n", "\r", "\t", "\u{8}", "\u{c}", "\0", "\u{1f}", "\u{7f}",
      "\u{85}", "\u{2028}", "é", "e\u{301}", "ß", "漢", "\u{fffd}", "👩‍👩‍👧", "\u{10ffff}", "<", "&", "'",
    ]
  }

  private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 29) ^ (state << 17)
    }

    mutating func index(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    mutating func double() -> Double {
      switch index(6) {
      case 0: Double(bitPattern: next()).isFinite ? Double(bitPattern: next()).nextDown : 0.5
      case 1:
        [0, -0.0, .infinity, -.infinity, 1e15, 1e16, 1e17, .leastNonzeroMagnitude, 0.1, 1e-5][
          index(10)]
      case 2: Double(index(1_000))
      default: Double(index(1_000_000)) / 64
      }
    }

    mutating func float() -> Float {
      [0, -0.0, .infinity, -.infinity, 1e7, 1.5, 0.1, 1e-5, 16_777_216, .pi][index(10)]
    }
  }

  /// An encoder whose texts files have had since the first version.
  private let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "$Infinity", negativeInfinity: "$-Infinity", nan: "$NaN")
    return encoder
  }()

  private func expected(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("The text of a value is that of JSONEncoder, and decodes to the value")
  func sameTexts() throws {
    let json = NestedJSON()
    for seed in 0..<scaled(1_000) {
      let sample = Sample(seed: seed)
      let text = try json.text(of: sample)
      try expectEqual(text, expected(sample), "seed \(seed)")
      try expectEqual(json.text(of: [sample]), "[\(text)]", "seed \(seed)")
    }
    for seed in 0..<scaled(400) {
      let row = CodedRow(id: seed)
      try expectEqual(json.text(of: row), expected(row), "seed \(seed)")
    }
  }

  @Test("The texts of members are parts of the text of their value")
  func members() throws {
    let json = NestedJSON()
    for seed in 0..<scaled(100) {
      let members = try json.members(of: Sample(seed: seed))
      let names = members.keys.sorted()
      let joined = names.map { "\"\($0)\":\(members[$0] ?? "")" }.joined(separator: ",")
      try expectEqual("{\(joined)}", json.text(of: Sample(seed: seed)), "seed \(seed)")
    }
    try expectEqual(json.members(of: [1]), [:])
  }

  private struct Empty: Encodable { func encode(to encoder: any Encoder) {} }

  @Test("A value that encodes nothing is an error, and inside another value an empty object")
  func nothing() throws {
    #expect(throws: EncodingError.self) { try NestedJSON().text(of: Empty()) }
    try expectEqual(NestedJSON().text(of: [Empty()]), "[{}]")
    try expectEqual(expected([Empty()]), "[{}]")
  }

  @Test("The error of a decimal NaN has the path to it")
  func decimalNaN() {
    let error = #expect(throws: EncodingError.self) {
      try NestedJSON().text(of: ["rate": [Decimal(1), .nan]])
    }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("another error: \(error.map { "\($0)" } ?? "none")")
      return
    }
    expectEqual(context.codingPath.map(\.stringValue), ["rate", "Index 1"])
    expectEqual(
      context.debugDescription, "a decimal number in it is NaN, which JSON does not have: use nil")
  }

  private indirect enum Chain: Codable {
    case end
    case next(Chain)

    init(depth: Int) {
      self = .end
      for _ in 0..<depth { self = .next(self) }
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      self = container.isAtEnd ? .end : .next(try container.decode(Chain.self))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if case .next(let chain) = self { try container.encode(chain) }
    }
  }

  @Test("What is encoded can be decoded: a value that is nested too deeply is an error")
  func depth() throws {
    let json = NestedJSON()
    let deepest = NestedJSON.maximumDepth - 1
    _ = try json.value(Chain.self, of: json.text(of: Chain(depth: deepest)))
    let error = #expect(throws: EncodingError.self) {
      try json.text(of: Chain(depth: deepest + 1))
    }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("another error: \(error.map { "\($0)" } ?? "none")")
      return
    }
    expectEqual(context.debugDescription, "it is nested more than 512 levels deep")
  }
}
