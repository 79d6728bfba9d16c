/// One table in the file, which contains the rows of a table or held IDs.
///
/// The object stores the names of the columns and the prepared statements. After a failed
/// transaction, the names may be wrong, because new columns were rolled back. The owner therefore
/// discards the object.
final class PartTable {
  /// The name of the column with the order numbers of the rows.
  static let orderColumn = "entia_order"
  /// The name of the column of the ID in a table where no member is the ID.
  static let separateIDColumn = "entia_id"
  private static let integerType = "INTEGER"

  /// The name of the part in the storage.
  let part: String
  /// The name of the table in the file.
  let name: String
  let connection: SQLiteConnection
  let encoder: RowEncoder
  /// The names of the columns in the file, in the order of the encoder's members.
  private(set) var columns: [String]
  /// How the sum of the table includes the cells of each of `columns`.
  @exclusivity(unchecked) private(set) var summedColumns: [SummedColumn]
  /// The column of the ID; `nil` before the table exists.
  private(set) var idColumn: String?
  /// The index of the member that is the ID; `nil` when the ID has a column of its own.
  @exclusivity(unchecked) private(set) var idIndex: Int?

  /// Whether all IDs are integers. SQLite has a special primary key for integers.
  private(set) var hasIntegerID = false

  /// The number of times that all IDs were read, for tests.
  var readingsOfIDs = 0

  /// Whether some rows have no order number, because another program inserted them.
  var hasUnnumberedRows = false

  /// Whether the next save calls `correctIDs(_:)`.
  var hasOtherIDs = false

  /// Whether another program may have changed the rows since they were loaded or saved.
  var isEdited = false

  /// Whether the save under way removes the rows that were not loaded, and writes all loaded rows.
  var isReplaced = false

  /// Whether the table has rows that the last load skipped.
  var hasSkippedRows = false

  /// Whether the save under way wrote or deleted rows that are not among its differences. Such rows
  /// are those that another program inserted or deleted, and all rows if the save replaces them.
  var hasRestoredRows = false

  /// The number of the rows in the file, once they were loaded or saved.
  @exclusivity(unchecked) var rowCount: Int64 = 0

  /// The change of the sum of the rows by the save under way.
  @exclusivity(unchecked) var sumChange = SumChange()

  @exclusivity(unchecked) private var inserting: RowStatement?
  @exclusivity(unchecked) private var updating: RowStatement?
  private var deleting: (statement: SQLiteStatement, removed: RemovedColumns)?
  var findingOrder: SQLiteStatement?
  var settingOrder: SQLiteStatement?
  /// The prepared statement that reads all rows. A load keeps the statement for the next load.
  var readingRows: SQLiteStatement?
  private var renaming: SQLiteStatement?
  /// The statements that write many rows; `nil` before they are needed.
  var manyRows: ManyRowsStatements?
  /// The `version` of the encoder for which the statements were prepared.
  @exclusivity(unchecked) private var preparedVersion = 0

  /// Creates the table of a part.
  /// - Parameters:
  ///   - part: The name of the part in the storage.
  ///   - name: The name of the table in the file; it need not exist yet.
  ///   - connection: The connection to the file.
  ///   - newEncoder: The encoder of the rows if the table does not exist.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  init(
    part: String, name: String, on connection: SQLiteConnection, newEncoder: RowEncoder? = nil
  ) throws {
    self.part = part
    self.name = name
    self.connection = connection
    var columns: [String] = []
    var summedColumns: [SummedColumn] = []
    var keys: [String] = []
    var hasColumns = false
    let info = try connection.prepare(Self.listingColumns(of: name))
    while try info.step() {
      hasColumns = true
      let column = info.text(at: 1)
      if info.integer(at: 5) > 0 {
        keys.append(column)
        hasIntegerID = info.text(at: 2) == Self.integerType
      }
      if column != Self.orderColumn, column != Self.separateIDColumn {
        columns.append(column)
        summedColumns.append(SummedColumn(info))
      }
    }
    if hasColumns, keys.count != 1 {
      throw UnusableTable(
        table: part,
        reason: """
          it has no primary key of one column: it is a view, or something else created it anew
          """)
    }
    idColumn = keys.first
    self.columns = columns
    self.summedColumns = summedColumns
    encoder =
      hasColumns
      ? RowEncoder(members: columns.map(SQLName.original)) : newEncoder ?? RowEncoder()
    idIndex = idColumn.flatMap { columns.firstIndex(of: $0) }
  }

  /// The members in the file, in the order of the columns.
  var members: [String] { columns.map(SQLName.original) }

  /// The members that a decoded or encoded row has used.
  var claimedMembers: [String] {
    encoder.members.indices.filter { encoder.isClaimed[$0] }.map { encoder.members[$0] }
  }

  /// The members in the file, except the ID, that no decoded or encoded row has used.
  var unclaimedMembers: [String] {
    columns.indices.filter { !encoder.isClaimed[$0] && $0 != idIndex }
      .map { encoder.members[$0] }
  }

  /// Whether the table exists in the file.
  var exists: Bool { idColumn != nil }

  /// Returns a statement that is prepared when it is first needed.
  func prepared(
    _ statement: inout SQLiteStatement?, _ sql: @autoclosure () -> String
  ) throws(SQLiteFailure) -> SQLiteStatement {
    if let statement { return statement }
    let result = try connection.prepare(sql(), isKept: true)
    statement = result
    return result
  }

  var quotedName: String { SQLName.quoted(name) }
  var quotedID: String { SQLName.quoted(idColumn ?? Self.separateIDColumn) }
}

// Columns.
extension PartTable {
  /// Creates the table, with columns for the row that was encoded last.
  /// - Parameters:
  ///   - id: The stored form of the ID of that row.
  ///   - hasIntegerID: Whether all IDs are integers.
  ///   - isIdentifiable: Whether the rows are of an `Identifiable` type.
  /// - Throws: `SQLiteFailure`.
  func create(
    id: StoredValue, hasIntegerID: Bool, isIdentifiable: Bool
  ) throws(SQLiteFailure) {
    columns = Self.columns(of: encoder.members)
    idIndex = idMember(for: id, isIdentifiable: isIdentifiable)
    self.hasIntegerID = hasIntegerID
    try createTable()
    sumChange = SumChange(base: .zero, isWritten: true)
  }

  private func createTable() throws(SQLiteFailure) {
    let idColumn = idIndex.map { columns[$0] } ?? Self.separateIDColumn
    self.idColumn = idColumn
    summedColumns = columns.map { SummedColumn($0) }
    try connection.execute(
      Self.definition(of: name, columns: columns, idIndex: idIndex, hasIntegerID: hasIntegerID))
  }

  /// Returns the names of the columns for members.
  static func columns(of members: [String]) -> [String] {
    var taken: Set<String> = [orderColumn, separateIDColumn]
    return members.map { member in
      let column = SQLName.stored(member, taken: taken)
      taken.insert(SQLName.lowercased(column))
      return column
    }
  }

  /// Returns the statement that creates a table.
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - columns: The names of the columns of the members.
  ///   - descriptions: The types and foreign keys of columns, by index.
  ///   - idIndex: The index of the member that is the ID; `nil` when it has a column of its own.
  ///   - hasIntegerID: Whether all IDs are integers.
  static func definition(
    of name: String, columns: [String], descriptions: [Int: String] = [:], idIndex: Int?,
    hasIntegerID: Bool
  ) -> String {
    // The columns have no types, because a type would make SQLite convert values.
    let keyType = (hasIntegerID ? " \(integerType)" : "") + " PRIMARY KEY"
    var definitions = columns.enumerated().map { index, column in
      SQLName.quoted(column) + (descriptions[index].map { " " + $0 } ?? "")
    }
    if let idIndex {
      definitions[idIndex] += keyType
    } else {
      definitions.insert(separateIDColumn + keyType, at: 0)
    }
    definitions.append("\(orderColumn) INTEGER")
    return "CREATE TABLE \(SQLName.quoted(name))(\(definitions.joined(separator: ", ")))"
  }

  /// Moves the IDs to a separate column. Called if the ID of a row differs from the row's member at
  /// `idIndex`, or if the ID column stores only integers and the ID is no integer.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*), once in the life of a table.
  func separateIDs(hasIntegerID: Bool) throws(SQLiteFailure) {
    let oldID = quotedID
    self.hasIntegerID = hasIntegerID
    let members = columns.map { ", \(SQLName.quoted($0))" }.joined() + ", \(Self.orderColumn)"
    idIndex = nil
    sumChange = SumChange(base: .unknown, isWritten: true)
    releaseRowStatements()
    findingOrder = nil
    settingOrder = nil
    renaming = nil
    try connection.recreateTable(
      name, columns: Self.separateIDColumn + members, from: oldID + members, createTable)
  }

  /// Returns the index of the member that is the ID. It is recognized by its name, and by its value
  /// in the row that was encoded last.
  private func idMember(for id: StoredValue, isIdentifiable: Bool) -> Int? {
    let candidates = encoder.members.indices.filter { encoder.cells[$0] == id && id != .null }
    if isIdentifiable {
      if let index = candidates.first(where: { encoder.members[$0] == "id" }) { return index }
    }
    return candidates.first { ["rawID", "id"].contains(encoder.members[$0]) }
  }

  /// Adds a column for each member that the table does not have.
  /// - Throws: `SQLiteFailure`.
  func addColumns() throws(SQLiteFailure) {
    if columns.count == encoder.memberCount { return }
    var taken = Set(columns.map(SQLName.lowercased))
    taken.formUnion([Self.orderColumn, Self.separateIDColumn])
    for member in encoder.members[columns.count...] {
      let column = SQLName.stored(member, taken: taken)
      taken.insert(SQLName.lowercased(column))
      try connection.execute("ALTER TABLE \(quotedName) ADD COLUMN \(SQLName.quoted(column))")
      columns.append(column)
      summedColumns.append(SummedColumn(column))
    }
    releaseRowStatements()
  }

  private func releaseRowStatements() {
    inserting = nil
    updating = nil
    deleting = nil
    manyRows = nil
  }

  /// Adds the columns that the table lacks for members of the encoder. Releases the statements if
  /// they do not write all claimed members. A member is claimed when a row reads or writes it.
  /// - Throws: `SQLiteFailure`.
  func prepareColumns() throws(SQLiteFailure) {
    if preparedVersion == encoder.version { return }
    preparedVersion = encoder.version
    try addColumns()
    releaseRowStatements()
  }

  /// Creates the columns for the row that was encoded last. Creates a separate column for the IDs
  /// if the member at `idIndex` is not the ID of this row, or if the member's column cannot store
  /// the ID.
  /// - Throws: `SQLiteFailure`.
  private func prepareColumns(id: StoredValue) throws(SQLiteFailure) {
    try prepareColumns()
    let isStorable = if case .integer = id { true } else { !hasIntegerID }
    let isMember = idIndex.map { encoder.hasCell(id, at: $0) } ?? true
    if !isMember || !isStorable {
      try separateIDs(hasIntegerID: hasIntegerID && isStorable)
    }
  }
}

// Rows.
extension PartTable {
  /// Inserts the row that the encoder encoded last.
  /// - Returns: `false` if a trigger of another program kept the row from being inserted.
  /// - Throws: `SQLiteFailure`, with `isRepeatedID` if the file has a row with the ID.
  func insert(id: StoredValue, order: Int64) throws(SQLiteFailure) -> Bool {
    try prepareColumns(id: id)
    let inserting = if let inserting { inserting } else { try prepareInserting() }
    try inserting.run(encoder, id: idIndex == nil ? id : nil, order: order)
    guard connection.changedRows == 1 else { return false }
    rowCount += 1
    id.withColumn {
      addCells(
        of: encoder.current, inserting.columns, order: order, id: $0, hasID: idIndex == nil)
    }
    return true
  }

  private func prepareInserting() throws(SQLiteFailure) -> RowStatement {
    let written = columns.indices.filter { encoder.isClaimed[$0] }
    var names = written.map { SQLName.quoted(columns[$0]) }
    if idIndex == nil { names.append(quotedID) }
    names.append(Self.orderColumn)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.prepare(
      "INSERT INTO \(quotedName)(\(names.joined(separator: ", "))) VALUES (\(marks))", isKept: true)
    let prepared = RowStatement(statement, columns: written)
    inserting = prepared
    return prepared
  }

  /// Replaces a row of the table by the row that was encoded last.
  /// - Parameters:
  ///   - id: The ID of the encoded row.
  ///   - storedID: The ID of the row to replace.
  /// - Returns: Whether there is a row with the ID `storedID`.
  /// - Throws: `SQLiteFailure`.
  func update(id: StoredValue, storedID: StoredValue) throws(SQLiteFailure) -> Bool {
    try prepareColumns(id: id)
    if id != storedID {
      // The hashes of all cells of the row change, because they depend on its ID.
      sumChange = SumChange(base: .unknown, isWritten: true)
      if try !rename(storedID, to: id) { return false }
    }
    let prepared = if let updating { updating } else { try prepareUpdating() }
    guard let prepared, let removed = prepared.removed else { return try order(of: id) != nil }
    try withUnsafePointer(to: encoder.current) { row throws(SQLiteFailure) in
      requireStored(prepared.columns, of: row.pointee)
      try removing(removed, writing: row) { () throws(SQLiteFailure) in
        try prepared.run(encoder, id: id, order: nil)
      }
    }
    return connection.changedRows == 1
  }

  /// Prepares the statement that updates rows.
  /// - Returns: The statement, or `nil` if rows have no members besides the ID.
  private func prepareUpdating() throws(SQLiteFailure) -> RowStatement? {
    let written = columns.indices.filter { encoder.isClaimed[$0] && $0 != idIndex }
    if written.isEmpty { return nil }
    let updates = written.map { "\(SQLName.quoted(columns[$0]))=?" }
    let removed = try removedColumns(written)
    let statement = try connection.prepare(
      """
      UPDATE \(quotedName) SET \(updates.joined(separator: ", ")) \
      WHERE \(quotedID) IS ?\(removed.condition)
      """, isKept: true)
    let prepared = RowStatement(statement, columns: written, removed: removed)
    updating = prepared
    return prepared
  }

  /// Changes the ID of a row from `id` to `newID`.
  /// - Returns: Whether there is a row with the ID `id`.
  func rename(_ id: StoredValue, to newID: StoredValue) throws(SQLiteFailure) -> Bool {
    let statement = try prepared(
      &renaming, "UPDATE \(quotedName) SET \(quotedID)=? WHERE \(quotedID) IS ?")
    try statement.bind(newID, at: 0)
    try statement.bind(id, at: 1)
    try statement.run()
    return connection.changedRows == 1
  }

  /// Deletes the row with an ID.
  /// - Returns: Whether there was such a row.
  /// - Throws: `SQLiteFailure`.
  func delete(_ id: StoredValue) throws(SQLiteFailure) -> Bool {
    if deleting == nil {
      let removed = try removedColumns(columns.indices, hasOrder: true, hasID: true)
      let statement = try connection.prepare(
        "DELETE FROM \(quotedName) WHERE \(quotedID) IS ?\(removed.condition)", isKept: true)
      deleting = (statement, removed)
    }
    guard let (statement, removed) = deleting else { return false }
    try statement.bind(id, at: 0)
    try removing(removed) { () throws(SQLiteFailure) in try statement.run() }
    rowCount -= Int64(connection.changedRows)
    return connection.changedRows == 1
  }

  /// Deletes all rows.
  /// - Throws: `SQLiteFailure`.
  func deleteAll() throws(SQLiteFailure) {
    if exists { try connection.execute("DELETE FROM \(quotedName)") }
    sumChange = SumChange(base: .zero, isWritten: true)
    hasUnnumberedRows = false
    rowCount = 0
  }
}

/// A table in the file that cannot contain the rows of a part.
struct UnusableTable: Error {
  let table: String
  let reason: String
}
