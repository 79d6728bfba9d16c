public import EntiaCollections
import Foundation

/// The ID of an entity, typed by the entity. It is always written as `Author.EntityID`.
@frozen
public struct EntityIdentifier<Entity: EntityType>: Sendable {
  @usableFromInline let storage: Entity.EntityIDStorage

  /// Creates an ID from its raw value.
  /// - Complexity: O(1); for a string, O(*n*) in its length, since the string is hashed here
  ///   once.
  @inlinable
  @inline(__always)
  public init(_ raw: Entity.EntityIDRawType) { storage = Entity.EntityIDStorage(raw) }

  /// The raw value of the ID.
  @inlinable
  @inline(__always)
  public var raw: Entity.EntityIDRawType { storage.raw }
}

extension EntityIdentifier: Hashable, TableKey {
  /// Whether two IDs have equal raw values. A NaN equals a NaN with the same bits.
  @inlinable
  @inline(__always)
  public static func == (a: Self, b: Self) -> Bool { haveSameValue(a.raw, b.raw) }

  /// Feeds the raw value into the hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(raw) }

  /// Returns the hash for a `Dictionary` or `Set`, which passes its seed. This method is a
  /// requirement of `Hashable`. It is implemented so that an ID is as cheap a key as its raw value.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int { storage.hashValue(seed: seed) }

  /// Returns a well-mixed 64-bit hash. `seed` is the seed of the process.
  @inlinable
  @inline(__always)
  package func tableHash(seed: UInt64) -> UInt64 {
    // An integer is hashed without `storage`. Unspecialized code would look up the type of
    // `storage` at each call, and this lookup takes longer than the hash. `PlainIDStorage<Int>`
    // consists of only the integer.
    if Entity.EntityIDRawType.self == Int.self, MemoryLayout<Self>.size == MemoryLayout<Int>.size {
      return PlainIDStorage(unsafeBitCast(self, to: Int.self)).tableHash(seed: seed)
    }
    return storage.tableHash(seed: seed)
  }
}

extension EntityIdentifier: Comparable where Entity.EntityIDRawType: Comparable {
  /// Orders IDs by their raw values; NaN is last.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool { precedesTotally(a.raw, b.raw) }
}

extension EntityIdentifier: CustomStringConvertible {
  /// The raw value's description.
  public var description: String { String(describing: raw) }
}

extension EntityIdentifier: CustomDebugStringConvertible {
  /// The entity's name and the raw value, as in `Author("a1")`.
  public var debugDescription: String { "\(Entity.entityName)(\(String(reflecting: raw)))" }
}

extension EntityIdentifier: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

extension EntityIdentifier: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes the raw value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode(Entity.EntityIDRawType.self))
  }
}

extension EntityIdentifier: CodingKeyRepresentable {
  /// The raw value as a coding key, so that a dictionary with IDs as keys is encoded as an object.
  /// The key is the coding key of a `CodingKeyRepresentable` raw value, the text of a
  /// `LosslessStringConvertible` one, and the JSON text of any other raw value.
  public var codingKey: any CodingKey { RawValueKey(raw) }

  /// Creates an ID from a coding key, or returns `nil` if the key cannot be converted to the raw
  /// type.
  public init?<Key: CodingKey>(codingKey: Key) {
    guard let raw = RawValueKey.value(Entity.EntityIDRawType.self, of: codingKey) else {
      return nil
    }
    self.init(raw)
  }
}

/// A raw value as the key of an object.
private struct RawValueKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(_ raw: some Hashable) {
    if let raw = raw as? String {
      self.init(stringValue: raw)
    } else if let raw = raw as? Int {
      self.init(intValue: raw)
    } else if let raw = raw as? any CodingKeyRepresentable {
      self.init(raw.codingKey)
    } else if let raw = raw as? any LosslessStringConvertible {
      self.init(stringValue: raw.description)
    } else {
      self.init(stringValue: Self.text(of: raw))
    }
  }

  private init(_ key: any CodingKey) {
    stringValue = key.stringValue
    intValue = key.intValue
  }

  static func value<Raw>(_ type: Raw.Type, of key: some CodingKey) -> Raw? {
    let text = key.stringValue
    if type == String.self { return text as? Raw }
    if type == Int.self { return Int(text) as? Raw }
    if let type = type as? any CodingKeyRepresentable.Type {
      return type.init(codingKey: key) as? Raw
    }
    if let type = type as? any LosslessStringConvertible.Type { return type.init(text) as? Raw }
    return (type as? any Decodable.Type).flatMap { value($0, of: text) } as? Raw
  }

  /// Returns the JSON text of a raw value, without the quotation marks if it is a string.
  private static func text(of raw: some Hashable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      guard let raw = raw as? any Encodable else { return String(describing: raw) }
      let data = try encoder.encode(raw)
      return decoded(String.self, from: data) ?? String(decoding: data, as: UTF8.self)
    } catch {
      // A coding key cannot throw. The description is not the JSON text of the value, so decoding
      // the key fails instead of returning a wrong value.
      return String(describing: raw)
    }
  }

  private static func value<Raw: Decodable>(_ type: Raw.Type, of text: String) -> Raw? {
    do {
      let quoted = try JSONEncoder().encode(text)
      return decoded(type, from: quoted) ?? decoded(type, from: Data(text.utf8))
    } catch {
      return nil
    }
  }

  /// Returns a decoded value, or `nil` if the data cannot be decoded. The error is dropped, because
  /// the decoder of a dictionary with IDs as keys reports a key that cannot be converted.
  private static func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    do { return try JSONDecoder().decode(type, from: data) } catch { return nil }
  }
}

extension EntityIdentifier: ExpressibleByIntegerLiteral
where Entity.EntityIDRawType: ExpressibleByIntegerLiteral {
  /// Creates an ID from an integer literal.
  @inlinable
  public init(integerLiteral value: Entity.EntityIDRawType.IntegerLiteralType) {
    self.init(Entity.EntityIDRawType(integerLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByUnicodeScalarLiteral
where Entity.EntityIDRawType: ExpressibleByUnicodeScalarLiteral {
  /// Creates an ID from a literal of one scalar.
  @inlinable
  public init(unicodeScalarLiteral value: Entity.EntityIDRawType.UnicodeScalarLiteralType) {
    self.init(Entity.EntityIDRawType(unicodeScalarLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByExtendedGraphemeClusterLiteral
where Entity.EntityIDRawType: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Creates an ID from a literal of one character.
  @inlinable
  public init(
    extendedGraphemeClusterLiteral value: Entity.EntityIDRawType.ExtendedGraphemeClusterLiteralType
  ) {
    self.init(Entity.EntityIDRawType(extendedGraphemeClusterLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByStringLiteral
where Entity.EntityIDRawType: ExpressibleByStringLiteral {
  /// Creates an ID from a string literal.
  @inlinable
  public init(stringLiteral value: Entity.EntityIDRawType.StringLiteralType) {
    self.init(Entity.EntityIDRawType(stringLiteral: value))
  }
}

extension EntityIdentifier: ExpressibleByStringInterpolation
where
  Entity.EntityIDRawType: ExpressibleByStringInterpolation,
  Entity.EntityIDRawType.StringLiteralType == Entity.EntityIDRawType.StringInterpolation
    .StringLiteralType
{
  /// Creates an ID from an interpolated string.
  @inlinable
  public init(stringInterpolation: Entity.EntityIDRawType.StringInterpolation) {
    self.init(Entity.EntityIDRawType(stringInterpolation: stringInterpolation))
  }
}

/// The storage of an ID's raw value, optionally with data that makes lookups faster.
public protocol EntityIDStorageType<Raw>: Sendable {
  /// The raw type of the ID.
  associatedtype Raw: Hashable & Sendable
  /// The raw value.
  var raw: Raw { get }
  /// Returns a well-mixed 64-bit hash of the raw value. `seed` is the seed of the process.
  func tableHash(seed: UInt64) -> UInt64
  /// Creates the storage of a raw value.
  init(_ raw: Raw)
  /// Returns the hash of the raw value for a `Dictionary` or `Set`, which passes its seed.
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

  /// Returns a seeded mix of the bits of a fixed-width integer or a `UUID`. For any other type,
  /// returns a seeded mix of its standard hash.
  @inlinable
  public func tableHash(seed: UInt64) -> UInt64 {
    if let hash = HashMixing.hashIfPlain(raw, seed: seed) { return hash }
    return HashMixing.hash(UInt64(truncatingIfNeeded: raw.hashValue), seed: seed)
  }

  /// Returns the raw value's own one-shot hash.
  @inlinable
  public func hashValue(seed: Int) -> Int { raw._rawHashValue(seed: seed) }
}

/// A string stored with its hash. Each stored ID takes 8 more bytes, and lookups neither hash nor
/// copy the string.
@frozen
public struct HashedStringIDStorage: EntityIDStorageType {
  /// The raw value.
  public let raw: String
  /// The hash of the string with the process's seed; never encoded.
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
  /// The effect `readonly` lets the compiler remove the call if the hash is not used, as when an ID
  /// is created from a string only to be compared.
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
