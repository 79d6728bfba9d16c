public import EntiaCollections

/// The storage of an ID's raw value, optionally with data that makes lookups faster.
public protocol EntityIDStorageType<Raw>: Sendable {
  /// The raw type of the ID.
  associatedtype Raw: Hashable & Sendable
  /// The raw value.
  var raw: Raw { get }
  /// Returns 64 well-mixed bits of the raw value with the process's seed.
  func tableHash(seed: UInt64) -> UInt64
  /// Creates the storage of a raw value.
  init(_ raw: Raw)
  /// Returns the hash of the raw value for a `Dictionary` or `Set` with a seed.
  func hashValue(seed: Int) -> Int
}

/// A storage of the raw value only.
@frozen
public struct PlainIDStorage<Raw: Hashable & Sendable>: EntityIDStorageType {
  /// The raw value.
  public let raw: Raw

  /// Creates the storage of a raw value.
  @inlinable
  @inline(__always)
  public init(_ raw: Raw) { self.raw = raw }

  /// Returns a seeded mix of a fixed-width integer or a `UUID`, and a mix of the standard hash of
  /// other types.
  @inlinable
  public func tableHash(seed: UInt64) -> UInt64 {
    if let hash = HashMixing.hashIfPlain(raw, seed: seed) { return hash }
    return HashMixing.hash(UInt64(truncatingIfNeeded: raw.hashValue), seed: seed)
  }

  /// Returns the raw value's own one-shot hash.
  @inlinable
  public func hashValue(seed: Int) -> Int { raw._rawHashValue(seed: seed) }
}

/// A string stored with its hash: 8 more bytes for each stored ID, for lookups that neither hash
/// nor copy the string.
@frozen
public struct HashedStringIDStorage: EntityIDStorageType {
  /// The raw value.
  public let raw: String
  /// The hash of the string, with a seed for each process; never encoded.
  @usableFromInline let tableHash: UInt64

  /// Returns the stored hash, which was made with the process's seed.
  @inlinable
  public func tableHash(seed: UInt64) -> UInt64 { tableHash }

  /// Creates the storage of a string.
  /// - Complexity: O(*n*) in the string's length.
  @inlinable
  public init(_ raw: String) {
    self.raw = raw
    tableHash = Self.hash(of: raw)
  }

  /// Returns the hash of a string.
  ///
  /// The compiler removes the call if the result is unused. Comparing an ID that was just created
  /// from a string therefore reads only the string.
  @_effects(readonly)
  @inline(never)
  @usableFromInline
  static func hash(of raw: String) -> UInt64 { HashMixing.hash(raw) }

  /// Returns the stored hash mixed with the seed, without reading the string.
  @inlinable
  public func hashValue(seed: Int) -> Int {
    Int(
      truncatingIfNeeded: HashMixing.foldedProduct(
        tableHash ^ UInt64(truncatingIfNeeded: seed), 0xE703_7ED1_A0B4_28DB))
  }
}
