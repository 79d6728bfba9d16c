/// The ID of a row within its entity, as JSON gives it: a number or a string.
///
/// Keys are equal when their types and their bytes are: `1`, `1.0` and `"1"` are three keys. Import
/// refuses two of them in one entity, so that none is ever taken for the other.
public enum RecordKey: Hashable, Sendable {
  /// A number, as it is written.
  case number(JSONNumber)
  /// A string.
  case string(String)

  /// The key without its type: what names its row in an exported table.
  public var text: String {
    switch self {
    case .number(let number): number.text
    case .string(let string): string
    }
  }

  /// The key as a JSON value.
  public var value: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    }
  }

  /// Says whether two keys have the same type and the same bytes.
  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.number, .string), (.string, .number): false
    }
  }

  /// Feeds the key to a hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number): number.text.hashExactly(into: &hasher)
    case .string(let string): string.hashExactly(into: &hasher)
    }
  }
}

extension RecordKey: Comparable {
  /// Orders numbers by value before strings by their UTF-8.
  public static func < (left: RecordKey, right: RecordKey) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left.precedesExactly(right)
    case (.number, .string): true
    case (.string, .number): false
    }
  }
}

extension RecordKey: CustomStringConvertible {
  /// The key as JSON writes it, shortened if it is long.
  public var description: String {
    switch self {
    case .number(let number): number.text.excerpt()
    case .string(let string): string.quoted
    }
  }
}

extension RecordKey {
  /// Says whether the key is a number.
  var isNumber: Bool {
    if case .number = self { true } else { false }
  }

  /// What orders most keys: keys of lower ranks come first, and those of one rank have to be
  /// compared. Numbers that are no small integers have none.
  var rank: UInt64? {
    switch self {
    case .number(let number):
      let limit = 1 << 60
      guard let value = number.integer, value.magnitude < limit else { return nil }
      return UInt64(value + limit)
    case .string(let string):
      var rank: UInt64 = 0
      var count: UInt64 = 0
      for byte in string.utf8.prefix(7) {
        rank = rank << 8 | UInt64(byte)
        count += 1
      }
      return UInt64(1) << 63 | rank << ((7 - count) * 8)
    }
  }

  /// Makes the key whose text has these bytes, which were checked.
  init(isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    self = isNumber ? .number(JSONNumber(checked: text)) : .string(text)
  }

  /// Says whether the key is of a type and has these bytes.
  func isExactly(isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .number(let number): isNumber && number.text.hasExactly(bytes)
    case .string(let string): !isNumber && string.hasExactly(bytes)
    }
  }

  /// The other key of the same text: `"1"` for `1`, `1` for `"1"`, nil for `"a1"`.
  var otherType: RecordKey? {
    switch self {
    case .number(let number): .string(number.text)
    case .string(let string):
      // Most strings are no numbers; their first byte says so.
      if let first = string.utf8.first, Byte.isDigit(first) || first == Byte.minus {
        JSONNumber(string).map(RecordKey.number)
      } else {
        nil
      }
    }
  }
}
