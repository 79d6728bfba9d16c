/// An ID that is made of several values: their texts with `/` between them.
///
/// No two lists of values make the same text: in a string `~` becomes `~0` and `/` becomes `~1`, and
/// a string that is written like a number begins with `~2`, so that `1` and `"1"` stay two.
struct MadeKey {
  /// The bytes that an ID made from a parent's may have. An ID holds those of all parents above it,
  /// so that a bound keeps deep records from making long ones.
  static let maximumLength = 512

  private(set) var text = ""
  private var hasParts = false

  /// Makes a key of no value.
  init() {}

  /// Makes the beginning of the IDs that are taken from a row.
  ///
  /// - Parameter isMade: whether the row's own ID was taken from its parent, and goes on here.
  init(parent: RecordID, isMade: Bool) {
    if isMade {
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

  /// Adds a name or a position.
  mutating func append(step: String) { append(text: Self.escaped(step)) }

  private mutating func append(text part: String) {
    // An empty first part is one all the same.
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

  /// Gives the values that made a text; of one that no values make, what comes nearest.
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
