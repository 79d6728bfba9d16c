/// A staged row, or a referenced ID whose row has not been read.
struct StagedRow {
  let id: RecordID
  /// The row; nil while it has only been referenced.
  var record: Record?
  /// The origin of the first occurrence, or of the last replacement.
  var origin = Origin.database
  /// The last table that contained it, to detect rows that one table contains twice.
  var table: Int32 = -1
  /// Whether the row differs from that in the database.
  var isChanged = false
  /// Whether the row is at the top level of an input.
  var isRoot = false
}
