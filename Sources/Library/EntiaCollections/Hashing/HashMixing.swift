#if canImport(Foundation)
  public import Foundation
#endif

/// The hash functions behind `TableKey`. They are seeded once per process, so that keys with
/// colliding hashes cannot be prepared.
@usableFromInline
package enum HashMixing {
  /// A seed drawn once per process. It is derived from the standard library's seed, and is
  /// therefore constant if `SWIFT_DETERMINISTIC_HASHING` is set.
  @usableFromInline
  package static let seed: UInt64 = {
    var hasher = Hasher()
    hasher.combine("EntiaCollections.HashMixing")
    // The result has 32 bits on some platforms, so it is spread over all 64.
    return UInt64(truncatingIfNeeded: hasher.finalize()) &* 0x9E37_79B9_7F4A_7C15
  }()

  /// Returns the two halves of the 128-bit product, folded together.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  package static func foldedProduct(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  /// Returns well-mixed bits of an integer.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  package static func hash(_ value: UInt64, seed: UInt64 = seed) -> UInt64 {
    foldedProduct(value ^ seed, 0xA076_1D64_78BD_642F)
  }

  /// Returns well-mixed bits of a string, equal for canonically equivalent strings.
  /// - Complexity: O(*n*) in the string's UTF-8 length.
  @inlinable
  package static func hash(_ string: String, seed: UInt64 = seed) -> UInt64 {
    let fast = string.utf8.withContiguousStorageIfAvailable {
      hashIfASCII(UnsafeRawBufferPointer($0), seed: seed)
    }
    return (fast ?? nil) ?? hashSlowly(string, seed: seed)
  }

  /// Returns well-mixed bits of a string that is not ASCII or whose bytes are not contiguous.
  ///
  /// Two ASCII strings are equal if and only if their bytes are equal. Other strings have to be
  /// normalized. The string can equal an ASCII string in two cases: its bytes are not contiguous,
  /// or it contains one of the three scalars that normalize to ASCII. Both strings must then have
  /// the same hash.
  @usableFromInline
  @inline(never)
  static func hashSlowly(_ string: String, seed: UInt64) -> UInt64 {
    var ascii = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\u{212A}": ascii.append("K")
      case "\u{037E}": ascii.append(";")
      case "\u{1FEF}": ascii.append("`")
      case _ where scalar.isASCII: ascii.append(scalar)
      default: return hash(UInt64(truncatingIfNeeded: string.hashValue), seed: seed)
      }
    }
    var text = String(ascii)
    return text.withUTF8 { hashIfASCII(UnsafeRawBufferPointer($0), seed: seed) }
      ?? hash(UInt64(truncatingIfNeeded: string.hashValue), seed: seed)
  }

  @inlinable
  static func hashIfASCII(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64? {
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var seen: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      seen |= word
      hash = foldedProduct(hash ^ word, 0xA076_1D64_78BD_642F)
      offset &+= 8
    }
    var tail: UInt64 = 0
    while offset < count {
      tail = tail &<< 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    seen |= tail
    if seen & 0x8080_8080_8080_8080 != 0 { return nil }
    return foldedProduct(hash ^ tail, 0xE703_7ED1_A0B4_28DB)
  }
}

/// A key that provides 64 well-mixed hash bits in one step.
///
/// Equal keys have equal bits within one process. The bits depend on a seed drawn once per process
/// and must never be stored or encoded.
@usableFromInline
package protocol TableKey: Hashable, Sendable {
  /// Returns 64 well-mixed bits. Equal keys have equal bits for equal seeds.
  ///
  /// A table passes its copy of the process's seed. Reading the global constant is an opaque call,
  /// because its value is drawn at run time. If a loop looked up keys in a table that is stored in
  /// a property, the compiler would retain the table around each opaque call.
  func tableHash(seed: UInt64) -> UInt64
}

extension TableKey {
  /// Returns mixed bits of the key's standard hash.
  @inlinable
  package func tableHash(seed: UInt64) -> UInt64 {
    HashMixing.hash(UInt64(truncatingIfNeeded: hashValue), seed: seed)
  }

  /// 64 well-mixed bits with the process's seed. Equal keys have equal bits.
  @inlinable
  package var tableHash: UInt64 { tableHash(seed: HashMixing.seed) }
}

extension HashMixing {
  /// Returns well-mixed bits of a fixed-width integer of up to 64 bits or a `UUID`, or `nil` for a
  /// value of another type. These types are hashed here, because the standard hash is a call that
  /// is not inlined.
  /// - Complexity: O(1). In specialized code, the comparisons of types are evaluated at compile
  ///   time.
  @inlinable
  @inline(__always)
  package static func hashIfPlain<Value>(_ value: Value, seed: UInt64) -> UInt64? {
    if let bits = bits(ofInteger: value) { return hash(bits, seed: seed) }
    #if canImport(Foundation)
      if Value.self == UUID.self {
        let words = unsafeBitCast(value, to: (UInt64, UInt64).self)
        return foldedProduct(hash(words.0, seed: seed) ^ words.1, 0xE703_7ED1_A0B4_28DB)
      }
    #endif
    return nil
  }

  /// Returns the bits of a fixed-width integer, extended to 64, or `nil` for a value of another
  /// type.
  @inlinable
  @inline(__always)
  static func bits<Value>(ofInteger value: Value) -> UInt64? {
    // Separate statements, because the type checker needs seconds for a single expression.
    if let bits = bits(of: value, as: Int.self) { return bits }
    if let bits = bits(of: value, as: UInt.self) { return bits }
    if let bits = bits(of: value, as: Int64.self) { return bits }
    if let bits = bits(of: value, as: UInt64.self) { return bits }
    if let bits = bits(of: value, as: Int32.self) { return bits }
    if let bits = bits(of: value, as: UInt32.self) { return bits }
    if let bits = bits(of: value, as: Int16.self) { return bits }
    if let bits = bits(of: value, as: UInt16.self) { return bits }
    if let bits = bits(of: value, as: Int8.self) { return bits }
    return bits(of: value, as: UInt8.self)
  }

  @inlinable
  @inline(__always)
  static func bits<Value, Integer: FixedWidthInteger>(
    of value: Value, as type: Integer.Type
  ) -> UInt64? {
    // The types are compared, because a cast would also accept a bridged number.
    guard Value.self == Integer.self else { return nil }
    return UInt64(truncatingIfNeeded: unsafeBitCast(value, to: Integer.self))
  }
}
