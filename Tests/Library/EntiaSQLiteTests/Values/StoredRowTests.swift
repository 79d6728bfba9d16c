import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The forms of rows in SQLite")
struct StoredRowTests {
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
    ] { try checkStored(value) }
  }

  @Test("The tool reads the marked numbers of such types as numbers, not as data")
  func markedNumbers() {
    func read(_ mark: String) -> UntypedValue? { UntypedValue(StoredForm.marked(mark)) }
    expectEqual(read("decimal:-1.50"), .number("-1.50"))
    expectEqual(read("real:3ff8000000000000"), .number("1.5"))
    expectEqual(read("real:7ff8000000000000"), .string("$NaN"))
    expectEqual(read("real:7ff0000000000000"), .string("$Infinity"))
  }

  @Test("A NaN is read as one if its member has become another floating-point type")
  func changedNaN() {
    for sign in [FloatingPointSign.plus, .minus] {
      let float = Float(signOf: sign == .plus ? 1 : -1, magnitudeOf: .nan)
      let double = Double(signOf: sign == .plus ? 1 : -1, magnitudeOf: .nan)
      let read = StoredForm.double(StoredForm.form(of: float))
      expectTrue(read?.isNaN == true && read?.sign == sign)
      expectEqual(StoredForm.float(StoredForm.form(of: double))?.isNaN, true)
      expectEqual(StoredForm.float(StoredForm.form(of: float))?.bitPattern, float.bitPattern)
      expectEqual(StoredForm.double(StoredForm.form(of: double))?.bitPattern, double.bitPattern)
    }
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

  /// Fills the container of a member with values of several types.
  struct Properties: Codable, Equatable {
    var nested: [StoredFormTests.Property]

    enum CodingKeys: CodingKey { case nested }

    init(nested: [StoredFormTests.Property]) { self.nested = nested }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var list = try container.nestedUnkeyedContainer(forKey: .nested)
      nested = []
      while !list.isAtEnd { nested.append(try list.decode(StoredFormTests.Property.self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .nested)
      for value in nested { try list.encode(value) }
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
      try expectTrue(statement.step())
      try expectEqual(RowDecoder(members: encoder.members).decode(Row.self, from: statement), row)
    }
    try checkStored(Wrapped(x: 1, y: ["a", "b"], big: .max))
    // These strings are read first as dates.
    let dates = ["2024-05-01", "2024-05-01T12:34:56Z"].map { StoredFormTests.Property.text($0) }
    try checkStored(Properties(nested: dates))
    try checkStored(dates)
    try checkStored([1, 2])
    try checkStored(["a": 1])
    try checkStored(AnyValue.string("a"))
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

  @Test("A row may pass the encoder of a member on: single values are columns as others are")
  func superEncoders() throws {
    for any: AnyValue in [.bool(true), .int(1), .string("[1]"), .null, .object(["a": .int(1)])] {
      let row = Passing(text: "a\"b", number: 7, any: any, list: [1, 2], parent: "p")
      let cells = try checkStoredRow(row)
      expectTrue(cells.contains(.text("a\"b")))
      expectTrue(cells.contains(.integer(7)))
      expectTrue(cells.contains(.text("[1,2]")))
    }
  }

  @Test("A value that encodes nothing is an empty object")
  func nothing() throws {
    struct Nothing: Codable, Equatable {
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {}
    }
    try expectEqual(checkStored(Nothing()), .text("{}"))
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
      try CellSource(value, NestedJSON(), at: []).decode(type)
    }
    try expectTrue(read(.integer(1), as: Flag.self).isOn)
    try expectEqual(read(.text("[1]"), as: Markdown.self).text, "[1]")
    try checkStored(try read(.integer(0), as: Flag.self))
    try checkStored(try read(.text("{}"), as: Markdown.self))
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
      try checkStored(amount)
    }
    func read(_ text: String) throws -> Decimal {
      try CellSource(.text(text), NestedJSON(), at: []).decode(Decimal.self)
    }
    try expectEqual(read("-1.25e2"), -125)
    for text in ["12 apples", "", "1-2", "1e", "0x10", "inf"] {
      #expect(throws: DecodingError.self, "\(text)") { try read(text) }
    }
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
    let cells = try checkStoredRow(Precise(amount: amount, zero: -0.0))
    expectEqual(cells, [.text(#"[1234567890.12345678901,-0,"a\"}\\,:"]"#)])
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
    expectEqual(
      context.debugDescription, "a decimal number in it is NaN, which JSON does not have: use nil")
    try checkStored(["NaN", "a\"NaN"])
  }
}
