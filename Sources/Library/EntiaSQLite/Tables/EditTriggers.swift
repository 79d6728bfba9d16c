/// The triggers that set the sum of a table to NULL when another program changes rows of the table.
///
/// Entia's own connections run triggers only if the file has triggers of other programs.
enum EditTriggers {
  /// The SQL condition for the rows of `sqlite_schema` that describe these triggers.
  static let areOwn = "type='trigger' AND name GLOB 'entia_edited_*'"

  private static let events = ["insert", "update", "delete"]

  /// Returns the key under which `entia_file` stores the sum of the hashes of all rows of a table.
  static func sumKey(of table: String) -> String { "\(sumPrefix)\(table)" }
  static let sumPrefix = "sum of "

  /// Creates the triggers of a table, unless it has them.
  /// - Throws: `SQLiteFailure`.
  static func create(on table: String, _ connection: SQLiteConnection) throws(SQLiteFailure) {
    let present = try names(on: table, connection)
    if present.count == events.count { return }
    let key = sumKey(of: table).split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''")
    let new = events.map { event in
      """
      CREATE TRIGGER \(SQLName.quoted(name(of: event, on: table))) \
      AFTER \(event) ON \(SQLName.quoted(table)) BEGIN \
      UPDATE entia_file SET value=NULL WHERE key='\(key)'; END
      """
    }
    try connection.execute((present.map(removal) + new).joined(separator: ";"))
  }

  /// Removes the triggers of a table.
  /// - Throws: `SQLiteFailure`.
  static func remove(from table: String, _ connection: SQLiteConnection) throws(SQLiteFailure) {
    let removals = try names(on: table, connection).map(removal)
    try connection.execute(removals.joined(separator: ";"))
  }

  /// Returns the name that another program has given to a table; `nil` if none is known. When a
  /// table is renamed, SQLite keeps its triggers, whose names contain the old name of the table.
  /// - Throws: `SQLiteFailure`.
  static func renamedTable(
    _ table: String, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> String? {
    let name = try connection.value(
      "SELECT tbl_name FROM sqlite_schema WHERE type='trigger' AND name=?",
      [.text(name(of: events[0], on: table))])
    return if case .text(let name) = name { name } else { nil }
  }

  private static func name(of event: String, on table: String) -> String {
    "entia_edited_\(event)_\(table)"
  }

  private static func removal(of name: String) -> String { "DROP TRIGGER \(SQLName.quoted(name))" }

  /// Returns the names of the triggers of a table.
  private static func names(
    on table: String, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> [String] {
    let triggers = try connection.prepare(
      "SELECT name FROM sqlite_schema WHERE \(areOwn) AND tbl_name=? COLLATE NOCASE")
    try triggers.bind(.text(table), at: 0)
    var names: [String] = []
    while try triggers.step() { names.append(triggers.text(at: 0)) }
    return names
  }
}

extension SQLiteConnection {
  /// Whether the file has triggers of other programs.
  var hasForeignTriggers: Bool {
    get throws(SQLiteFailure) {
      try value(
        """
        SELECT EXISTS(
          SELECT 1 FROM sqlite_schema WHERE type='trigger' AND NOT (\(EditTriggers.areOwn)))
        """) != .integer(0)
    }
  }
}
