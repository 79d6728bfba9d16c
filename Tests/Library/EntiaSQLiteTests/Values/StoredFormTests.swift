import Entia
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("The forms of values in SQLite")
struct StoredFormTests {
  @Test("Bool and integers of every width, over 2^63 too")
  func integers() throws {
    try expectEqual(checkStored(true), .integer(1))
    try expectEqual(checkStored(false), .integer(0))
    try checkStored(Int8.min)
    try checkStored(Int16.max)
    try checkStored(Int32.min)
    try expectEqual(checkStored(Int.max), .integer(.max))
    try checkStored(Int64.min)
    try checkStored(UInt8.max)
    try checkStored(UInt16.max)
    try checkStored(UInt32.max)
    try expectEqual(checkStored(UInt64(1) << 63 - 1), .integer(.max))
    try expectEqual(checkStored(UInt64.max), StoredForm.marked("18446744073709551615"))
    try checkStored(UInt.max)
  }

  @Test("Floating-point numbers with all their bits")
  func numbers() throws {
    let isSame: (Double, Double) -> Bool = { $0.bitPattern == $1.bitPattern }
    for number in [
      0.0, -0.0, 0.1, .infinity, -.infinity, .nan, -.nan, .signalingNaN, .leastNonzeroMagnitude,
      .pi, 1e300,
      Double(nan: 7, signaling: false),
    ] { try checkStored(number, by: isSame) }
    for number in [Float(0.1), -0.0, .nan, .infinity, Float(nan: 3, signaling: false)] {
      try checkStored(number, by: { $0.bitPattern == $1.bitPattern })
    }
    try checkStored([1.5, -.infinity, .infinity])
    try checkStored([Double.nan], by: { $0[0].isNaN && $1[0].isNaN })
    try checkStored([-0.0], by: { $0[0].sign == $1[0].sign })
  }

  @Test("A number that is too large for a Float is no value of it, and any other is rounded")
  func largeNumbers() {
    expectTrue(StoredForm.float(.real(1e39)) == nil && StoredForm.float(.real(-1e300)) == nil)
    expectEqual(StoredForm.float(.real(.infinity)), .infinity)
    expectEqual(StoredForm.float(.real(0.1)), 0.1)
    expectEqual(StoredForm.float(.integer(.max)), 0x1p63)
  }

  @Entity
  struct Sheet {
    let id: Int
    var amounts: [Decimal] = []
    var rates: [String: Decimal] = [:]
  }

  @NormalizedStorage
  struct Ledger {
    @Table var sheets: Tables.Hash<Sheet> = .init()
  }

  @Test("A value that cannot be stored is named with its member")
  func namedMembers() throws {
    let file = try DatabaseFile<Ledger>.inMemory()
    for (sheet, column) in [
      (Sheet(id: 1, amounts: [1, .nan]), "amounts.[1]"),
      (Sheet(id: 1, rates: ["k": .nan]), "rates.k"),
    ] {
      var ledger = Ledger()
      ledger.performBatchUpdates { $0.modifying.sheets.insert(sheet) }
      let error = #expect(throws: DatabaseFileError.self) { try file.save(ledger) }
      guard case .cannotEncode(_, "sheets", "1", column, _) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("Strings: empty, 10 MB, with NUL, with any Unicode")
  func strings() throws {
    try expectEqual(checkStored(""), .text(""))
    try checkStored("a\0b")
    try checkStored("\0")
    try checkStored(String(repeating: "0123456789", count: 1_000_000))
    for text in ["e\u{301}", "é", "😀", "[1]", "{}", "entia:null", "NULL", "1"] {
      try checkStored(text, by: { $0.utf8.elementsEqual($1.utf8) })
    }
  }

  @Test("Data, dates with their full precision, UUIDs, URLs and decimals")
  func foundation() throws {
    try checkStored(Data())
    try checkStored(Data([0, 1, 255]))
    for text in ["entia:null", "entia:", "entia:data:x", "entia:7"] {
      try checkStored(Data(text.utf8))
      try checkStored(Optional(Data(text.utf8)))
    }
    for seconds in [0, 0.1, -1e9, 786_000_000.123_456_7, .pi] {
      try checkStored(Date(timeIntervalSinceReferenceDate: seconds))
    }
    try checkStored(Date.distantFuture)
    try checkStored(UUID())
    try checkStored(try #require(URL(string: "https://a.b/c?d=e#f")))
    let base = try #require(URL(string: "https://a.b/c/"))
    let relative = try #require(URL(string: "d", relativeTo: base))
    try checkStored(
      relative, by: { $0.relativeString == $1.relativeString && $0.baseURL == $1.baseURL })
    try checkStored(try #require(Decimal(string: "12345678901234567890.123456789")))
    try checkStored(Decimal.nan, by: { $0.isNaN && $1.isNaN })
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
    try expectEqual(checkStored(Color.red), .text("red"))
    try expectEqual(checkStored(Color.json), .text("[1]"))
    try expectEqual(checkStored(Level.low), .integer(1))
    try checkStored(Shape.circle(radius: 0.1))
    try checkStored(Shape.label("a\"b", bold: true))
    try checkStored(Shape.nothing)
    try expectEqual(checkStored(["b": 1, "a": 2]), .text(#"{"a":2,"b":1}"#))
    try expectEqual(checkStored([1, 2]), .text("[1,2]"))
    try checkStored([[String]]())
    try checkStored([Date(timeIntervalSinceReferenceDate: 0.1)])
    try checkStored([Color.red: [Shape.nothing]])
    try checkStored([UInt64.max])
    struct Empty: Codable, Equatable {}
    try expectEqual(checkStored(Empty()), .text("{}"))
  }

  private func read<Value: Decodable>(_ value: StoredValue, as type: Value.Type) throws -> Value {
    try CellSource(value, NestedJSON(), at: []).decode(type)
  }

  @Test("Values of records without types are read as the types of members")
  func untyped() throws {
    try expectEqual(read(.integer(1), as: Double.self), 1)
    try expectEqual(read(.real(1), as: Int.self), 1)
    try expectEqual(read(.text("AQ=="), as: Data.self), Data([1]))
    try expectEqual(read(.real(1.5), as: Decimal.self), Decimal(string: "1.5"))
    // The tool marks a number in a column of texts, and one that SQLite has no form for.
    for digits in ["19.90", "-123456789012345678901234567890"] {
      let number = UntypedValue.number(digits).form(in: .mixed, declaredAs: "TEXT").value
      try expectEqual(read(number, as: Decimal.self), Decimal(string: digits))
    }
    #expect(throws: DecodingError.self) { try read(.text("1"), as: Int.self) }
    #expect(throws: DecodingError.self) { try read(.integer(1), as: String.self) }
    #expect(throws: DecodingError.self) { try read(.integer(2), as: Bool.self) }
    #expect(throws: DecodingError.self) { try read(.integer(300), as: UInt8.self) }
    #expect(throws: DecodingError.self) { try read(.text("x"), as: UUID.self) }
    #expect(throws: DecodingError.self) { try read(.null, as: Int.self) }
  }

  @Test("A date is read from ISO 8601 text and from the text of SQLite's functions")
  func textDates() throws {
    for (text, seconds) in [
      ("2024-05-01T12:34:56Z", 736_259_696), ("2024-05-01T14:34:56+02:00", 736_259_696),
      ("2024-05-01T12:34:56", 736_259_696), ("2024-05-01 12:34:56.789", 736_259_696.789),
      ("2024-05-01 14:34:56+0200", 736_259_696), ("2024-05-01 12:34:56Z", 736_259_696),
      ("2024-05-01 12:34", 736_259_640), ("2024-05-01T12:34", 736_259_640),
      ("2024-05-01T12:34Z", 736_259_640), ("2024-05-01 14:34+02:00", 736_259_640),
      ("2024-05-01", 736_214_400), ("0001-01-01", -63_113_904_000),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      try expectEqual(read(.text(text), as: Date.self), date, "\(text)")
      try expectEqual(read(.text(#"["\#(text)",1]"#), as: [Date].self).first, date, "\(text)")
    }
    for text in [
      "", "2024", "2024-05", "2024-05-01 ", "2024-05-01T", "2024-05-01 12", "2024-05-01 12:",
      "2024-05-01 12:34:", "2024-05-01 12:34:5", "2024-05-01 24:00", "2024-02-30", "12:34:56",
      "2024-05-01  12:34", "2024-05-01Z", "now", "736259696", "2460431.5", "1 May 2024", "é",
    ] {
      #expect(throws: DecodingError.self, "\(text)") { try read(.text(text), as: Date.self) }
      #expect(throws: DecodingError.self, "\(text)") {
        try read(.text(#"["\#(text)"]"#), as: [Date].self)
      }
    }
    // The error of a value that is no text is that of a number.
    let error = #expect(throws: DecodingError.self) { try read(.text("[true]"), as: [Date].self) }
    guard case .typeMismatch(let type, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectTrue(type == Double.self)
  }

  @Test("A UUID is read from its 16 bytes, also in base64")
  func binaryUUIDs() throws {
    let id = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0EFF"))
    let bytes: [UInt8] = Array(0...14) + [255]
    for value: StoredValue in [
      .blob(bytes), .text(Data(bytes).base64EncodedString()), .text(id.uuidString.lowercased()),
    ] { try expectEqual(read(value, as: UUID.self), id) }
    for value: StoredValue in [.blob(Array(bytes.dropLast())), .blob([]), .text(""), .text("AQ==")]
    { #expect(throws: DecodingError.self) { try read(value, as: UUID.self) } }
  }

  /// A value of several types, which tries the other types before a string.
  enum Property: Codable, Equatable {
    case date(Date)
    case id(UUID)
    case data(Data)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let date = try? container.decode(Date.self) {
        self = .date(date)
      } else if let id = try? container.decode(UUID.self) {
        self = .id(id)
      } else if case .some(let text) = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .data(try container.decode(Data.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .date(let date): try container.encode(date)
      case .id(let id): try container.encode(id)
      case .data(let data): try container.encode(data)
      case .text(let text): try container.encode(text)
      }
    }
  }

  /// A value that encodes itself as a date.
  struct Moment: Codable, Equatable {
    var date: Date

    init(date: Date) { self.date = date }
    init(from decoder: any Decoder) throws {
      date = try decoder.singleValueContainer().decode(Date.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(date)
    }
  }

  @Test("A string or data of a type that also accepts a date or a UUID stays what it is")
  func ambiguousDates() throws {
    let date = Date(timeIntervalSinceReferenceDate: 736_214_400)
    for property: Property in [
      .date(date), .text("2024-05-01"), .text("2024-05-01T00:00:00Z"), .id(UUID()),
      .data(Data(0...15)), .text(Data(0...15).base64EncodedString()),
    ] {
      try checkStored(property)
      try checkStored(Optional(property))
      if case .data = property { continue }
      try checkStored([property, .date(date)])
      try checkStored(["a": property])
    }
    try checkStored(Moment(date: date))
    try expectEqual(read(.text("2024-05-01"), as: Moment.self), Moment(date: date))
    try expectEqual(read(.text(#"["2024-05-01"]"#), as: [Moment].self), [Moment(date: date)])
  }
}
