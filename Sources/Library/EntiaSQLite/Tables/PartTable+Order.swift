// The order of the rows, and reading them.
extension PartTable {
  /// Returns the number in the order of the row with an ID, or `nil` without such a row. It is NULL
  /// for a row that something else inserted.
  /// - Throws: `SQLiteFailure`.
  func order(of id: StoredValue) throws(SQLiteFailure) -> StoredValue? {
    let statement = try prepared(
      &findingOrder,
      "SELECT \(Self.orderColumn) FROM \(quotedName) WHERE \(quotedID) IS ?")
    try statement.bind(id, at: 0)
    defer { statement.reset() }
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Sets the number in the order of the row with an ID.
  /// - Returns: Whether there is such a row.
  /// - Throws: `SQLiteFailure`.
  func setOrder(of id: StoredValue, to order: Int64) throws(SQLiteFailure) -> Bool {
    let statement = try prepared(
      &settingOrder,
      "UPDATE \(quotedName) SET \(Self.orderColumn)=? WHERE \(quotedID) IS ?")
    try statement.bind(order, at: 0)
    try statement.bind(id, at: 1)
    try statement.run()
    return connection.changedRows == 1
  }

  /// Calls the closure with every ID in the file.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func forEachID(_ body: (StoredValue) -> Void) throws(SQLiteFailure) {
    readingsOfIDs += 1
    let statement = try connection.prepare("SELECT \(quotedID) FROM \(quotedName)")
    while try statement.step() { body(statement.value(at: 0)) }
  }

  /// A statement that reads all rows, and the indices of the columns of the ID and of the order
  /// after those of the members. The ID may be a member.
  /// - Throws: `SQLiteFailure`.
  func reading() throws(SQLiteFailure) -> (statement: SQLiteStatement, id: Int, order: Int) {
    var names = columns.map(SQLName.quoted)
    if idIndex == nil { names.append(quotedID) }
    names.append(Self.orderColumn)
    let statement = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(quotedName)")
    return (statement, idIndex ?? columns.count, names.count - 1)
  }
}
