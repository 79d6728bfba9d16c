public import EntiaCollections

/// How an ID keeps its raw value, and perhaps something beside it that makes look-ups faster.
public protocol EntityIDStorageType<Raw>: Sendable {
  /// What an ID is made of.
  associatedtype Raw: Hashable & Sendable
  /// The raw value.
  var raw: Raw { get }
  /// 64 well-mixed bits of the raw value, seeded once a process.
  var tableHash: UInt64 { get }
  /// Creates the storage of a raw value.
  init(_ raw: Raw)
  /// Returns the hash with which `Dictionary` and `Set` of one seed file the raw value.
  func hashValue(seed: Int) -> Int
}

/// The raw value alone.
@frozen
public struct PlainIDStorage<Raw: Hashable & Sendable>: EntityIDStorageType {
  /// The raw value.
  public let raw: Raw

  /// Creates the storage of a raw value.
  @inlinable
  @inline(__always)
  public init(_ raw: Raw) { self.raw = raw }

  /// A seeded mix for integers, the standard hash for anything else.
  @inlinable
  public var tableHash: UInt64 {
    // The type tests are settled when the code is specialized.
    if let raw = raw as? Int { return HashMixing.hash(UInt64(bitPattern: Int64(raw))) }
    if let raw = raw as? Int64 { return HashMixing.hash(UInt64(bitPattern: raw)) }
    if let raw = raw as? UInt64 { return HashMixing.hash(raw) }
    if let raw = raw as? Int32 { return HashMixing.hash(UInt64(bitPattern: Int64(raw))) }
    return HashMixing.hash(UInt64(truncatingIfNeeded: raw.hashValue))
  }

  /// Returns the raw value's own one-shot hash.
  @inlinable
  public func hashValue(seed: Int) -> Int { raw._rawHashValue(seed: seed) }
}

/// A string with its hash beside it: 8 bytes wherever the ID is stored, for look-ups that neither
/// hash nor copy the string.
@frozen
public struct HashedStringIDStorage: EntityIDStorageType {
  /// The raw value.
  public let raw: String
  /// The hash of the string, seeded once a process; never encoded.
  public let tableHash: UInt64

  /// Creates the storage of a string.
  /// - Complexity: O(*n*) in the string's length.
  @inlinable
  public init(_ raw: String) {
    self.raw = raw
    tableHash = HashMixing.hash(raw)
  }

  /// Returns the kept hash mixed with the seed, without reading the string.
  @inlinable
  public func hashValue(seed: Int) -> Int {
    Int(
      truncatingIfNeeded: HashMixing.foldedProduct(
        tableHash ^ UInt64(truncatingIfNeeded: seed), 0xE703_7ED1_A0B4_28DB))
  }
}
