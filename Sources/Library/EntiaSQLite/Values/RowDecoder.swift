/// Decodes rows, each member from the column with its name.
final class RowDecoder: Decoder {
  private let pool: RowColumnsPool
  private let row: UnsafeMutablePointer<RowColumns>
  @exclusivity(unchecked) private var containers = ContainerCache()

  /// Whether rows have read a member.
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

  /// Sets the row that is decoded. Its chunk must exist until another row is set, or until the
  /// decoder is released.
  @inline(__always)
  func begin(_ current: ChunkRow) { row.pointee.begin(current) }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row { try Row(from: self) }

  /// Returns a value of the current row.
  func value(at index: Int) -> StoredValue { row.pointee.row.value(at: index) }

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
    return try row.pointee.value(at: index, []).nestedDecoder([String: Any].self)
  }
}

/// The container that an encoder or a decoder of many rows created last, for the next row with the
/// same keys.
///
/// A container without state is the same for all rows, and creating one takes longer than a member.
struct ContainerCache {
  private var box: AnyObject?
  private var keys: ObjectIdentifier?

  /// Returns the container of a type of keys.
  /// - Parameters:
  ///   - keys: The type of the keys.
  ///   - make: Creates the container. All calls for one type of keys create the same type.
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

  /// Returns the container. The object knows its type, and a caller that copied the container
  /// itself would look the type up for each row.
  @inline(never)
  func copy() -> Container { container }
}
