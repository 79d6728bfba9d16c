/// Edits the rows of one part in a file whose rows have no Swift types.
package final class UntypedRows {
  /// The part, including the members that `index(of:)` has added.
  package private(set) var part: UntypedFile.Part
  private let connection: SQLiteConnection
  /// The declared types of the columns, by their names.
  private var types: [String: String] = [:]
  private var lastOrder: Int64?
  /// The number of inserted rows, less that of deleted ones.
  private var difference: Int64 = 0

  /// Reads the description of a part's table.
  /// - Throws: `SQLiteFailure`.
  package init(_ part: UntypedFile.Part, in file: UntypedFile) throws {
    self.part = part
    connection = file.connection
    let info = try connection.prepare("SELECT name, type FROM pragma_table_xinfo(?)")
    try info.bind(.text(part.table), at: 0)
    while try info.step() { types[info.text(at: 0)] = info.text(at: 1) }
    if case .integer(let last) = try connection.value(
      "SELECT max(\(PartTable.orderColumn)) FROM \(table)")
    {
      lastOrder = last
    }
  }

  private var table: String { SQLName.quoted(part.table) }
  private var idColumn: String { SQLName.quoted(part.idColumn) }

  /// Whether the table stores integers as IDs, and nothing else.
  package var hasIntegerIDs: Bool { types[part.idColumn] == "INTEGER" }

  /// Returns the declared type of a member's column; empty if the column has no declared type.
  package func declaredType(of member: Int) -> String { types[part.columns[member]] ?? "" }

  /// Returns the index of a member. Adds a column if the table lacks the member.
  /// - Throws: `SQLiteFailure`.
  package func index(of member: String) throws -> Int {
    if let index = part.members.firstIndex(where: { $0.utf8.elementsEqual(member.utf8) }) {
      return index
    }
    let taken = Set(
      (part.columns + [part.idColumn, PartTable.orderColumn]).map(SQLName.lowercased))
    let column = SQLName.stored(member, taken: taken)
    try connection.execute("ALTER TABLE \(table) ADD COLUMN \(SQLName.quoted(column))")
    part.members.append(member)
    part.columns.append(column)
    return part.members.count - 1
  }

  /// Returns whether every value of a member is NULL or has one of the given storage classes, such
  /// as `integer`.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  package func hasOnly(_ classes: [String], in member: Int) throws -> Bool {
    let column = SQLName.quoted(part.columns[member])
    let names = (classes + ["null"]).map { "'\($0)'" }.joined(separator: ", ")
    return try connection.value(
      "SELECT 1 FROM \(table) WHERE typeof(\(column)) NOT IN (\(names)) LIMIT 1") == nil
  }

  /// Returns the value of a member in each row, with the ID of the row.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  package func values(of member: Int) throws -> [(id: StoredValue, value: StoredValue)] {
    let rows = try connection.prepare(
      "SELECT \(idColumn), \(SQLName.quoted(part.columns[member])) FROM \(table)")
    var values: [(id: StoredValue, value: StoredValue)] = []
    while try rows.step() { values.append((rows.value(at: 0), rows.value(at: 1))) }
    return values
  }

  /// Sets members of a row.
  /// - Returns: Whether there is a row with the ID.
  /// - Throws: `SQLiteFailure`.
  package func update(
    _ id: StoredValue, _ values: [(member: Int, value: StoredValue)]
  ) throws -> Bool {
    let updates = values.map { "\(SQLName.quoted(part.columns[$0.member]))=?" }
    try connection.prepare(
      "UPDATE \(table) SET \(updates.joined(separator: ", ")) WHERE \(idColumn) IS ?"
    ).run(values.map(\.value) + [id])
    return connection.changedRows == 1
  }

  /// Inserts a row after all others.
  /// - Throws: `SQLiteFailure`; `RowFailure` if a trigger of another program ignores the row.
  package func insert(
    _ id: StoredValue, _ values: [(member: Int, value: StoredValue)]
  ) throws {
    let next = OrderNumbers.between(lastOrder, nil, count: 1)?.first
    let members = values.filter { $0.member != part.idIndex }
    let columns = members.map { SQLName.quoted(part.columns[$0.member]) }
    let names = columns + [idColumn, PartTable.orderColumn]
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try connection.prepare(
      "INSERT INTO \(table)(\(names.joined(separator: ", "))) VALUES (\(marks))"
    ).run(members.map(\.value) + [id, next.map { .integer($0) } ?? .null])
    guard connection.changedRows == 1 else {
      throw RowFailure(.encoding, table: part.table, row: "\(id)", reason: RowFailure.ignored)
    }
    // If `lastOrder` is too great for a next number, the row has no order number. Rows without an
    // order number come after all others.
    if let next { lastOrder = next }
    difference += 1
  }

  /// Deletes a row.
  /// - Returns: Whether there was a row with the ID.
  /// - Throws: `SQLiteFailure`.
  package func delete(_ id: StoredValue) throws -> Bool {
    try connection.prepare("DELETE FROM \(table) WHERE \(idColumn) IS ?").run([id])
    difference -= Int64(connection.changedRows)
    return connection.changedRows == 1
  }

  /// Records the number of rows in the table. Must be called after the last change.
  /// - Throws: `SQLiteFailure`.
  package func finish() throws {
    guard difference != 0, let recorded = try connection.recordedRowCount(of: part.table) else {
      return
    }
    try connection.recordRowCount(recorded + difference, of: part.table)
    difference = 0
  }
}
