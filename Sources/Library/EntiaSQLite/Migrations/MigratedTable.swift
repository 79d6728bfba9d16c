import EntiaSystemSQLite

/// One table in the file, inside a migration.
struct MigratedTable {
  private let part: String
  private let name: String
  private let connection: SQLiteConnection
  /// The columns of the members, in their order.
  private var columns: [(column: String, member: String)] = []
  private var idColumn = ""
  /// The declared type of the column of the ID, in upper case.
  private var idType = ""
  /// The names of all columns, in lower case.
  private var taken: Set<String> = [PartTable.orderColumn, PartTable.separateIDColumn]

  /// Reads the columns of a table; `nil` when the file does not have it.
  /// - Throws: `SQLiteFailure`; `MigrationFailure` for a table that Entia did not create.
  init?(part: String, name: String, on connection: SQLiteConnection) throws {
    self.part = part
    self.name = name
    self.connection = connection
    let info = try connection.prepare("SELECT name, pk, hidden, type FROM pragma_table_xinfo(?)")
    try info.bind(.text(name), at: 0)
    var (keyCount, hasOrder, exists) = (0, false, false)
    while try info.step() {
      exists = true
      let column = info.text(at: 0)
      taken.insert(SQLName.lowercased(column))
      if info.integer(at: 1) > 0 {
        keyCount += 1
        idColumn = column
        idType = info.text(at: 3).uppercased()
      }
      if column == PartTable.orderColumn { hasOrder = true }
      // Generated columns have no values of their own.
      let isStored = info.integer(at: 2) == 0
      if isStored, column != PartTable.orderColumn, column != PartTable.separateIDColumn {
        columns.append((column, SQLName.original(column)))
      }
    }
    if !exists { return nil }
    guard keyCount == 1, hasOrder else {
      throw MigrationFailure(table: part, reason: "Entia did not create this table")
    }
  }

  /// Creates a table.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`.
  static func create(
    part: String, name: String, idMember: String?, members: [String],
    on connection: SQLiteConnection
  ) throws -> MigratedTable {
    var taken: Set<String> = [PartTable.orderColumn, PartTable.separateIDColumn]
    var definitions: [String] = []
    for member in members {
      let column = SQLName.stored(member, taken: taken)
      taken.insert(SQLName.lowercased(column))
      definitions.append(SQLName.quoted(column) + (member == idMember ? " PRIMARY KEY" : ""))
    }
    if idMember == nil { definitions.insert("\(PartTable.separateIDColumn) PRIMARY KEY", at: 0) }
    definitions.append("\(PartTable.orderColumn) INTEGER")
    try connection.execute(
      "CREATE TABLE \(SQLName.quoted(name))(\(definitions.joined(separator: ", ")))")
    guard let table = try MigratedTable(part: part, name: name, on: connection) else {
      throw MigrationFailure(table: part, reason: "the table cannot be created")
    }
    return table
  }

  /// Returns the name of the member whose value is the ID in every row; `nil` if there is none.
  static func idMember(of rows: [MigrationRow]) -> String? {
    ["id", "rawID"].first { member in
      rows.allSatisfy { $0[member] != .null && $0[member] == $0.id }
    }
  }

  private var quotedName: String { SQLName.quoted(name) }
  private var idMember: String? { columns.first { $0.column == idColumn }?.member }
}

// Rows.
extension MigratedTable {
  /// Returns the rows in their order, with their order numbers.
  /// - Throws: `SQLiteFailure`; `MigrationFailure` for a text that is not UTF-8.
  func rows() throws -> [(row: MigrationRow, order: StoredValue)] {
    let names = (columns.map(\.column) + [idColumn, PartTable.orderColumn]).map(SQLName.quoted)
    let statement = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(quotedName)")
    let idMember = idMember
    var rows: [(row: MigrationRow, order: StoredValue)] = []
    var numbers: [Int64] = []
    while try statement.step() {
      var members: [String: StoredValue] = [:]
      for (index, column) in columns.enumerated() {
        let value = statement.value(at: index)
        members[column.member] = value
        // A migration would write the repaired text over the bytes.
        if case .text(let text) = value, case .text(let bytes) = statement.row.column(index),
          text.isRepaired(from: bytes)
        {
          throw MigrationFailure(
            table: part, row: "\(statement.value(at: columns.count))",
            reason: "\(column.member): \(value) has bytes that are not UTF-8")
        }
      }
      let row = MigrationRow(
        id: statement.value(at: columns.count), members: members, idMember: idMember)
      let order = statement.value(at: columns.count + 1)
      rows.append((row, order))
      numbers.append(order == .null ? .max : statement.integer(at: columns.count + 1))
    }
    let places = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    return places.map { rows[$0] }
  }

  /// Replaces or removes each row.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`.
  func transform(_ body: (MigrationRow) throws -> MigrationRow?) throws {
    var changes = RowChanges()
    for (old, order) in try rows() {
      let new: MigrationRow?
      do {
        new = try body(old)
      } catch {
        throw MigrationFailure(table: part, row: "\(old.id)", error)
      }
      guard let new else {
        changes.deletedIDs.append(old.id)
        continue
      }
      changes.members.formUnion(new.members.keys)
      changes.count += 1
      if new == old { continue }
      if new.id == old.id {
        changes.updated.append(new)
      } else {
        // Deletes all changed IDs before the insertions, because rows may exchange their IDs.
        changes.deletedIDs.append(old.id)
        changes.inserted.append((new, order))
      }
    }
    try write(changes)
  }

  /// Replaces all rows.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`.
  func replaceRows(with rows: [MigrationRow]) throws {
    try connection.execute("DELETE FROM \(quotedName)")
    var changes = RowChanges()
    changes.count = rows.count
    for (index, row) in rows.enumerated() {
      changes.members.formUnion(row.members.keys)
      changes.inserted.append((row, .integer(OrderNumbers.gap * Int64(index))))
    }
    try write(changes)
  }

  private struct RowChanges {
    var deletedIDs: [StoredValue] = []
    var updated: [MigrationRow] = []
    var inserted: [(row: MigrationRow, order: StoredValue)] = []
    /// The members of all rows, including unchanged ones.
    var members: Set<String> = []
    /// The number of all rows, including unchanged ones.
    var count = 0
  }

  private func write(_ changes: RowChanges) throws {
    var table = self
    let known = Set(columns.map(\.member))
    for member in changes.members.subtracting(known).sorted() { try table.addColumn(member) }
    if !changes.inserted.allSatisfy({ table.storesExactly($0.row.id) }) {
      try table.removeIDType()
    }
    try table.delete(changes.deletedIDs)
    try table.update(changes.updated)
    try table.insert(changes.inserted)
    // Removes the columns of members that no row has any more.
    guard changes.count > 0 else { return }
    for member in known.subtracting(changes.members).sorted() where member != idMember {
      try table.remove(member)
    }
  }

  private func delete(_ ids: [StoredValue]) throws {
    if ids.isEmpty { return }
    let statement = try connection.prepare(
      "DELETE FROM \(quotedName) WHERE \(SQLName.quoted(idColumn)) IS ?", isKept: true)
    for id in ids {
      try statement.bind(id, at: 0)
      try statement.run()
    }
  }

  private func update(_ rows: [MigrationRow]) throws {
    let written = columns.filter { $0.column != idColumn }
    if rows.isEmpty || written.isEmpty { return }
    let updates = written.map { "\(SQLName.quoted($0.column))=?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "UPDATE \(quotedName) SET \(updates) WHERE \(SQLName.quoted(idColumn)) IS ?", isKept: true)
    for row in rows {
      let id = try checkedID(of: row)
      for (index, column) in written.enumerated() {
        try statement.bind(row.members[column.member] ?? .null, at: index)
      }
      try statement.bind(id, at: written.count)
      try run(statement, row)
    }
  }

  private func insert(_ rows: [(row: MigrationRow, order: StoredValue)]) throws {
    if rows.isEmpty { return }
    let written = columns.filter { $0.column != idColumn }
    let names = (written.map(\.column) + [idColumn, PartTable.orderColumn]).map(SQLName.quoted)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "INSERT INTO \(quotedName)(\(names.joined(separator: ", "))) VALUES (\(marks))", isKept: true)
    for (row, order) in rows {
      let id = try checkedID(of: row)
      for (index, column) in written.enumerated() {
        try statement.bind(row.members[column.member] ?? .null, at: index)
      }
      try statement.bind(id, at: written.count)
      try statement.bind(order, at: written.count + 1)
      try run(statement, row)
    }
  }

  private func checkedID(of row: MigrationRow) throws -> StoredValue {
    let id = row.id
    if id == .null { throw MigrationFailure(table: part, row: "\(id)", reason: "it has no ID") }
    if let idMember, let member = row.members[idMember], member != id {
      throw MigrationFailure(
        table: part, row: "\(id)", reason: "its member \(idMember), which is the ID, is \(member)")
    }
    return id
  }

  private func run(_ statement: SQLiteStatement, _ row: MigrationRow) throws {
    do {
      try statement.run()
    } catch {
      if error.primaryCode != SQLITE_CONSTRAINT { throw error }
      throw MigrationFailure(
        table: part, row: "\(row.id)", reason: "another row has this ID (\(error.message))")
    }
    guard connection.changedRows == 1 else {
      throw MigrationFailure(table: part, row: "\(row.id)", reason: RowFailure.ignored)
    }
  }
}

// Columns.
extension MigratedTable {
  /// Sets the value of a member in the rows where it has none.
  /// - Throws: `SQLiteFailure`.
  mutating func fill(_ member: String, with value: StoredValue) throws {
    if column(of: member) == nil { try addColumn(member) }
    guard let column = column(of: member), value != .null else { return }
    let name = SQLName.quoted(column)
    let statement = try connection.prepare(
      "UPDATE \(quotedName) SET \(name)=? WHERE \(name) IS NULL")
    try statement.bind(value, at: 0)
    try statement.run()
  }

  /// Renames a member.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`.
  mutating func rename(_ member: String, to newName: String) throws {
    guard let old = column(of: member), !member.utf8.elementsEqual(newName.utf8) else { return }
    if member != newName, let new = column(of: newName) {
      if try !hasValues(new) {
        // The new member has no values. For example, a save without this migration may have added
        // it.
        try remove(newName)
      } else if try !hasValues(old) {
        return try remove(member)
      } else {
        throw MigrationFailure(
          table: part, reason: "\(member) and \(newName) have values: use a transforming migration")
      }
    }
    var others = taken
    others.remove(SQLName.lowercased(old))
    let column = SQLName.stored(newName, taken: others)
    try alter("RENAME COLUMN \(SQLName.quoted(old)) TO \(SQLName.quoted(column))")
    taken = others
    taken.insert(SQLName.lowercased(column))
    if idColumn == old { idColumn = column }
    columns = columns.map { $0.column == old ? (column, newName) : $0 }
  }

  /// Removes a member with its values.
  /// - Throws: `SQLiteFailure`, `MigrationFailure`.
  mutating func remove(_ member: String) throws {
    guard let column = column(of: member) else { return }
    if column == idColumn {
      throw MigrationFailure(table: part, reason: "\(member) is the ID and cannot be removed")
    }
    try alter("DROP COLUMN \(SQLName.quoted(column))")
    taken.remove(SQLName.lowercased(column))
    columns.removeAll { $0.column == column }
  }

  private mutating func addColumn(_ member: String) throws {
    let column = SQLName.stored(member, taken: taken)
    try alter("ADD COLUMN \(SQLName.quoted(column))")
    taken.insert(SQLName.lowercased(column))
    columns.append((column, member))
  }

  /// Whether the ID column stores a value unchanged. A column with a type converts values.
  private func storesExactly(_ id: StoredValue) -> Bool {
    switch (idType, id) {
    case ("", _), ("INTEGER", .integer), ("TEXT", .text): true
    default: false
    }
  }

  /// Recreates the table with an ID column without a type, because a column with a type converts
  /// values.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  private mutating func removeIDType() throws {
    let idIndex = columns.firstIndex { $0.column == idColumn }
    let others = (idIndex == nil ? [idColumn] : []) + [PartTable.orderColumn]
    let names = (columns.map(\.column) + others).map(SQLName.quoted).joined(separator: ", ")
    let definition = PartTable.definition(
      of: name, columns: columns.map(\.column), idIndex: idIndex, hasIntegerID: false)
    try connection.recreateTable(name, columns: names, from: names) {
      () throws(SQLiteFailure) in try connection.execute(definition)
    }
    idType = ""
  }

  private func column(of member: String) -> String? {
    columns.first { $0.member == member }?.column
  }

  private func hasValues(_ column: String) throws -> Bool {
    try connection.value(
      "SELECT EXISTS(SELECT 1 FROM \(quotedName) WHERE \(SQLName.quoted(column)) IS NOT NULL)")
      == .integer(1)
  }

  private func alter(_ change: String) throws {
    try connection.execute("ALTER TABLE \(quotedName) \(change)")
  }
}
