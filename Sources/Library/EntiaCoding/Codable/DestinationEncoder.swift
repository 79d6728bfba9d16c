/// A place for one encoded value, which ``DestinationEncoder`` fills.
///
/// Each format to which `Encodable` types are written has a type that conforms to this protocol.
package protocol EncodingDestination {
  /// The keys that lead to the value.
  var codingPath: [any CodingKey] { get }

  /// Writes the absence of a value.
  func encodeNil() throws

  /// Writes a value of any type. If the format has no representation of the type, the value's
  /// `encode(to:)` writes it, with a `DestinationEncoder` of this destination.
  func encode<Value: Encodable>(_ value: Value) throws

  /// Writes an integer that an `encode(to:)` passes to the encoder as a single value.
  func encodeInteger(_ value: some FixedWidthInteger & Encodable) throws

  /// Begins an object, unless one has begun.
  func beginObject()

  /// Begins an array, unless one has begun.
  func beginArray()

  /// The number of elements of the array.
  var count: Int { get }

  /// Returns the destination for the value of a member of the object.
  func member(_ key: any CodingKey) -> Self

  /// Notes a member that is `nil`, and therefore missing in the object.
  func noteMissing(_ key: any CodingKey)

  /// Appends an element to the array, and returns the destination for the element's value.
  func element() -> Self
}

extension EncodingDestination {
  package func encodeInteger(_ value: some FixedWidthInteger & Encodable) throws {
    try encode(value)
  }

  package func noteMissing(_ key: any CodingKey) {}
}

/// The encoder of all formats.
package struct DestinationEncoder<Destination: EncodingDestination>: Encoder {
  private let destination: Destination

  /// Creates an encoder of one value.
  package init(_ destination: Destination) { self.destination = destination }

  package var codingPath: [any CodingKey] { destination.codingPath }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    destination.beginObject()
    return KeyedEncodingContainer(DestinationMembers(destination: destination))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    destination.beginArray()
    return DestinationElements(destination: destination)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension DestinationEncoder: SingleValueEncodingContainer {
  package func encodeNil() throws { try destination.encodeNil() }
  package func encode(_ value: some FixedWidthInteger & Encodable) throws {
    try destination.encodeInteger(value)
  }
  package func encode(_ value: some Encodable) throws { try destination.encode(value) }
}

private struct DestinationMembers<
  Destination: EncodingDestination, Key: CodingKey
>: KeyedEncodingContainerProtocol {
  let destination: Destination

  var codingPath: [any CodingKey] { destination.codingPath }

  private func encoder(_ key: any CodingKey) -> DestinationEncoder<Destination> {
    DestinationEncoder(destination.member(key))
  }

  func encodeNil(forKey key: Key) throws { try destination.member(key).encodeNil() }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    try destination.member(key).encode(value)
  }

  // The standard library has a default for each type, which a generic function would not replace.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try setOptional(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try setOptional(value, key)
  }

  @inline(__always)
  private func setOptional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value { return try encode(value, forKey: key) }
    destination.noteMissing(key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(NamedKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct DestinationElements<Destination: EncodingDestination>: UnkeyedEncodingContainer {
  let destination: Destination

  var codingPath: [any CodingKey] { destination.codingPath }
  var count: Int { destination.count }

  private func encoder() -> DestinationEncoder<Destination> {
    DestinationEncoder(destination.element())
  }

  func encodeNil() throws { try destination.element().encodeNil() }
  func encode(_ value: some Encodable) throws { try destination.element().encode(value) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoder().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }
}
