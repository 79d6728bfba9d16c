/// All tables of a file, inside a migration.
///
/// Tables have the names of the storage's tables, and values the names of the members. Held IDs are
/// tables whose rows have no members. A table without rows need not be in the file.
///
/// The tables must not be used after the migration.
public struct MigrationTables {
  private let state: MigrationState

  init(_ state: MigrationState) { self.state = state }

  /// The names of the tables, sorted.
  public var names: [String] { state.header.tables.keys.sorted() }

  /// Returns the rows of a table in their order; none when the file does not have it.
  /// - Parameter table: The name of the table in the storage.
  /// - Returns: The rows.
  /// - Throws: An error when the file cannot be read.
  /// - Complexity: O(*n* log *n*).
  public func rows(of table: String) throws -> [MigrationRow] {
    try state.rows(of: table)
  }

  /// Replaces all rows of a table, which is created when the file does not have it.
  /// - Parameters:
  ///   - rows: The rows in their order.
  ///   - table: The name of the table in the storage.
  /// - Throws: An error when a row has no ID, two have the same, or the file cannot be written. The
  ///   migration fails then, even if its code catches the error.
  /// - Complexity: O(*n* log *n*).
  public func setRows(_ rows: [MigrationRow], of table: String) throws {
    try state.setRows(rows, of: table)
  }

  /// Changes or removes each row of a table.
  /// - Parameters:
  ///   - table: The name of the table in the storage.
  ///   - transform: Returns the new row for a row, or `nil` to remove it.
  /// - Throws: The error of the body, and as `setRows(_:of:)`.
  /// - Complexity: O(*n* log *n*), with all rows of the table in memory.
  public func transform(
    _ table: String, _ transform: (MigrationRow) throws -> MigrationRow?
  ) throws {
    try state.transform(table, transform)
  }

  /// Adds a value of a member to the rows that have none.
  /// - Parameters:
  ///   - member: The name of the member.
  ///   - table: The name of the table in the storage.
  ///   - value: The value.
  /// - Throws: The error that encoding the value throws, and when the file cannot be written.
  /// - Complexity: O(*n*).
  public func addMember(_ member: String, to table: String, value: some Encodable) throws {
    try state.addMember(member, to: table, value: value)
  }

  /// Renames a member.
  /// - Parameters:
  ///   - member: The old name of the member.
  ///   - newName: The new name.
  ///   - table: The name of the table in the storage.
  /// - Throws: An error when both names have values, or when the file cannot be written.
  public func renameMember(_ member: String, to newName: String, of table: String) throws {
    try state.renameMember(member, to: newName, of: table)
  }

  /// Removes a member with its values.
  /// - Parameters:
  ///   - member: The name of the member, which is not the ID.
  ///   - table: The name of the table in the storage.
  /// - Throws: An error when the member is the ID, or when the file cannot be written.
  public func removeMember(_ member: String, of table: String) throws {
    try state.removeMember(member, of: table)
  }

  /// Renames a table.
  /// - Parameters:
  ///   - table: The old name of the table in the storage.
  ///   - newName: The new name.
  /// - Throws: An error when both tables have rows, or when the file cannot be written.
  public func renameTable(_ table: String, to newName: String) throws {
    try state.renameTable(table, to: newName)
  }

  /// Removes a table with its rows.
  /// - Parameter table: The name of the table in the storage.
  /// - Throws: An error when the file cannot be written.
  public func removeTable(_ table: String) throws {
    try state.removeTable(table)
  }
}
