/// A statement that writes columns of members. Its first parameters are the values of these
/// members.
final class RowStatement {
  private let statement: SQLiteStatement
  let columns: [Int]
  /// The cells that the statement removes; `nil` for one that inserts.
  let removed: RemovedColumns?

  init(_ statement: SQLiteStatement, columns: [Int], removed: RemovedColumns? = nil) {
    self.statement = statement
    self.columns = columns
    self.removed = removed
  }

  /// Writes the current row of an encoder.
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - id: The parameter after the members, if there is one.
  ///   - order: The parameter after that, if there is one.
  /// - Throws: `SQLiteFailure`.
  func run(_ encoder: RowEncoder, id: StoredValue?, order: Int64?) throws(SQLiteFailure) {
    try encoder.bind(columns, to: statement)
    var parameter = columns.count
    if let id {
      try statement.bind(id, at: parameter)
      parameter += 1
    }
    if let order { try statement.bind(order, at: parameter) }
    try statement.run()
  }
}
