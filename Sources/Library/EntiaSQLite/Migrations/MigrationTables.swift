import EntiaCoding

/// All tables of a file, inside a migration.
///
/// Tables have the names of the storage's tables, and values have the names of the members. Held
/// IDs are tables whose rows have no members. A table without rows need not be in the file.
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
  /// - Throws: An error when a row has no ID, two rows have the same ID, or the file cannot be
  ///   written. The migration then fails, even if its code catches the error.
  /// - Complexity: O(*n* log *n*).
  public func setRows(_ rows: [MigrationRow], of table: String) throws {
    try state.setRows(rows, of: table)
  }

  /// Changes or removes each row of a table.
  /// - Parameters:
  ///   - table: The name of the table in the storage.
  ///   - transform: Returns the new row for a row, or `nil` to remove it.
  /// - Throws: The error of `transform`; the errors of `setRows(_:of:)`.
  /// - Complexity: O(*n* log *n*), with all rows of the table in memory.
  package func transform(
    _ table: String, _ transform: (MigrationRow) throws -> MigrationRow?
  ) throws {
    try state.transform(table, transform)
  }

  /// Adds a value of a member to the rows that have none.
  /// - Parameters:
  ///   - member: The name of the member.
  ///   - table: The name of the table in the storage.
  ///   - value: The value.
  /// - Throws: The error of encoding the value, or an error when the file cannot be written.
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
  package func renameMember(_ member: String, to newName: String, of table: String) throws {
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
  package func renameTable(_ table: String, to newName: String) throws {
    try state.renameTable(table, to: newName)
  }

  /// Removes a table with its rows.
  /// - Parameter table: The name of the table in the storage.
  /// - Throws: An error when the file cannot be written.
  public func removeTable(_ table: String) throws {
    try state.removeTable(table)
  }
}

/// A row of a file in a migration: values by the names of members.
///
/// ```swift
/// .transforming("authors", named: "split names") { row in
///   var row = row
///   let words = try row.value(String.self, of: "name").split(separator: " ", maxSplits: 1)
///   row["first"] = .text(String(words.first ?? ""))
///   row["last"] = .text(String(words.last ?? ""))
///   row.members["name"] = nil
///   return row
/// }
/// ```
public struct MigrationRow: Equatable, Sendable {
  /// The values of the members, including the ID if it is a member.
  public var members: [String: StoredValue]
  /// The member that is the ID, or `nil` when the ID is not a member.
  let idMember: String?
  private var separateID: StoredValue

  /// Creates a row.
  /// - Parameters:
  ///   - id: The ID.
  ///   - members: The values of the members.
  public init(id: StoredValue, members: [String: StoredValue] = [:]) {
    self.init(id: id, members: members, idMember: nil)
  }

  init(id: StoredValue, members: [String: StoredValue], idMember: String?) {
    self.members = members
    self.idMember = idMember
    separateID = id
  }

  /// The ID of the row. Setting the ID changes neither references to the row nor parts that hold
  /// IDs.
  public var id: StoredValue {
    get { idMember.map { members[$0] ?? .null } ?? separateID }
    set { if let idMember { members[idMember] = newValue } else { separateID = newValue } }
  }

  /// The value of a member; `.null` if the member is `nil` or has no value.
  ///
  /// A member that is set to `.null` is `nil` when the row is loaded. A member that is removed from
  /// ``members`` gets the value of its declaration.
  /// - Parameter member: The name of the member.
  public subscript(member: String) -> StoredValue {
    get {
      let value = members[member] ?? .null
      return value == StoredForm.explicitNil ? .null : value
    }
    set {
      let isNil = newValue == .null && member != idMember
      members[member] = isNil ? StoredForm.explicitNil : newValue
    }
  }

  /// Returns the value of a member, decoded as a type.
  /// - Parameters:
  ///   - type: The type; an optional one for members that may have no value.
  ///   - member: The name of the member.
  /// - Returns: The value.
  /// - Throws: `DecodingError` when the value is of another type.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, of member: String
  ) throws -> Value {
    try CellSource(self[member], NestedJSON(), at: [NamedKey(member)])
      .decode(type)
  }

  /// Sets a member to a value of any type that a member of a row may have.
  /// - Parameters:
  ///   - value: The value.
  ///   - member: The name of the member.
  /// - Throws: The error that encoding the value throws.
  public mutating func set(_ value: some Encodable, of member: String) throws {
    self[member] = try Self.form(of: value, member)
  }

  /// Sets the ID of the row to a value of any type that an ID may have. Neither references to the
  /// row nor parts that hold IDs are changed.
  /// - Parameter id: The ID.
  /// - Throws: The error that encoding the ID throws.
  public mutating func setID(_ id: some Encodable) throws {
    self.id = try Self.form(of: id, idMember ?? "id")
  }

  /// Returns the stored value of a member; `.null` for `nil`.
  private static func form(of value: some Encodable, _ member: String) throws -> StoredValue {
    let form = try ValueEncoder().form(of: value, at: [NamedKey(member)])
    return form == StoredForm.explicitNil ? .null : form
  }
}
