public import EntiaCoding

/// The ID of a row within its entity, a JSON number or string.
///
/// Keys are equal if their types and their bytes are equal: `1`, `1.0` and `"1"` are three keys. An
/// import refuses two different keys in one entity that have the same text or value, so that they
/// are never confused.
public enum RecordKey: Hashable, Sendable {
  /// A number, with its exact text.
  case number(JSONNumber)
  /// A string.
  case string(String)

  /// The key without its type, which identifies the row in an exported table.
  public var text: String {
    switch self {
    case .number(let number): number.text
    case .string(let string): string
    }
  }

  /// The key as a JSON value.
  package var value: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    }
  }

  /// Returns whether two keys have the same type and the same bytes.
  public static func == (lhs: RecordKey, rhs: RecordKey) -> Bool {
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): lhs == rhs
    case (.string(let lhs), .string(let rhs)): lhs.isExactly(rhs)
    case (.number, .string), (.string, .number): false
    }
  }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number): number.text.hashExactly(into: &hasher)
    case .string(let string): string.hashExactly(into: &hasher)
    }
  }
}

extension RecordKey: Comparable {
  /// Orders keys: numbers by value, then strings by their UTF-8 bytes.
  public static func < (lhs: RecordKey, rhs: RecordKey) -> Bool {
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): lhs < rhs
    case (.string(let lhs), .string(let rhs)): lhs.precedesExactly(rhs)
    case (.number, .string): true
    case (.string, .number): false
    }
  }
}

extension RecordKey: CustomStringConvertible {
  /// The key as JSON text, shortened if it is long.
  public var description: String {
    switch self {
    case .number(let number): number.text.excerpt()
    case .string(let string): string.quoted
    }
  }
}

extension RecordKey {
  /// Whether the key is a number.
  var isNumber: Bool {
    if case .number = self { true } else { false }
  }

  /// Creates the key whose validated text has these bytes.
  init(isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    self = isNumber ? .number(JSONNumber(checked: text)) : .string(text)
  }

  /// Returns whether the key has this type and exactly these bytes.
  func isExactly(isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch self {
    case .number(let number): isNumber && number.text.hasExactly(bytes)
    case .string(let string): !isNumber && string.hasExactly(bytes)
    }
  }

  /// The key of the other type with the same text: `"1"` for `1`, `1` for `"1"`, nil for `"a1"`.
  var otherType: RecordKey? {
    switch self {
    case .number(let number): .string(number.text)
    case .string(let string):
      // The first byte rules out most strings.
      if let first = string.utf8.first, Byte.isDigit(first) || first == Byte.minus {
        JSONNumber(string).map(RecordKey.number)
      } else {
        nil
      }
    }
  }
}

extension JSONText {
  /// Whether the value is a number or a string.
  var isKey: Bool {
    guard let first = text.utf8.first else { return false }
    return Byte.isDigit(first) || first == Byte.minus || first == Byte.quote
  }

  /// The value as an ID if it is a number or a string, otherwise nil.
  package var key: RecordKey? {
    guard let first = text.utf8.first else { return nil }
    if Byte.isDigit(first) || first == Byte.minus { return .number(JSONNumber(checked: text)) }
    return string.map(RecordKey.string)
  }

  /// The content of the string if the value is a string, otherwise nil.
  package var string: String? {
    reading(from: Byte.quote) { try $0.next() == .string ? $0.string() : nil }
  }

  /// The elements as IDs if the value is an array of numbers and strings, otherwise nil.
  var keys: [RecordKey]? {
    reading(from: Byte.openBracket) { reader -> [RecordKey]? in
      var keys: [RecordKey] = []
      _ = try reader.next()
      while true {
        switch try reader.next() {
        case .number: keys.append(.number(reader.number()))
        case .string: keys.append(.string(reader.string()))
        case .endArray: return keys
        default: return nil
        }
      }
    }
  }

  /// Returns the value that a closure reads from the text. Returns nil if the text begins with
  /// another byte, or if the closure throws.
  func reading<Value>(
    from first: UInt8, _ read: (inout JSONReader) throws -> Value?
  ) -> Value? {
    guard text.utf8.first == first else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> Value? in
      do {
        return try read(&reader)
      } catch {
        return nil
      }
    }
  }

  /// The name of the value's kind in messages, such as "an object".
  var kindDescription: String {
    switch text.utf8.first {
    case UInt8(ascii: "n"): JSONToken.null.kindDescription
    case UInt8(ascii: "t"), UInt8(ascii: "f"): JSONToken.true.kindDescription
    case Byte.quote: JSONToken.string.kindDescription
    case Byte.openBracket: JSONToken.beginArray.kindDescription
    case Byte.openBrace: JSONToken.beginObject.kindDescription
    default: JSONToken.number.kindDescription
    }
  }
}

/// An ID composed of several values: their texts, separated by `/`.
///
/// Different lists of values have different texts. In a string, `~` is escaped as `~0` and `/` as
/// `~1`. A string that is also a valid number has the prefix `~2`, so that `1` and `"1"` differ.
struct SynthesizedKey {
  /// The maximum length in bytes of an ID derived from a parent's ID. A derived ID contains the IDs
  /// of all its ancestors. Without a limit, the IDs of deeply nested records would be very long.
  static let maximumLength = 512

  private(set) var text = ""
  private var hasParts = false

  /// Creates an empty key.
  init() {}

  /// Creates the prefix of the IDs that are derived from a row.
  ///
  /// - Parameter isSynthesized: Whether `parent` is itself a derived ID. If it is, its text is the
  ///   prefix.
  init(parent: RecordID, isSynthesized: Bool) {
    if isSynthesized {
      text = parent.key.text
      hasParts = true
    } else {
      append(step: parent.entity)
      append(parent.key)
    }
  }

  mutating func append(_ key: RecordKey) {
    switch key {
    case .number(let number): append(text: number.text)
    case .string(let string):
      append(text: JSONNumber(string) == nil ? Self.escaped(string) : "~2" + string)
    }
  }

  /// Appends a name or a position.
  mutating func append(step: String) { append(text: Self.escaped(step)) }

  private mutating func append(text part: String) {
    // An empty first part is also separated from the next one.
    if hasParts { text += "/" }
    hasParts = true
    text += part
  }

  private static func escaped(_ string: String) -> String {
    guard string.utf8.contains(where: { $0 == slash || $0 == tilde }) else { return string }
    var bytes: [UInt8] = []
    for byte in string.utf8 {
      switch byte {
      case tilde: bytes += [tilde, Byte.zero]
      case slash: bytes += [tilde, Byte.zero + 1]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let slash = UInt8(ascii: "/")
  private static let tilde = UInt8(ascii: "~")

  /// Returns the values that a text is composed of. A text with invalid escapes is decoded
  /// leniently.
  static func parts(of text: String) -> [RecordKey] {
    text.utf8.split(separator: slash, omittingEmptySubsequences: false).map { part in
      if part.first == tilde, part.dropFirst().first == Byte.zero + 2 {
        return .string(String(decoding: part.dropFirst(2), as: UTF8.self))
      }
      let string = String(decoding: part, as: UTF8.self)
      if let number = JSONNumber(string) { return .number(number) }
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in part {
        if isEscaped {
          bytes.append(byte == Byte.zero ? tilde : byte == Byte.zero + 1 ? slash : byte)
          isEscaped = false
        } else if byte == tilde {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension RecordKey {
  /// Creates the key of an ID that is composed of several values.
  package init(composedOf parts: [RecordKey]) {
    var key = SynthesizedKey()
    for part in parts { key.append(part) }
    self = .string(key.text)
  }
}
