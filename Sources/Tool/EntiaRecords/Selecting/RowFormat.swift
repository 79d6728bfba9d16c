import EntiaCoding

/// An output format of selected rows.
public enum RowFormat: String, Hashable, Sendable, CaseIterable {
  /// A JSON array, one line for each row.
  case json
  /// A JSON object on each line.
  case ndjson
  /// Comma-separated values (RFC 4180) with a header line.
  case csv
  /// Aligned columns for reading; long values are truncated.
  case table
}

extension RecordDatabase {
  /// Writes rows of one entity in pieces.
  ///
  /// JSON contains the rows as they are stored. CSV and tables have a column for the ID and one for
  /// each member of any row. In these, a missing member and `null` are empty, an empty string is
  /// `""` (CSV only), a reference is the ID of its target, and arrays and objects are JSON.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - entity: The entity of the rows.
  ///   - format: The format.
  ///   - pieces: Called with each piece, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the rows).
  public func write<Failure: Error>(
    _ rows: [Record], of entity: String, as format: RowFormat,
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let forms = ReferenceForms(schema.entities)
    switch format {
    case .json:
      var writer = JSONWriter(layout: .lines(depth: 1))
      writer.beginArray()
      for row in rows {
        forms.write(row, to: &writer)
        if writer.bytes.count >= Self.rowPieceSize { try writer.flush(to: pieces) }
      }
      writer.endArray()
      writer.endLine()
      try writer.flush(to: pieces)
    case .ndjson:
      var bytes: [UInt8] = []
      for row in rows {
        var writer = JSONWriter(layout: .compact)
        forms.write(row, to: &writer)
        writer.endLine()
        bytes += writer.bytes
        if bytes.count >= Self.rowPieceSize {
          try pieces(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
      }
      try pieces(bytes)
    case .csv: try RowColumns(rows, of: entity, forms).writeCSV(rows, to: pieces)
    case .table: try RowColumns(rows, of: entity, forms).writeTable(rows, to: pieces)
    }
  }

  static var rowPieceSize: Int { 1 << 16 }
}
