import EntiaJSON

/// A staged row, or a referenced ID whose row has not been read.
package struct StagedRow {
  let id: RecordID
  /// The row; nil while it has only been referenced.
  var record: Record?
  /// The origin of the first occurrence, or of the last replacement.
  var origin = Origin.database
  /// The last table, and in the lowest two bits the flags: a row takes 32 bytes so.
  private var tableAndFlags = Int32(-1) &<< 2

  package init(id: RecordID) { self.id = id }

  /// The last table that contained it, to detect rows that one table contains twice.
  package var table: Int32 {
    get { tableAndFlags &>> 2 }
    set { tableAndFlags = newValue &<< 2 | tableAndFlags & 3 }
  }

  /// Whether the row differs from that in the database.
  package var isChanged: Bool {
    get { tableAndFlags & 1 != 0 }
    set { tableAndFlags = tableAndFlags & ~1 | (newValue ? 1 : 0) }
  }

  /// Whether the row is at the top level of an input.
  package var isRoot: Bool {
    get { tableAndFlags & 2 != 0 }
    set { tableAndFlags = tableAndFlags & ~2 | (newValue ? 2 : 0) }
  }
}
