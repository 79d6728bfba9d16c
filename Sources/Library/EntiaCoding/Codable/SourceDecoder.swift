/// The decoder of all formats.
///
/// It retains the document, because a type may store its decoder.
package struct SourceDecoder<Source: DecodingSource>: Decoder {
  private let source: Source
  private let node: Int

  /// Creates a decoder of one value.
  package init(_ source: Source, _ node: Int) { (self.source, self.node) = (source, node) }

  package var codingPath: [any CodingKey] { source.codingPath(node) }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    if let other = try source.otherDecoder(node, as: [String: Any].self) {
      return try other.container(keyedBy: type)
    }
    try source.checkObject(node)
    return KeyedDecodingContainer(
      SourceMembers(source: SourceReference(source), object: node))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let other = try source.otherDecoder(node, as: [Any].self) {
      return try other.unkeyedContainer()
    }
    let elements = try source.elements(of: node)
    return SourceElements(source: SourceReference(source), array: node, elements: elements)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension SourceDecoder: SingleValueDecodingContainer {
  package func decodeNil() -> Bool { source.isNull(node) }
  package func decode(_ type: Bool.Type) throws -> Bool { try source.bool(node) }
  package func decode(_ type: String.Type) throws -> String { try source.string(node) }
  package func decode(_ type: Double.Type) throws -> Double { try source.double(node) }
  package func decode(_ type: Float.Type) throws -> Float { try source.float(node) }
  package func decode(_ type: Int.Type) throws -> Int { try source.int(node) }
  package func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try source.integer(node)
  }
  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try source.decode(type, node)
  }
}

/// A reference to a document, as a container has it.
///
/// Counting references at each member of a row takes longer than reading the member. The document
/// is therefore used without counting, and retained only for a container that a type stores.
struct SourceReference<Source: DecodingSource> {
  private let source: Unmanaged<Source>
  private let owner: Source

  init(_ source: Source) {
    self.source = Unmanaged.passUnretained(source)
    owner = source
  }

  /// Calls the closure with the document, which is neither retained nor released.
  @inline(__always)
  func with<Result>(_ body: (Source) throws -> Result) rethrows -> Result {
    try source._withUnsafeGuaranteedRef(body)
  }
}
