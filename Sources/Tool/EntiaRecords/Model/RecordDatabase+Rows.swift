extension RecordDatabase {
  /// Creates a database of rows.
  ///
  /// - Parameters:
  ///   - schema: The entities of the rows.
  ///   - rows: The rows, with distinct IDs.
  /// - Complexity: O(rows).
  package init(_ schema: Schema, rows: [Record]) {
    self.schema = schema
    storage.fill(rows, defersLinks: false)
  }
}
