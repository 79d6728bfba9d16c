import EntiaCoding

/// Hashes of values. Equal values have equal hashes, and different values rarely do.
///
/// Guesses compare hashes in place of values, because a hash takes eight bytes even for a long
/// text. A rare collision can only make a guess wrong.
enum ValueHash {
  static let null: UInt64 = 1
  static let `true`: UInt64 = 2
  static let `false`: UInt64 = 3
  static let emptyList: UInt64 = 5

  /// Returns the hash of bytes. The tag distinguishes a string from a number with the same text.
  static func of(_ bytes: some Sequence<UInt8>, tag: UInt64) -> UInt64 {
    // The tag is hashed like a byte before the others. Otherwise the first byte could cancel it
    // out.
    var hash: UInt64 = (0xCBF2_9CE4_8422_2325 ^ tag) &* 0x0000_0100_0000_01B3
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mixed(hash)
  }

  /// Returns the hash of a string.
  static func of(_ string: String) -> UInt64 { of(string.utf8, tag: 2) }

  /// Returns the hash of a number.
  static func of(_ number: JSONNumber) -> UInt64 { of(number.text.utf8, tag: 1) }

  /// Returns the hash of an ordered pair.
  static func of(_ left: UInt64, _ right: UInt64) -> UInt64 {
    mixed(left &* 0x9E37_79B9_7F4A_7C15 ^ mixed(right))
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    let once = (number ^ (number >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return once ^ (once >> 32)
  }
}

/// The hashes of a value that may be an ID.
///
/// An import refuses two different IDs of one entity that have the same text, or are the same
/// number.
struct IDHash {
  /// The hash of the value. The values `1`, `1.0` and `"1"` have different hashes.
  let value: UInt64
  /// The hash of the text, the same for `1` and `"1"`.
  let text: UInt64
  /// The hash of the number, which is the same for `1` and `1.0`. For a string, the hash of the
  /// value.
  let number: UInt64

  /// Creates the hashes of a value that is no ID.
  init(value: UInt64) { (self.value, text, number) = (value, value, value) }

  init(_ key: RecordKey) {
    text = ValueHash.of(key.text)
    switch key {
    case .number(let number):
      value = ValueHash.of(number)
      self.number =
        number.isPlainInteger ? value : ValueHash.of(number.valueText.utf8, tag: 1)
    case .string: (value, number) = (text, text)
    }
  }
}
