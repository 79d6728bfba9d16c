package import EntiaCoding

/// The difference between the database on a page and an older one.
package struct PageDifference {
  /// The differences between the rows of one table.
  package struct Table {
    /// The name of the table.
    package var name: String
    /// The index of the table, or nil if only the older database has it.
    package var index: Int?
    /// The numbers of the rows that only the newer database has.
    package var inserted: [Int]
    /// The lines of the rows that only the older database has.
    package var removed: [UInt8]
    /// The lines of the rows that differ (see ``PageDifference/line(row:names:old:)``).
    package var updated: [UInt8]

    /// Creates the differences of a table.
    package init(
      name: String, index: Int?, inserted: [Int], removed: [UInt8], updated: [UInt8]
    ) {
      self.name = name
      self.index = index
      self.inserted = inserted
      self.removed = removed
      self.updated = updated
    }
  }

  /// The difference between the older and the newer result of imports in one table. A result is a
  /// list of rows of the table.
  package struct Result {
    /// The name of the table.
    package var name: String
    /// The number of rows that only the newer result has.
    package var insertedCount: Int
    /// The number of rows that only the older result has.
    package var removedCount: Int
    /// Whether the common rows of both results have a different order.
    package var isReordered: Bool

    /// Creates the difference between two results.
    package init(name: String, insertedCount: Int, removedCount: Int, isReordered: Bool) {
      self.name = name
      self.insertedCount = insertedCount
      self.removedCount = removedCount
      self.isReordered = isReordered
    }
  }

  /// The name of the older database.
  package var oldName: String
  /// The differences between the schemas, as text.
  package var schema: [String]
  /// The tables whose rows differ.
  package var tables: [Table]
  /// The tables whose results differ.
  package var results: [Result]

  /// Creates a difference.
  package init(from oldName: String, schema: [String], tables: [Table], results: [Result]) {
    self.oldName = oldName
    self.schema = schema
    self.tables = tables
    self.results = results
  }

  /// Returns the line of an updated row. The line is an array: the number of the row, the names of
  /// the members that differ, and an object with the old values of the members that the old row
  /// has.
  package static func line(
    row: Int, names: [String], old: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.beginArray()
    writer.integer(row)
    writer.array(names) { $1.string($0) }
    writer.object(old)
    writer.endArray()
    writer.endLine()
    return writer.bytes
  }

  /// Writes the name of the older database, the differences between the schemas, the numbers of the
  /// inserted rows of each table, and the differences between the results of imports.
  func writeSummary(to writer: inout JSONWriter) {
    writer.member("old", oldName)
    writer.array("schema", schema) { $1.string($0) }
    writer.array("tables", tables) { table, writer in
      writer.object { writer in
        writer.member("name", table.name)
        writer.members([("table", table.index ?? -1)])
        writer.array("inserted", table.inserted) { $1.integer($0) }
      }
    }
    writer.array("results", results) { result, writer in
      writer.object { writer in
        writer.member("name", result.name)
        writer.members([("inserted", result.insertedCount), ("removed", result.removedCount)])
        writer.member("reordered", result.isReordered)
      }
    }
  }
}
