import EntiaCoding

/// An ID composed of several values: their texts, separated by `/`.
///
/// Different lists of values have different texts. In a string, `~` is escaped as `~0` and `/` as
/// `~1`. A string that is also a valid number has the prefix `~2`, so that `1` and `"1"` differ.
struct SynthesizedKey {
  /// The maximum length in bytes of an ID derived from a parent's ID. A derived ID contains the IDs
  /// of all its ancestors, so without a limit deeply nested records would have very long IDs.
  static let maximumLength = 512

  private(set) var text = ""
  private var hasParts = false

  /// Creates an empty key.
  init() {}

  /// Creates the prefix of the IDs that are derived from a row.
  ///
  /// - Parameter isSynthesized: Whether the row's own ID was derived from its parent, so that it is
  ///   extended.
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
