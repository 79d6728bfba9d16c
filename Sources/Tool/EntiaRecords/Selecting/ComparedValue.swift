import EntiaCoding
import Foundation

/// The value of one member of a row, for comparing and sorting.
enum ComparedValue {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  /// The row's own ID, or the ID of a row that it refers to.
  case key(RecordKey)
  case keys([RecordKey])
  /// An array or an object.
  case nested(JSONText)

  /// Returns whether a comparison with a literal is true.
  func fulfils(_ relation: RecordCondition.Operator, _ literal: RecordCondition.Literal) -> Bool {
    switch relation {
    case .equal: isEqual(to: literal)
    case .notEqual: !isEqual(to: literal)
    case .contains: contains(literal)
    case .less: order(to: literal).map { $0 < 0 } ?? false
    case .lessOrEqual: order(to: literal).map { $0 <= 0 } ?? false
    case .greater: order(to: literal).map { $0 > 0 } ?? false
    case .greaterOrEqual: order(to: literal).map { $0 >= 0 } ?? false
    }
  }

  private func isEqual(to literal: RecordCondition.Literal) -> Bool {
    switch (self, literal) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.number(let lhs), .number(let rhs)): lhs.compareValue(to: rhs) == 0
    case (.string(let lhs), .string(let rhs)): lhs.isExactly(rhs)
    case (.key(.number(let lhs)), .number(let rhs)): lhs.compareValue(to: rhs) == 0
    // Two rows never have IDs with the same text, so that comparing the texts is enough.
    case (.key(let key), .number(let number)): key.text.isExactly(number.text)
    case (.key(let key), .string(let text)): key.text.isExactly(text)
    default: false
    }
  }

  /// Returns a number less than, equal to or greater than zero, or nil if the two values are not
  /// ordered.
  private func order(to literal: RecordCondition.Literal) -> Int? {
    switch (self, literal) {
    case (.number(let lhs), .number(let rhs)), (.key(.number(let lhs)), .number(let rhs)):
      lhs.compareValue(to: rhs)
    case (.string(let lhs), .string(let rhs)), (.key(.string(let lhs)), .string(let rhs)):
      lhs.isExactly(rhs) ? 0 : lhs.precedesExactly(rhs) ? -1 : 1
    default: nil
    }
  }

  private func contains(_ literal: RecordCondition.Literal) -> Bool {
    switch (self, literal) {
    case (.string(let text), .string(let part)), (.key(.string(let text)), .string(let part)):
      Self.contains(text, part)
    case (.keys(let keys), _): keys.contains { ComparedValue.key($0).isEqual(to: literal) }
    case (.nested(let text), _):
      text.elements?.contains { ComparedValue($0).isEqual(to: literal) } ?? false
    default: false
    }
  }

  /// Returns whether a text contains another one, compared by bytes.
  private static func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains {
      text[$0] == first && text[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}

extension ComparedValue {
  init(_ text: JSONText) {
    switch text.text.utf8.first {
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case Byte.openBrace, Byte.openBracket: self = .nested(text)
    default:
      switch text.key {
      case .number(let number): self = .number(number)
      case .string(let string): self = .string(string)
      case nil: self = .null
      }
    }
  }

  init(_ value: RecordValue?) {
    switch value {
    case nil: self = .null
    case .plain(let text): self = ComparedValue(text)
    case .reference(let id): self = .key(id.key)
    case .references(let ids): self = .keys(ids.map(\.key))
    }
  }
}

extension ComparedValue {
  /// Returns whether a program would store `other` in the same way as this value. The column of
  /// this value is assumed to have no declared type.
  func isStored(like other: ComparedValue) -> Bool {
    switch (self, other) {
    case (.bool(let bool), .number(let number)), (.number(let number), .bool(let bool)):
      number.compareValue(to: JSONNumber(bool ? 1 : 0)) == 0
    case (.number(let lhs), .number(let rhs)):
      // If `lhs` has a fraction or an exponent, it is stored as a floating-point number, so the
      // `Double` values are compared.
      lhs.compareValue(to: rhs) == 0
        || !lhs.isPlainInteger && Double(lhs.text)?.isFinite == true
          && (Double(lhs.text) == Double(rhs.text) || lhs.isStoredFloat(of: rhs))
    // A program stores a date as a number, and reads it from a text as well. It stores a decimal
    // number as a text.
    case (.number(let number), .string(let text)), (.string(let text), .number(let number)):
      ISO8601Text.sqliteDate(text)?.timeIntervalSinceReferenceDate == Double(number.text)
        || JSONNumber(text)?.compareValue(to: number) == 0
    default: false
    }
  }
}

extension JSONNumber {
  /// Returns whether this number is what a program stores for the `Float` of a number:
  /// 0.10000000149011612 for 0.1. The number must be the shortest text of the `Float`, and this
  /// number must have many digits, so that no change of a `Double` such as 2500000.25 is taken for
  /// the same value.
  fileprivate func isStoredFloat(of number: JSONNumber) -> Bool {
    guard let float = Float(number.text), float.isFinite, Double(text) == Double(float) else {
      return false
    }
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    return digits.count >= 15 && JSONNumber("\(float)")?.compareValue(to: number) == 0
  }
}

extension Record {
  /// Returns the row with some values of `stored`. A value of `stored` replaces the value of the
  /// same member if a program would store both values in the same way.
  func keepingStoredValues(of stored: Record) -> Record {
    var kept: [ExactString: RecordValue] = [:]
    for (name, old, new) in stored.differences(to: self) {
      guard case .plain(let known)? = old, case .plain(let text)? = new,
        ComparedValue(known).isStored(like: ComparedValue(text))
      else { continue }
      kept[name] = old
    }
    return kept.isEmpty ? self : replacing(kept, addingInOrderOf: [])
  }
}

extension ComparedValue: Comparable {
  /// Orders `null`, `false`, `true`, numbers by value, strings by their UTF-8 bytes, then arrays
  /// and objects.
  static func < (lhs: ComparedValue, rhs: ComparedValue) -> Bool {
    switch (lhs.sortable, rhs.sortable) {
    case (.number(let lhs), .number(let rhs)): lhs.compareValue(to: rhs) < 0
    case (.string(let lhs), .string(let rhs)): lhs.precedesExactly(rhs)
    case (.nested(let lhs), .nested(let rhs)): lhs.text.precedesExactly(rhs.text)
    case (.keys(let lhs), .keys(let rhs)): lhs.lexicographicallyPrecedes(rhs)
    case (let lhs, let rhs): lhs.rank < rhs.rank
    }
  }

  static func == (lhs: ComparedValue, rhs: ComparedValue) -> Bool { !(lhs < rhs) && !(rhs < lhs) }

  /// The value to sort by: an ID sorts among the values of its type.
  private var sortable: ComparedValue {
    switch self {
    case .key(.number(let number)): .number(number)
    case .key(.string(let string)): .string(string)
    default: self
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool(false): 1
    case .bool(true): 2
    case .number, .key(.number): 3
    case .string, .key(.string): 4
    case .keys: 5
    case .nested: 6
    }
  }
}

/// Reads the members of one entity's rows, including the ID.
struct MemberReader {
  /// The name of the ID; for a composite ID, the joined names of its members.
  private let idName: ExactString

  init(_ entity: Schema.Entity) {
    idName = ExactString(entity.idName)
  }

  /// Returns the value of a member, or the value at a path into the object of a member, such as
  /// `where.place`. A member whose name is the whole text takes precedence over a path.
  func value(of member: ExactString, in row: Record) -> ComparedValue {
    if member == idName { return .key(row.id.key) }
    if let value = row[member.string] { return ComparedValue(value) }
    for (name, path) in Self.paths(member.string) {
      switch row[name] {
      case nil: continue
      case .plain(let text): return Self.value(at: path, in: text)
      case .reference, .references: return .null
      }
    }
    return .null
  }

  /// Returns the ways to split a text into the name of a member and a path inside its value, the
  /// longest name first.
  static func paths(_ name: String) -> [(name: String, path: String)] {
    name.indices.reversed().filter { name[$0] == "." }.map {
      (String(name[..<$0]), String(name[name.index(after: $0)...]))
    }
  }

  private static func value(at path: String, in text: JSONText) -> ComparedValue {
    var (text, path) = (text, path)
    walk: while true {
      if let value = text.member(path) { return ComparedValue(value) }
      for (name, rest) in paths(path) {
        guard let value = text.member(name) else { continue }
        (text, path) = (value, rest)
        continue walk
      }
      return .null
    }
  }
}
