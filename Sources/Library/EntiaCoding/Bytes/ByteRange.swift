/// Hashes, compares and searches bytes in place, without a copy.
@usableFromInline
package enum ByteRange {
  /// A random seed for each process, so that bytes with colliding hashes cannot be prepared. The
  /// seed is constant if `SWIFT_DETERMINISTIC_HASHING` is set.
  private static let processSeed: UInt64 = {
    var hasher = Hasher()
    hasher.combine("EntiaCoding.ByteRange")
    // The hash has only 32 bits on some platforms. The product spreads them over all 64.
    return UInt64(truncatingIfNeeded: hasher.finalize()) &* 0x9E37_79B9_7F4A_7C15
  }()

  /// Returns the two halves of the 128-bit product, folded together.
  @inline(__always)
  private static func foldedProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// Returns a well-mixed hash of bytes; the seed is chosen once per process.
  ///
  /// - Complexity: O(number of bytes).
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    let count = bytes.count
    var hash = processSeed ^ seed ^ UInt64(truncatingIfNeeded: count)
    var offset = 0
    while offset &+ 8 <= count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = foldedProduct(hash ^ word, 0xA076_1D64_78BD_642F)
      offset &+= 8
    }
    var tail: UInt64 = 0
    while offset < count {
      tail = tail &<< 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    return foldedProduct(hash ^ tail, 0xE703_7ED1_A0B4_28DB)
  }

  /// Returns whether the first `count` bytes at two addresses are equal.
  @inlinable
  @inline(__always)
  package static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int)
    -> Bool
  {
    // The last word overlaps the previous one if `count` is not a multiple of eight.
    guard count >= 8 else { return areEqualShort(left, right, count) }
    let last = count &- 8
    var offset = 0
    while offset < last {
      if word(left, offset, UInt64.self) != word(right, offset, UInt64.self) { return false }
      offset &+= 8
    }
    return word(left, last, UInt64.self) == word(right, last, UInt64.self)
  }

  /// Returns whether the first `count` bytes at two addresses are equal. `count` is less than 8.
  @inlinable
  @inline(__always)
  static func areEqualShort(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
  ) -> Bool {
    if count >= 4 {
      return word(left, 0, UInt32.self) == word(right, 0, UInt32.self)
        && word(left, count &- 4, UInt32.self) == word(right, count &- 4, UInt32.self)
    }
    for offset in 0..<count where word(left, offset, UInt8.self) != word(right, offset, UInt8.self)
    {
      return false
    }
    return true
  }

  @inlinable
  @inline(__always)
  static func word<Word: BitwiseCopyable>(
    _ address: UnsafeRawPointer, _ offset: Int, _ type: Word.Type
  ) -> Word {
    address.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Returns whether two buffers hold the same bytes.
  @inlinable
  @inline(__always)
  package static func areEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard left.count == right.count else { return false }
    guard let one = left.baseAddress, let other = right.baseAddress else { return left.isEmpty }
    return areEqual(one, other, left.count)
  }
}

extension ByteRange {
  /// Returns the index of the first occurrence of a byte, or nil if it does not occur.
  ///
  /// - Complexity: O(number of bytes).
  package static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let wanted = ones &* UInt64(byte)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(base).loadUnaligned(
          fromByteOffset: offset, as: UInt64.self))
      let differences = word ^ wanted
      // A hit is a byte of `differences` that is 0. Subtracting 1 from it borrows from the later
      // bytes, which may set the bit of a later byte, too. The lowest set bit is always a true hit.
      let hits = (differences &- ones) & ~differences & 0x8080_8080_8080_8080
      if hits != 0 { return offset &+ hits.trailingZeroBitCount >> 3 }
      offset &+= 8
    }
    while offset < bytes.count {
      if base[offset] == byte { return offset }
      offset &+= 1
    }
    return nil
  }

  /// Returns the number of occurrences of a byte.
  ///
  /// - Complexity: O(number of bytes).
  static func count(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let wanted = 0x0101_0101_0101_0101 &* UInt64(byte)
    let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return sum(
      bytes,
      of: { word in
        let differences = word ^ wanted
        // No carry crosses from one byte to the next, so every set bit is a true hit.
        return (~(((differences & lows) &+ lows) | differences | lows)).nonzeroBitCount
      }, and: { $0 == byte })
  }

  /// Returns the number of Unicode scalars in valid UTF-8, which is the number of bytes that are
  /// not continuation bytes.
  ///
  /// - Complexity: O(number of bytes).
  static func scalarCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.count
      - sum(
        bytes, of: { ($0 & ~($0 &<< 1) & 0x8080_8080_8080_8080).nonzeroBitCount },
        and: { $0 & 0xC0 == 0x80 })
  }

  /// Returns the sum of the results of `word` for all groups of eight bytes, plus the number of
  /// remaining bytes that satisfy `byte`.
  @inline(__always)
  private static func sum(
    _ bytes: UnsafeBufferPointer<UInt8>, of word: (UInt64) -> Int, and byte: (UInt8) -> Bool
  ) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var sum = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      sum &+= word(
        UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    while offset < bytes.count {
      if byte(base[offset]) { sum &+= 1 }
      offset &+= 1
    }
    return sum
  }
}
