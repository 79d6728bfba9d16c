#if canImport(Foundation)
  public import Foundation
#endif

extension HashMixing {
  /// Returns well-mixed bits of a fixed-width integer of up to 64 bits or a `UUID`, or `nil` for a
  /// value of another type. The standard hash is a call that is not inlined.
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
    // Not one expression, which takes the type checker seconds.
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
    // Not a cast, which would also accept a bridged number.
    guard Value.self == Integer.self else { return nil }
    return UInt64(truncatingIfNeeded: unsafeBitCast(value, to: Integer.self))
  }
}
