/// Numbers that stand for values: equal for equal values, and for hardly any others.
///
/// A guess bears the rare pair of values that share one, and remembering eight bytes a value keeps
/// what is remembered of a long text short.
enum ValueHash {
  static let null: UInt64 = 1
  static let `true`: UInt64 = 2
  static let `false`: UInt64 = 3
  static let emptyList: UInt64 = 5

  /// The hash of bytes; the tag tells a string from a number of the same letters.
  static func of(_ bytes: some Sequence<UInt8>, tag: UInt64) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ tag
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mixed(hash)
  }

  /// The hash of two, in this order.
  static func of(_ left: UInt64, _ right: UInt64) -> UInt64 {
    mixed(left &* 0x9E37_79B9_7F4A_7C15 ^ mixed(right))
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    let once = (number ^ (number >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return once ^ (once >> 32)
  }
}
