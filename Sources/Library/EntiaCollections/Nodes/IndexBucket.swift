/// A bucket of the hash index: eight places for entries, 64 bytes.
///
/// The first eight bytes are marks, one for each place. The mark of a free place is 0. The mark of
/// an entry is the seven lowest bits of its tag, plus a set highest bit. One comparison of words
/// tests the marks of all eight places. The next 24 bytes store the rest of each tag, in three
/// bytes for each place. The last 32 bytes store the slots, in four bytes for each place.
@frozen
@usableFromInline
struct IndexBucket {
  @usableFromInline let address: UnsafeMutableRawPointer

  /// Creates a reference to the bucket at an index of a chunk's buckets.
  @inlinable
  @inline(__always)
  init(at index: Int, of buckets: UnsafeMutableRawPointer) {
    address = buckets + index &* Self.size
  }

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

  /// Returns a bit set of places. It contains every place that has the mark of `pattern` and,
  /// rarely, a place with another mark. A place is represented by the highest bit of its byte.
  @inlinable
  @inline(__always)
  func candidates(_ pattern: UInt64) -> UInt64 {
    let difference = marks ^ pattern
    return (difference &- Self.everyByte) & ~difference & Self.everyMark
  }

  /// Returns the lowest place in a bit set in which the highest bit of each byte represents a
  /// place.
  @inlinable
  @inline(__always)
  static func place(_ bits: UInt64) -> Int { bits.trailingZeroBitCount &>> 3 }

  @inlinable
  @inline(__always)
  var marks: UInt64 { address.load(as: UInt64.self) }

  /// A bit set of the free places. A place is represented by the highest bit of its byte.
  @inlinable
  @inline(__always)
  var free: UInt64 { ~marks & Self.everyMark }

  /// A bit set of the places with entries. A place is represented by the highest bit of its byte.
  @inlinable
  @inline(__always)
  var used: UInt64 { marks & Self.everyMark }

  @inlinable
  @inline(__always)
  func slot(_ place: Int) -> Int {
    Int(truncatingIfNeeded: address.load(fromByteOffset: 32 &+ place &* 4, as: UInt32.self))
  }

  @inlinable
  @inline(__always)
  func setSlot(_ place: Int, _ slot: Int) {
    address.storeBytes(
      of: UInt32(truncatingIfNeeded: slot), toByteOffset: 32 &+ place &* 4, as: UInt32.self)
  }

  /// Returns the part of a tag that is stored in addition to the mark, in the upper bits of a word.
  @inlinable
  @inline(__always)
  static func rest(ofTag tag: UInt32) -> UInt32 { (tag &>> 7) &<< 8 }

  @inlinable
  @inline(__always)
  func rest(_ place: Int) -> UInt32 {
    // Reads four bytes, of which the shift drops the last. All four are inside the bucket.
    let word = address.loadUnaligned(fromByteOffset: 8 &+ place &* 3, as: UInt32.self)
    return UInt32(littleEndian: word) &<< 8
  }

  @inlinable
  @inline(__always)
  func tag(_ place: Int) -> UInt32 {
    let mark = UInt32(truncatingIfNeeded: marks &>> UInt64(place &* 8)) & 0x7F
    return rest(place) &>> 1 | mark
  }

  /// Stores an entry in a free place.
  @inlinable
  @inline(__always)
  func set(_ place: Int, _ tag: UInt32, _ slot: Int) {
    let shift = UInt64(truncatingIfNeeded: place &* 8)
    let mark = UInt64(truncatingIfNeeded: tag & 0x7F | 0x80) &<< shift
    // The mark of a free place is 0.
    address.storeBytes(of: marks | mark, as: UInt64.self)
    let rest = tag &>> 7
    let offset = 8 &+ place &* 3
    address.storeBytes(
      of: UInt16(truncatingIfNeeded: rest).littleEndian, toByteOffset: offset, as: UInt16.self)
    address.storeBytes(
      of: UInt8(truncatingIfNeeded: rest &>> 16), toByteOffset: offset &+ 2, as: UInt8.self)
    setSlot(place, slot)
  }

  /// Copies an entry to the first free place of another bucket.
  /// - Parameters:
  ///   - place: The place of the entry.
  ///   - rest: The rest of its tag, as `rest(_:)` returns it.
  ///   - target: The other bucket.
  ///   - free: The free places of the other bucket, at least one.
  @inlinable
  @inline(__always)
  func copyEntry(at place: Int, rest: UInt32, to target: IndexBucket, free: UInt64) {
    let mark = (marks &>> UInt64(truncatingIfNeeded: place &* 8)) & 0xFF
    let targetPlace = Self.place(free)
    let shift = UInt64(truncatingIfNeeded: targetPlace &* 8)
    target.address.storeBytes(of: target.marks | mark &<< shift, as: UInt64.self)
    let offset = 8 &+ targetPlace &* 3
    target.address.storeBytes(
      of: UInt16(truncatingIfNeeded: rest &>> 8).littleEndian, toByteOffset: offset,
      as: UInt16.self)
    target.address.storeBytes(
      of: UInt8(truncatingIfNeeded: rest &>> 24), toByteOffset: offset &+ 2, as: UInt8.self)
    target.setSlot(targetPlace, slot(place))
  }

  @inlinable
  @inline(__always)
  func clear(_ place: Int) {
    let shift = UInt64(truncatingIfNeeded: place &* 8)
    address.storeBytes(of: marks & ~(0xFF &<< shift), as: UInt64.self)
  }
}
