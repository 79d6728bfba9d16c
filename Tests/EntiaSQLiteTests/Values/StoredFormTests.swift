import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The forms of values in SQLite")
struct StoredFormTests {
  /// Stores a value as a member of a row, reads it back, and returns its form.
  @discardableResult
  func check<Value: Codable>(
    _ value: Value, by isSame: (Value, Value) -> Bool, _ location: SourceLocation = #_sourceLocation
  ) throws -> StoredValue {
    let encoder = RowEncoder()
    try encoder.encode(MemberRow(member: value))
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let statement = try connection.prepare("SELECT ?")
    let form = encoder.cells.first ?? .null
    try statement.bind(form, at: 0)
    #expect(try statement.step(), sourceLocation: location)
    let found = try RowDecoder(statement, members: encoder.members).decode(MemberRow<Value>.self)
      .member
    #expect(isSame(found, value), "\(found), \(form)", sourceLocation: location)
    return form
  }

  @discardableResult
  func check<Value: Codable & Equatable>(
    _ value: Value, _ location: SourceLocation = #_sourceLocation
  ) throws -> StoredValue { try check(value, by: ==, location) }

  @Test("Bool and integers of every width, over 2^63 too")
  func integers() throws {
    #expect(try check(true) == .integer(1))
    #expect(try check(false) == .integer(0))
    try check(Int8.min)
    try check(Int16.max)
    try check(Int32.min)
    #expect(try check(Int.max) == .integer(.max))
    try check(Int64.min)
    try check(UInt8.max)
    try check(UInt16.max)
    try check(UInt32.max)
    #expect(try check(UInt64(1) << 63 - 1) == .integer(.max))
    #expect(try check(UInt64.max) == StoredForm.marked("18446744073709551615"))
    try check(UInt.max)
  }

  @Test("Floating-point numbers with all their bits")
  func numbers() throws {
    let isSame: (Double, Double) -> Bool = { $0.bitPattern == $1.bitPattern }
    for number in [
      0.0, -0.0, 0.1, .infinity, -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
      .pi, 1e300,
      Double(nan: 7, signaling: false),
    ] { try check(number, by: isSame) }
    for number in [Float(0.1), -0.0, .nan, .infinity, Float(nan: 3, signaling: false)] {
      try check(number, by: { $0.bitPattern == $1.bitPattern })
    }
    try check([1.5, -.infinity, .infinity])
    try check([Double.nan], by: { $0[0].isNaN && $1[0].isNaN })
    try check([-0.0], by: { $0[0].sign == $1[0].sign })
  }

  @Test("Strings: empty, 10 MB, with NUL, with any Unicode")
  func strings() throws {
    #expect(try check("") == .text(""))
    try check("a\0b")
    try check("\0")
    try check(String(repeating: "0123456789", count: 1_000_000))
    for text in ["e\u{301}", "é", "😀", "[1]", "{}", "entia:null", "NULL", "1"] {
      try check(text, by: { $0.utf8.elementsEqual($1.utf8) })
    }
  }

  @Test("Data, dates with their full precision, UUIDs, URLs and decimals")
  func foundation() throws {
    try check(Data())
    try check(Data([0, 1, 255]))
    for text in ["entia:null", "entia:", "entia:data:x", "entia:7"] {
      try check(Data(text.utf8))
      try check(Optional(Data(text.utf8)))
    }
    for seconds in [0, 0.1, -1e9, 786_000_000.123_456_7, .pi] {
      try check(Date(timeIntervalSinceReferenceDate: seconds))
    }
    try check(Date.distantFuture)
    try check(UUID())
    try check(try #require(URL(string: "https://a.b/c?d=e#f")))
    let base = try #require(URL(string: "https://a.b/c/"))
    let relative = try #require(URL(string: "d", relativeTo: base))
    try check(relative, by: { $0.relativeString == $1.relativeString && $0.baseURL == $1.baseURL })
    try check(try #require(Decimal(string: "12345678901234567890.123456789")))
    try check(Decimal.nan, by: { $0.isNaN && $1.isNaN })
  }

  enum Color: String, Codable {
    case red
    case json = "[1]"
  }
  enum Level: Int, Codable { case low = 1 }
  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case label(String, bold: Bool)
    case nothing
  }

  @Test("Enums with raw values as these, with payloads and other nested values as JSON")
  func nested() throws {
    #expect(try check(Color.red) == .text("red"))
    #expect(try check(Color.json) == .text("[1]"))
    #expect(try check(Level.low) == .integer(1))
    try check(Shape.circle(radius: 0.1))
    try check(Shape.label("a\"b", bold: true))
    try check(Shape.nothing)
    #expect(try check(["b": 1, "a": 2]) == .text(#"{"a":2,"b":1}"#))
    #expect(try check([1, 2]) == .text("[1,2]"))
    try check([[String]]())
    try check([Date(timeIntervalSinceReferenceDate: 0.1)])
    try check([Color.red: [Shape.nothing]])
    try check([UInt64.max])
    struct Empty: Codable, Equatable {}
    #expect(try check(Empty()) == .text("{}"))
  }

  struct Optionals: Codable, Equatable {
    var text: String?
    var number: Int?
    var flag: Bool?
    var list: [Int]?
    var date: Date?
    var shape: Shape?
  }

  @Test("Optionals: nil is NULL, and a value has the form that it has without")
  func optionals() throws {
    let encoder = RowEncoder()
    let values = Optionals(
      text: "a", number: 1, flag: true, list: [1], date: Date(timeIntervalSinceReferenceDate: 1),
      shape: .nothing)
    for (row, forms) in [
      (Optionals(), Array(repeating: StoredValue.null, count: 6)),
      (
        values,
        [.text("a"), .integer(1), .integer(1), .text("[1]"), .real(1), .text(#"{"nothing":{}}"#)]
      ),
    ] {
      try encoder.encode(row)
      #expect(encoder.cells == forms)
      #expect(encoder.members == ["text", "number", "flag", "list", "date", "shape"])
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?, ?")
      for (index, cell) in encoder.cells.enumerated() { try statement.bind(cell, at: index) }
      #expect(try statement.step())
      #expect(
        try RowDecoder(statement, members: encoder.members).decode(Optionals.self) == row)
    }
  }

  /// A member that may be missing, `null` or a value.
  struct Patch: Codable, Equatable {
    var isPresent: Bool
    var value: Int?

    enum CodingKeys: CodingKey { case value }

    init(isPresent: Bool, value: Int?) {
      self.isPresent = isPresent
      self.value = value
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      isPresent = container.contains(.value)
      value = isPresent ? try container.decode(Int?.self, forKey: .value) : nil
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if isPresent { try container.encode(value, forKey: .value) }
    }
  }

  @Test("A missing member and an explicit nil differ")
  func missing() throws {
    let encoder = RowEncoder()
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let statement = try connection.prepare("SELECT ?")
    for patch in [
      Patch(isPresent: true, value: 1), Patch(isPresent: true, value: nil),
      Patch(isPresent: false, value: nil),
    ] {
      try encoder.encode(patch)
      try statement.bind(encoder.cells[0], at: 0)
      #expect(try statement.step())
      let found = try RowDecoder(statement, members: encoder.members).decode(Patch.self)
      #expect(found == patch)
      statement.reset()
    }
  }

  /// A value that encodes itself as any JSON value, as parsers of free-form JSON do.
  enum AnyValue: Codable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([AnyValue])
    case object([String: AnyValue])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
        return
      }
      if let value = try? container.decode(Bool.self) {
        self = .bool(value)
        return
      }
      if let value = try? container.decode(Int.self) {
        self = .int(value)
        return
      }
      if let value = try? container.decode(Double.self) {
        self = .double(value)
        return
      }
      if let value = try? container.decode(String.self) {
        self = .string(value)
        return
      }
      if let value = try? container.decode([AnyValue].self) {
        self = .array(value)
        return
      }
      self = .object(try container.decode([String: AnyValue].self))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .int(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .array(let value): try container.encode(value)
      case .object(let value): try container.encode(value)
      }
    }
  }

  @Test("A value of several types comes back with its type: 1 beside \"1\", true and \"[1]\"")
  func ambiguous() throws {
    for value: AnyValue in [
      .null, .bool(true), .int(1), .int(0), .string("1"), .string("true"), .string("[1]"),
      .string("{}"), .string("[draft"), .string("entia:true"), .string(""), .double(1.5),
      .double(1), .array([.int(1), .string("1")]), .object(["a": .null, "b": .bool(false)]),
      .array([]),
    ] { try check(value) }
  }

  /// Fills the container of a member itself.
  struct Wrapped: Codable, Equatable {
    var x: Int
    var y: [String]
    var big: UInt64

    enum CodingKeys: CodingKey { case position, list, big }
    enum Axis: CodingKey { case x }

    init(x: Int, y: [String], big: UInt64) {
      (self.x, self.y, self.big) = (x, y, big)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      x = try container.nestedContainer(keyedBy: Axis.self, forKey: .position).decode(
        Int.self, forKey: .x)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      y = []
      while !list.isAtEnd { y.append(try list.decode(String.self)) }
      big = try container.decode(UInt64.self, forKey: .big)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var position = container.nestedContainer(keyedBy: Axis.self, forKey: .position)
      try position.encode(x, forKey: .x)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      for text in y { try list.encode(text) }
      try container.encode(big, forKey: .big)
    }
  }

  @Test("A row may fill the containers of its members, and be no object itself")
  func containers() throws {
    func check<Row: Codable & Equatable>(_ row: Row) throws {
      let encoder = RowEncoder()
      try encoder.encode(row)
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      let statement = try connection.prepare(
        "SELECT " + encoder.members.map { _ in "?" }.joined(separator: ","))
      for (index, cell) in encoder.cells.enumerated() { try statement.bind(cell, at: index) }
      #expect(try statement.step())
      #expect(try RowDecoder(statement, members: encoder.members).decode(Row.self) == row)
    }
    try check(Wrapped(x: 1, y: ["a", "b"], big: .max))
    try check([1, 2])
    try check(["a": 1])
    try check(AnyValue.string("a"))
  }

  /// Passes encoders of members on to values that encode themselves as single values.
  struct Passing: Codable, Equatable {
    var text: String
    var number: Int
    var any: AnyValue
    var list: [Int]
    var parent: String

    enum CodingKeys: CodingKey { case text, number, any, list }

    init(text: String, number: Int, any: AnyValue, list: [Int], parent: String) {
      (self.text, self.number, self.any) = (text, number, any)
      (self.list, self.parent) = (list, parent)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      text = try String(from: try container.superDecoder(forKey: .text))
      number = try Int(from: try container.superDecoder(forKey: .number))
      any = try AnyValue(from: try container.superDecoder(forKey: .any))
      list = try [Int](from: try container.superDecoder(forKey: .list))
      parent = try String(from: try container.superDecoder())
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try text.encode(to: container.superEncoder(forKey: .text))
      try number.encode(to: container.superEncoder(forKey: .number))
      try any.encode(to: container.superEncoder(forKey: .any))
      try list.encode(to: container.superEncoder(forKey: .list))
      try parent.encode(to: container.superEncoder())
    }
  }

  /// Stores a row, reads it back, and returns its cells.
  @discardableResult
  func checkRow<Row: Codable & Equatable>(
    _ row: Row, _ location: SourceLocation = #_sourceLocation
  ) throws -> [StoredValue] {
    let encoder = RowEncoder()
    try encoder.encode(row)
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let statement = try connection.prepare(
      "SELECT " + encoder.members.map { _ in "?" }.joined(separator: ","))
    for (index, cell) in encoder.cells.enumerated() { try statement.bind(cell, at: index) }
    #expect(try statement.step(), sourceLocation: location)
    let found = try RowDecoder(statement, members: encoder.members).decode(Row.self)
    #expect(found == row, sourceLocation: location)
    return encoder.cells
  }

  @Test("A row may pass the encoder of a member on: single values are columns as others are")
  func superEncoders() throws {
    for any: AnyValue in [.bool(true), .int(1), .string("[1]"), .null, .object(["a": .int(1)])] {
      let row = Passing(text: "a\"b", number: 7, any: any, list: [1, 2], parent: "p")
      let cells = try checkRow(row)
      #expect(cells.contains(.text("a\"b")))
      #expect(cells.contains(.integer(7)))
      #expect(cells.contains(.text("[1,2]")))
    }
  }

  @Test("A value that encodes nothing is an empty object")
  func nothing() throws {
    struct Nothing: Codable, Equatable {
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {}
    }
    #expect(try check(Nothing()) == .text("{}"))
  }

  @Test("A wrapper reads what was written without it")
  func wrappers() throws {
    struct Flag: Codable, Equatable {
      var isOn: Bool
      init(from decoder: any Decoder) throws {
        isOn = try decoder.singleValueContainer().decode(Bool.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isOn)
      }
    }
    struct Markdown: Codable, Equatable {
      var text: String
      init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
    func read<Value: Decodable>(_ value: StoredValue, as type: Value.Type) throws -> Value {
      try ValueDecoder(value: value, json: JSONText(), codingPath: []).decode(type)
    }
    #expect(try read(.integer(1), as: Flag.self).isOn)
    #expect(try read(.text("[1]"), as: Markdown.self).text == "[1]")
    try check(try read(.integer(0), as: Flag.self))
    try check(try read(.text("{}"), as: Markdown.self))
    #expect(throws: DecodingError.self) { try read(.integer(2), as: Flag.self) }
  }

  /// A value that is a decimal number or a string.
  enum Amount: Codable, Equatable {
    case number(Decimal)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .number(try container.decode(Decimal.self)) } catch {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  @Test("A decimal number is not the beginning of a text, and differs from a text with its digits")
  func decimals() throws {
    let number = try #require(Decimal(string: "12.5"))
    for amount: Amount in [.number(number), .text("12.5"), .text("12 apples"), .text("NaN")] {
      try check(amount)
    }
    func read(_ text: String) throws -> Decimal {
      try ValueDecoder(value: .text(text), json: JSONText(), codingPath: []).decode(Decimal.self)
    }
    #expect(try read("-1.25e2") == -125)
    for text in ["12 apples", "", "1-2", "1e", "0x10", "inf"] {
      #expect(throws: DecodingError.self, "\(text)") { try read(text) }
    }
  }

  @Test("An optional that contains nil differs from nil")
  func optionalNil() throws {
    struct Row: Codable, Equatable {
      var twice: Int??
      var any: AnyValue?
    }
    for row in [
      Row(twice: .none, any: nil), Row(twice: .some(nil), any: .some(.null)),
      Row(twice: 1, any: .int(1)),
    ] { try checkRow(row) }
  }

  /// Fills the container of a member with numbers.
  struct Precise: Codable, Equatable {
    var amount: Decimal
    var zero: Double
    var key = "a\"}\\,:"

    enum CodingKeys: CodingKey { case numbers }

    init(amount: Decimal, zero: Double) { (self.amount, self.zero) = (amount, zero) }

    init(from decoder: any Decoder) throws {
      var list = try decoder.container(keyedBy: CodingKeys.self)
        .nestedUnkeyedContainer(forKey: .numbers)
      amount = try list.decode(Decimal.self)
      zero = try list.decode(Double.self)
      key = try list.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .numbers)
      try list.encode(amount)
      try list.encode(zero)
      try list.encode(key)
    }
  }

  @Test("Numbers in a container that a row fills keep their digits and their sign")
  func nestedNumbers() throws {
    let amount = try #require(Decimal(string: "1234567890.12345678901"))
    let cells = try checkRow(Precise(amount: amount, zero: -0.0))
    #expect(cells == [.text(#"[1234567890.12345678901,-0,"a\"}\\,:"]"#)])
  }

  @Test("A nested decimal NaN, which JSON does not have, is refused")
  func nestedNaN() throws {
    let error = #expect(throws: EncodingError.self) {
      try RowEncoder().encode(MemberRow(member: [Decimal.nan]))
    }
    guard case .invalidValue(_, let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      context.debugDescription
        == "a decimal number in it is NaN, which JSON does not have: use nil")
    try check(["NaN", "a\"NaN"])
  }

  @Test("Values of records without types are read as the types of members")
  func untyped() throws {
    func read<Value: Decodable>(_ value: StoredValue, as type: Value.Type) throws -> Value {
      try ValueDecoder(value: value, json: JSONText(), codingPath: []).decode(type)
    }
    #expect(try read(.integer(1), as: Double.self) == 1)
    #expect(try read(.real(1), as: Int.self) == 1)
    #expect(try read(.text("AQ=="), as: Data.self) == Data([1]))
    #expect(try read(.real(1.5), as: Decimal.self) == Decimal(string: "1.5"))
    #expect(throws: DecodingError.self) { try read(.text("1"), as: Int.self) }
    #expect(throws: DecodingError.self) { try read(.integer(1), as: String.self) }
    #expect(throws: DecodingError.self) { try read(.integer(2), as: Bool.self) }
    #expect(throws: DecodingError.self) { try read(.integer(300), as: UInt8.self) }
    #expect(throws: DecodingError.self) { try read(.text("x"), as: UUID.self) }
    #expect(throws: DecodingError.self) { try read(.null, as: Int.self) }
  }
}

private struct MemberRow<Value: Codable>: Codable {
  var member: Value
}
