/// Hashes of the cells of tables. The hashes are the same in every process and in every version of
/// the library, because files store sums of hashes.
///
/// The hash of a cell depends on its value, on the key of its row and on its column. The sum
/// therefore changes if two cells exchange their values.
enum CellHash {
  private static let start: UInt64 = 0x4C95_7F2D_0BB1_36E7
  private static let integerFactor: UInt64 = 0x9D3B_61C8_57A4_E20F
  private static let realFactor: UInt64 = 0xB7E4_0A8D_93F5_216B
  private static let textFactor: UInt64 = 0xA35C_D94E_18B7_6F23
  private static let blobFactor: UInt64 = 0xC61F_7B35_E0D8_9A4D
  private static let keyFactor: UInt64 = 0xD508_E6B1_3C7A_2F97
  private static let cellFactor: UInt64 = 0x8EF6_259B_D41C_A735

  /// Mixes two numbers: each bit of the result depends on all bits of both.
  @inline(__always)
  private static func mixed(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
    let product = lhs.multipliedFullWidth(by: rhs)
    return product.high ^ product.low
  }

  /// Returns the hash of a value alone, without its row and its column.
  @inline(__always)
  private static func hash(of value: SQLiteRow.Column) -> UInt64 {
    switch value {
    case .null: 0
    case .integer(let number): mixed(UInt64(bitPattern: number) ^ start, integerFactor)
    case .real(let number): mixed(number.bitPattern ^ start, realFactor)
    case .text(let bytes): hash(of: bytes, textFactor)
    case .blob(let bytes): hash(of: bytes, blobFactor)
    }
  }

  private static func hash(of bytes: UnsafeRawBufferPointer, _ factor: UInt64) -> UInt64 {
    let count = bytes.count
    // The count is mixed in before the bytes. Otherwise, two values that differ in their counts and
    // in their first bytes could have the same hash.
    var state = mixed(start ^ UInt64(count), factor)
    if count < 8 {
      var word: UInt64 = 0
      for byte in bytes { word = word << 8 | UInt64(byte) }
      return mixed(state ^ word, factor)
    }
    var offset = 0
    while offset + 8 < count {
      state = mixed(state ^ word(of: bytes, at: offset), factor) &+ start
      offset += 8
    }
    // The last word may share bytes with the one before.
    return mixed(state ^ word(of: bytes, at: count - 8), factor)
  }

  @inline(__always)
  private static func word(of bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns the seed of a column.
  static func seed(ofColumn name: String) -> UInt64 {
    var name = name
    // An odd number is not 0, which stands for a column without a seed.
    return name.withUTF8 { hash(of: UnsafeRawBufferPointer($0), textFactor) } | 1
  }

  /// The key of a row before the first call of `key(_:adding:)`.
  static var emptyKey: UInt64 { start }

  /// Returns `key` with one more ID of the row included. A row whose primary key has several
  /// columns has several IDs. If SQLite compares two IDs as equal, their keys are equal, too.
  @inline(__always)
  static func key(_ key: UInt64, adding id: SQLiteRow.Column) -> UInt64 {
    if case .real(let real) = id, let integer = Int64(exactly: real) {
      return mixed(hash(of: .integer(integer)) ^ key, keyFactor)
    }
    return mixed(hash(of: id) ^ key, keyFactor)
  }

  /// Returns the hash of a cell: 0 for NULL, so that a new column changes no sum.
  @inline(__always)
  static func hash(
    of value: SQLiteRow.Column, rowKey: UInt64, columnSeed: UInt64
  ) -> UInt64 {
    if case .null = value { return 0 }
    return mixed(mixed(hash(of: value) ^ rowKey, columnSeed) ^ rowKey, cellFactor)
  }
}

extension StoredValue {
  /// Calls a closure with the value as a column whose bytes are in Swift's memory.
  func withColumn<Result>(_ body: (SQLiteRow.Column) -> Result) -> Result {
    switch self {
    case .null: return body(.null)
    case .integer(let number): return body(.integer(number))
    case .real(let number): return body(.real(number))
    case .text(var text): return text.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
    case .blob(let bytes): return bytes.withUnsafeBytes { body(.blob($0)) }
    }
  }
}
