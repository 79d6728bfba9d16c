import EntiaCoding

/// The file while its migrations are applied.
final class MigrationState {
  let connection: SQLiteConnection
  var header: FileHeader
  /// The first error of a change. The migration fails even if its code catches the error, because a
  /// part of the change may be done.
  private(set) var failure: (any Error)?
  /// Whether the transaction is over. If a migration has stored its `MigrationTables`, calls on
  /// them throw an error after the transaction.
  var isOver = false

  init(_ connection: SQLiteConnection, _ header: FileHeader) {
    self.connection = connection
    self.header = header
  }

  /// Returns a table, or `nil` when the file does not have it.
  func existing(_ part: String) throws -> MigratedTable? {
    guard let name = header.tables[part] else { return nil }
    return try MigratedTable(part: part, name: name, on: connection)
  }

  private func checkUse() throws {
    if isOver { throw MigrationFailure(reason: "the migration has ended") }
  }

  /// Runs a change, and notes its error.
  private func changing(_ body: () throws -> Void) throws {
    try checkUse()
    do {
      try body()
    } catch {
      if failure == nil { failure = error }
      throw error
    }
  }
}

// Rows and members.
extension MigrationState {
  func rows(of part: String) throws -> [MigrationRow] {
    try checkUse()
    return try existing(part)?.rows().map(\.row) ?? []
  }

  func setRows(_ rows: [MigrationRow], of part: String) throws {
    try changing {
      let name = try header.tables[part] ?? header.addTable(of: part, on: connection)
      if let existing = try existing(part) {
        try existing.replaceRows(with: rows)
      } else if let first = rows.first {
        let created = try MigratedTable.create(
          part: part, name: name, idMember: MigratedTable.idMember(of: rows),
          members: first.members.keys.sorted(), on: connection)
        try created.replaceRows(with: rows)
      }
    }
  }

  func transform(_ part: String, _ body: (MigrationRow) throws -> MigrationRow?) throws {
    try changing { try existing(part)?.transform(body) }
  }

  func addMember(_ member: String, to part: String, value: some Encodable) throws {
    try changing {
      guard var existing = try existing(part) else { return }
      let stored: StoredValue
      do {
        stored = try ValueEncoder().form(of: value, at: [NamedKey(member)])
      } catch {
        throw MigrationFailure(table: part, error)
      }
      try existing.fill(member, with: stored)
    }
  }

  func renameMember(_ member: String, to newName: String, of part: String) throws {
    try changing {
      guard var existing = try existing(part) else { return }
      try existing.rename(member, to: newName)
    }
  }

  func removeMember(_ member: String, of part: String) throws {
    try changing {
      guard var existing = try existing(part) else { return }
      try existing.remove(member)
    }
  }
}

// Tables.
extension MigrationState {
  func renameTable(_ part: String, to newPart: String) throws {
    try changing { try rename(part, to: newPart) }
  }

  func removeTable(_ part: String) throws { try changing { try remove(part) } }

  private func rename(_ part: String, to newPart: String) throws {
    guard let index = header.tables.index(forKey: part) else { return }
    let (stored, name) = header.tables[index]
    if part.utf8.elementsEqual(newPart.utf8) { return }
    if part != newPart, header.tables[newPart] != nil {
      // Both tables are in the file. One without rows is removed. If both have rows, the migration
      // fails.
      if try rowCount(of: newPart) > 0 {
        if try rowCount(of: part) == 0 { return try remove(part) }
        throw MigrationFailure(
          table: part, reason: "\(newPart) has rows, too: merge them in a custom migration")
      }
      try remove(newPart)
    }
    let exists = try existing(part) != nil
    let newName = try header.renameTable(of: part, to: newPart, on: connection)
    try connection.renameFreshnessPart(part, to: newPart, of: header.storage)
    // Only the storage without a name has rows of the tool.
    if header.storage.isEmpty { try RecordDescription(connection).rename(stored, to: newPart) }
    guard exists, !name.utf8.elementsEqual(newName.utf8) else { return }
    // SQLite refuses a new name that differs only in case.
    try alter(name, "RENAME TO \"entia_renamed\"")
    try alter("entia_renamed", "RENAME TO \(SQLName.quoted(newName))")
  }

  private func remove(_ part: String) throws {
    guard let name = header.tables[part] else { return }
    if try existing(part) != nil {
      try connection.execute("DROP TABLE \(SQLName.quoted(name))")
    }
    try header.removeTable(of: part, on: connection)
    try connection.renameFreshnessPart(part, to: nil, of: header.storage)
  }

  private func alter(_ table: String, _ change: String) throws {
    try connection.execute("ALTER TABLE \(SQLName.quoted(table)) \(change)")
  }

  private func rowCount(of part: String) throws -> Int64 {
    guard let name = header.tables[part],
      try existing(part) != nil,
      case .integer(let count) = try connection.value(
        "SELECT count(*) FROM \(SQLName.quoted(name))")
    else { return 0 }
    return count
  }
}
