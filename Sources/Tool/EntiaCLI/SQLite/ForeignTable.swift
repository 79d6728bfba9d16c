import EntiaDatabase
import EntiaJSON
import EntiaSQLite

/// A table of another program.
struct ForeignTable {
  /// A reference of columns to the columns of another table.
  struct ForeignKey {
    let columns: [String]
    let target: String
    /// The columns of the target; empty for its primary key.
    let targetColumns: [String]
    /// The action when the target is deleted, such as `CASCADE`.
    let onDelete: String
  }

  let name: String
  let columns: [String]
  /// The columns of the primary key, in its order.
  let primaryKey: [String]
  let foreignKeys: [ForeignKey]

  /// The name of the member with the number of the row; `nil` for a table with a primary key.
  /// Without a primary key, the number of a row is its ID.
  var rowID: String? {
    if !primaryKey.isEmpty { return nil }
    if let name = (["id"] + Self.rowNumbers).first(where: isUnused) { return name }
    var name = "row"
    var number = 1
    while !isUnused(name) {
      number += 1
      name = "row\(number)"
    }
    return name
  }

  /// The name endings of the tables in which SQLite's virtual tables, for full-text search and
  /// R-trees, store their data.
  private static let shadowSuffixes: Set = [
    "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir", "segments",
    "stat",
  ]

  /// Whether a table stores the data of one of the virtual tables.
  static func isShadow(_ name: String, of virtual: [String]) -> Bool {
    guard let end = name.split(separator: "_", omittingEmptySubsequences: false).last,
      shadowSuffixes.contains(end.lowercased())
    else { return false }
    return virtual.contains { $0.count + 1 + end.count == name.count && name.hasPrefix($0 + "_") }
  }

  /// SQLite's names for the number of a row. A column with one of these names hides the number.
  private static let rowNumbers = ["rowid", "_rowid_", "oid"]

  /// Whether one of the `rowNumbers` is not hidden by a column.
  var hasRowNumbers: Bool { Self.rowNumbers.contains(where: isUnused) }

  /// The SQL for the number of a row. If columns hide all of SQLite's names for it, the rows are
  /// counted.
  var rowNumber: String { Self.rowNumbers.first(where: isUnused) ?? "row_number() OVER ()" }

  private func isUnused(_ name: String) -> Bool {
    !columns.contains { UntypedFile.isSameName($0, name) }
  }

  /// Returns the table in SQL. If it has no primary key, no index is used, so that the rows are
  /// read in the order of the table.
  ///
  /// - Parameter alias: The name of the table in the statement.
  func source(as alias: String? = nil) -> String {
    UntypedFile.quoted(name) + (alias.map { " AS \($0)" } ?? "")
      + (rowID == nil ? "" : " NOT INDEXED")
  }

  /// The columns of the ID.
  var idNames: [String] { rowID.map { [$0] } ?? primaryKey }

  /// Reads the description of a table.
  init(_ name: String, on connection: SQLiteConnection) throws {
    self.name = name
    var columns: [String] = []
    var primaryKey: [(place: Int64, name: String)] = []
    let info = try connection.prepare("SELECT name, pk, hidden FROM pragma_table_xinfo(?)")
    try info.bind(.text(name), at: 0)
    while try info.step() {
      // Skips the hidden columns of virtual tables.
      if info.integer(at: 2) == 1 { continue }
      columns.append(info.text(at: 0))
      if info.integer(at: 1) > 0 { primaryKey.append((info.integer(at: 1), info.text(at: 0))) }
    }
    self.columns = columns
    self.primaryKey = primaryKey.sorted { $0.place < $1.place }.map(\.name)
    var foreignKeys: [(id: Int64, key: ForeignKey)] = []
    let keys = try connection.prepare(
      #"SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq"#
    )
    try keys.bind(.text(name), at: 0)
    while try keys.step() {
      let id = keys.integer(at: 0)
      let column = Self.column(keys.text(at: 2), among: columns)
      let targetColumns = keys.value(at: 3) == .null ? [] : [keys.text(at: 3)]
      if let last = foreignKeys.last, last.id == id {
        foreignKeys[foreignKeys.count - 1].key = ForeignKey(
          columns: last.key.columns + [column], target: last.key.target,
          targetColumns: last.key.targetColumns + targetColumns, onDelete: last.key.onDelete)
      } else {
        foreignKeys.append(
          (
            id,
            ForeignKey(
              columns: [column], target: keys.text(at: 1), targetColumns: targetColumns,
              onDelete: keys.text(at: 4))
          )
        )
      }
    }
    self.foreignKeys = foreignKeys.map(\.key)
  }

  /// Returns the column with a name.
  static func column(_ name: String, among columns: [String]) -> String {
    columns.first { UntypedFile.isSameName($0, name) } ?? name
  }

  /// The two foreign keys of a table that only connects rows; `nil` for any other table. Such a
  /// table has no other columns, except those of a primary key.
  var junction: (first: ForeignKey, second: ForeignKey)? {
    guard foreignKeys.count == 2, foreignKeys.allSatisfy({ $0.columns.count == 1 }) else {
      return nil
    }
    let ends = foreignKeys.flatMap(\.columns)
    let others = columns.filter { !ends.contains($0) }
    guard Set(ends).count == 2, others.isEmpty || others == primaryKey else { return nil }
    let isKeyOfEnds = others.isEmpty && (primaryKey.isEmpty || Set(primaryKey) == Set(ends))
    return isKeyOfEnds || !others.isEmpty ? (foreignKeys[0], foreignKeys[1]) : nil
  }
}

extension ForeignTable.ForeignKey {
  /// The rule of the key. `SET DEFAULT` counts as removing the reference, because the default is
  /// hardly ever the ID of a row.
  var deleteRule: NullableDeleteRule {
    switch onDelete.uppercased() {
    case "CASCADE": .cascade
    case "SET NULL", "SET DEFAULT": .nullify
    default: .deny
    }
  }
}
