/// Decodes rows of a statement's result, each member from the column with its name.
final class RowDecoder: Decoder {
  private let statement: SQLiteStatement
  private let pool: RowColumnsPool
  private let row: UnsafeMutablePointer<RowColumns>
  @exclusivity(unchecked) private var containers = ContainerCache()

  /// Whether rows have read a member.
  var isClaimed: [Bool] { row.pointee.isClaimed }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates a decoder.
  /// - Parameters:
  ///   - statement: The statement whose current row is decoded.
  ///   - members: The names of the members in its first columns.
  ///   - pool: The pool that the columns are taken from.
  init(
    _ statement: SQLiteStatement, members: [String], pool: RowColumnsPool = .shared
  ) {
    self.statement = statement
    self.pool = pool
    row = pool.take(RowColumns(statement.row, members: members))
  }

  deinit { pool.put(row) }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
    row.pointee.begin()
    return try Row(from: self)
  }

  /// Returns a value of the current row.
  func value(at index: Int) -> StoredValue { statement.value(at: index) }

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
