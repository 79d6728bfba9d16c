/// The operations on a bucket of the hash index: eight places for entries, 64 bytes.
///
/// The first eight bytes are marks, one for each place: 0 if the place is free, else the seven
/// lowest bits of the entry's tag below a set bit. One comparison of words therefore tests all
/// eight places. Three bytes for each place follow with the rest of the tag, then four with the
/// slot.
@usableFromInline
enum IndexBuckets {
  @inlinable
  @inline(__always)
  static var places: Int { 8 }

  @inlinable
  @inline(__always)
  static var size: Int { 64 }

  @inlinable
  @inline(__always)
  static var everyByte: UInt64 { 0x0101_0101_0101_0101 }

  @inlinable
  @inline(__always)
  static var everyMark: UInt64 { 0x8080_8080_8080_8080 }

  /// Returns a word with the mark of a tag in every byte.
  @inlinable
  @inline(__always)
  static func pattern(_ tag: UInt32) -> UInt64 {
    UInt64(truncatingIfNeeded: tag & 0x7F | 0x80) &* everyByte
  }

  /// Returns the highest bit of each byte whose place may hold a tag with the pattern. Rarely, a
  /// returned place does not hold one.
  @inlinable
  @inline(__always)
  static func candidates(_ marks: UInt64, _ pattern: UInt64) -> UInt64 {
    let difference = marks ^ pattern
    return (difference &- everyByte) & ~difference & everyMark
  }

  /// Returns the lowest place whose bit is set.
  @inlinable
  @inline(__always)
  static func place(_ bits: UInt64) -> Int { bits.trailingZeroBitCount &>> 3 }

  @inlinable
  @inline(__always)
  static func marks(_ bucket: UnsafeMutableRawPointer) -> UInt64 {
    bucket.load(as: UInt64.self)
  }

  /// Returns the highest bit of each byte whose place is free.
  @inlinable
  @inline(__always)
  static func free(_ marks: UInt64) -> UInt64 { ~marks & everyMark }

  @inlinable
  @inline(__always)
  static func slot(_ bucket: UnsafeMutableRawPointer, _ place: Int) -> Int {
    Int(truncatingIfNeeded: bucket.load(fromByteOffset: 32 &+ place &* 4, as: UInt32.self))
  }

  @inlinable
  @inline(__always)
  static func setSlot(_ bucket: UnsafeMutableRawPointer, _ place: Int, _ slot: Int) {
    bucket.storeBytes(
      of: UInt32(truncatingIfNeeded: slot), toByteOffset: 32 &+ place &* 4, as: UInt32.self)
  }

  /// Returns the part of a tag that is stored in addition to the mark, in the upper bits of a word.
  @inlinable
  @inline(__always)
  static func rest(ofTag tag: UInt32) -> UInt32 { (tag &>> 7) &<< 8 }

  @inlinable
  @inline(__always)
  static func rest(_ bucket: UnsafeMutableRawPointer, _ place: Int) -> UInt32 {
    // Reads four bytes, of which the shift drops the last. All four are inside the bucket.
    let word = bucket.loadUnaligned(fromByteOffset: 8 &+ place &* 3, as: UInt32.self)
    return UInt32(littleEndian: word) &<< 8
  }

  @inlinable
  @inline(__always)
  static func tag(_ bucket: UnsafeMutableRawPointer, _ place: Int) -> UInt32 {
    let mark = UInt32(truncatingIfNeeded: marks(bucket) &>> UInt64(place &* 8)) & 0x7F
    return rest(bucket, place) &>> 1 | mark
  }

  /// Stores an entry in a free place.
  @inlinable
  @inline(__always)
  static func set(_ bucket: UnsafeMutableRawPointer, _ place: Int, _ tag: UInt32, _ slot: Int) {
    let shift = UInt64(truncatingIfNeeded: place &* 8)
    let mark = UInt64(truncatingIfNeeded: tag & 0x7F | 0x80) &<< shift
    bucket.storeBytes(of: marks(bucket) & ~(0xFF &<< shift) | mark, as: UInt64.self)
    let rest = tag &>> 7
    let offset = 8 &+ place &* 3
    bucket.storeBytes(
      of: UInt8(truncatingIfNeeded: rest), toByteOffset: offset, as: UInt8.self)
    bucket.storeBytes(
      of: UInt8(truncatingIfNeeded: rest &>> 8), toByteOffset: offset &+ 1, as: UInt8.self)
    bucket.storeBytes(
      of: UInt8(truncatingIfNeeded: rest &>> 16), toByteOffset: offset &+ 2, as: UInt8.self)
    setSlot(bucket, place, slot)
  }

  @inlinable
  @inline(__always)
  static func clear(_ bucket: UnsafeMutableRawPointer, _ place: Int) {
    let shift = UInt64(truncatingIfNeeded: place &* 8)
    bucket.storeBytes(of: marks(bucket) & ~(0xFF &<< shift), as: UInt64.self)
  }
}
