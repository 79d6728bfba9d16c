import EntiaCoding

/// Decodes rows, each member from the column with its name.
final class RowDecoder {
  private let columns: RowColumns

  /// Whether rows have read a member.
  var isClaimed: [Bool] { columns.isClaimed }

  /// Creates a decoder.
  /// - Parameter members: The names of the members in the first columns of the rows.
  init(members: [String]) { columns = RowColumns(members: members) }

  deinit { columns.end() }

  /// Sets the row that is decoded. Its chunk must exist until another row is set, or until the
  /// decoder is released.
  @inline(__always)
  func begin(_ current: ChunkRow) { columns.begin(current) }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
    try Row(from: SourceDecoder(columns, RowColumns.rowNode))
  }

  /// Returns a value of the current row.
  func value(at index: Int) -> StoredValue { columns.row.value(at: index) }
}
