import EntiaSystemPostgreSQL

/// The rows of a statement's result.
struct SQLResult: Sendable {
  let rows: [SQLRow]
  /// The number of rows that the statement inserted, updated or deleted.
  let changedRows: Int

  /// Copies a result of libpq.
  init(_ result: OpaquePointer?) {
    rows = (0..<PQntuples(result)).map { SQLRow(result, at: $0) }
    changedRows = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }
}

/// A row of a result, with the server's text of each value.
struct SQLRow: Sendable {
  private let cells: [[UInt8]?]

  init(_ result: OpaquePointer?, at row: Int32) {
    cells = (0..<PQnfields(result)).map { column in
      if PQgetisnull(result, row, column) == 1 { return nil }
      let count = Int(PQgetlength(result, row, column))
      guard let bytes = PQgetvalue(result, row, column) else { return [] }
      return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
  }

  /// Returns the bytes of a value, or `nil` for NULL and for a column that is not there.
  func bytes(at column: Int) -> [UInt8]? { cells.indices.contains(column) ? cells[column] : nil }

  /// Returns a text, or `nil` for NULL.
  func text(at column: Int) -> String? {
    bytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns an integer, or `nil` for NULL and for what is no integer.
  func integer(at column: Int) -> Int64? { text(at: column).flatMap { Int64($0) } }
}

/// A row of a result that is read one row at a time. It exists while it is read.
struct StreamedRow {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  /// Returns the bytes of a value, or `nil` for NULL and for a column that is not there.
  func bytes(at column: Int32) -> UnsafeBufferPointer<UInt8>? {
    guard column < PQnfields(result), PQgetisnull(result, 0, column) == 0,
      let bytes = PQgetvalue(result, 0, column)
    else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(result, 0, column)))
      .bindMemory(to: UInt8.self)
  }

  /// Returns a text, or `nil` for NULL.
  func text(at column: Int32) -> String? {
    bytes(at: column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns an integer, or `nil` for NULL and for what is no integer.
  func integer(at column: Int32) -> Int64? { text(at: column).flatMap { Int64($0) } }
}
