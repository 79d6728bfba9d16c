import EntiaCoding
import EntiaDatabase

/// Decodes rows, each member from the column with its name.
///
/// Rows have a separate decoder because loading a file with `SourceDecoder` takes a tenth longer.
final class RowDecoder: Decoder {
  private let pool: RowColumnsPool
  private let row: UnsafeMutablePointer<RowColumns>
  @exclusivity(unchecked) private var containers = ContainerCache()

  /// For each member, whether rows have read it.
  var isClaimed: [Bool] { row.pointee.isClaimed }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates a decoder.
  /// - Parameters:
  ///   - members: The names of the members in the first columns of the rows.
  ///   - pool: The pool that the columns are taken from.
  init(members: [String], pool: RowColumnsPool = .shared) {
    self.pool = pool
    row = pool.take(RowColumns(.none, members: members))
  }

  deinit { pool.put(row) }

  /// Sets the row to decode. Its chunk must exist until another row is set, or until the decoder is
  /// released.
  @inline(__always)
  func begin(_ current: ChunkRow) { row.pointee.begin(current) }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row { try Row(from: self) }

  /// Returns the current row as a value that reads its members by generated code.
  /// - Throws: `DecodingError`, and the error that a member throws.
  func decodeMembers<Row: RowCodable>(_ type: Row.Type) throws -> Row {
    var reader = ColumnReader(row)
    return try Row(row: &reader)
  }

  /// Returns a value of the current row.
  /// - Throws: `DecodingError` for a text that is not UTF-8.
  func value(at index: Int) throws -> StoredValue { try row.pointee.value(at: index, []) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    containers.container(keyedBy: type) {
      KeyedDecodingContainer(RowDecodingContainer<Key>(columns: row))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try wholeRow().unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try wholeRow().singleValueContainer()
  }

  private func wholeRow() throws -> any Decoder {
    guard let index = row.pointee.index(of: RowEncoder.wholeRow) else {
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(codingPath: [], debugDescription: "the row has members"))
    }
    return try row.pointee.cell(at: index, [], isAmbiguous: true).nestedDecoder([String: Any].self)
  }
}

/// The members of the current row. The container stores only a pointer to the columns, and retains
/// nothing, so that all rows share it.
struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let columns: UnsafeMutablePointer<RowColumns>

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { columns.pointee.presentMembers.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    columns.pointee.column(key.stringValue).map { columns.pointee.row.kind(at: $0) != .null }
      ?? false
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let index = columns.pointee.column(key.stringValue) else { return true }
    return columns.pointee.isNil(at: index)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let index = try column(key)
    if columns.pointee.row.kind(at: index) == .text,
      let text = columns.pointee.row.validText(at: index)
    {
      return text
    }
    return try columns.pointee.cell(at: index, [key]).decode(type)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let index = try column(key)
    if columns.pointee.row.kind(at: index) == .integer {
      if let number = Int(exactly: columns.pointee.row.integer(at: index)) { return number }
    }
    return try columns.pointee.cell(at: index, [key]).decode(type)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let index = try column(key)
    if columns.pointee.row.kind(at: index) == .real { return columns.pointee.row.real(at: index) }
    return try columns.pointee.cell(at: index, [key]).decode(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(type, at: try column(key), key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decodePresent(type, key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decodePresent(type, key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decodePresent(type, key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decodePresent(type, key)
  }
  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try decodePresent(type, key)
  }

  private func decodePresent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    guard let index = columns.pointee.column(key.stringValue), !columns.pointee.isNil(at: index)
    else { return nil }
    return try decode(type, at: index, key)
  }

  @inline(__always)
  private func decode<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ key: Key
  ) throws -> Value {
    let stored = columns.pointee.storedType(of: index, type)
    return try stored.value(type, of: columns.pointee.row, at: index) {
      try columns.pointee.cell(at: index, [key]).decode(type)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let index = columns.pointee.column("super") else {
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(codingPath: [], debugDescription: "the row has no member super"))
    }
    return try columns.pointee.cell(at: index, [], isAmbiguous: true).decoder(0)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try columns.pointee.cell(at: try column(key), [key], isAmbiguous: true).decoder(0)
  }

  private func column(_ key: Key) throws -> Int {
    guard let index = columns.pointee.column(key.stringValue) else {
      throw RowColumns.missing(key)
    }
    return index
  }
}

/// The container that the encoder or decoder created last. It is used again for the next row with
/// the same keys.
///
/// All rows can share a container, because it has no state. Creating a container takes longer than
/// encoding or decoding a member.
struct ContainerCache {
  private var box: AnyObject?
  private var keys: ObjectIdentifier?

  /// Returns the stored container if it has keys of the given type, and otherwise a new one.
  /// - Parameters:
  ///   - keys: The type of the keys.
  ///   - make: Creates a container. All calls with the same keys create containers of one type.
  @inline(__always)
  mutating func container<Key, Container>(
    keyedBy keys: Key.Type, _ make: () -> Container
  ) -> Container {
    if self.keys == ObjectIdentifier(keys), let box {
      return unsafeDowncast(box, to: ContainerBox<Container>.self).copy()
    }
    let container = make()
    box = ContainerBox(container)
    self.keys = ObjectIdentifier(keys)
    return container
  }
}

private final class ContainerBox<Container> {
  private let container: Container

  init(_ container: Container) { self.container = container }

  /// Returns a copy of the container. The method is not inlined: inside the class, the metadata of
  /// `Container` are at hand, but a caller would have to look them up for each row.
  @inline(never)
  func copy() -> Container { container }
}
