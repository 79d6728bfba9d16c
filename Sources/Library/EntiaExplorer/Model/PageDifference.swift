package import EntiaCoding

/// The difference between the database on a page and an older one.
package struct PageDifference {
  /// The differences between the rows of one table. The index of the table is `nil` if only the
  /// older database has the table. Inserted rows are given by their numbers; removed and updated
  /// rows are given as lines, see ``PageDifference/line(row:names:old:)``.
  package typealias Table = (
    name: String, index: Int?, inserted: [Int], removed: [UInt8], updated: [UInt8]
  )

  /// The difference between an older and a newer result of imports in one table. A result is a list
  /// of rows of the table. The counts are the numbers of rows that only the newer or only the older
  /// result has. `isReordered` is whether the common rows have a different order.
  package typealias Result = (
    name: String, insertedCount: Int, removedCount: Int, isReordered: Bool
  )

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

  /// Returns the line of an updated row. The line is an array of three elements: the number of the
  /// row, the names of the members that differ, and an object with the old values of these members.
  /// A member that the old row does not have is left out of the object.
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
