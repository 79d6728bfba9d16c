/// A database file whose rows have no Swift types. It has the same tables and columns as a file of
/// `DatabaseFile`.
package final class UntypedFile {
  /// One table of rows.
  package struct Part {
    /// The name of the storage; empty for the storage without a name.
    let storage: String
    /// The name of the part in a storage.
    package let name: String
    /// The name of the table in the file.
    package let table: String
    /// The names of the members, in the order of the columns.
    package internal(set) var members: [String]
    /// The names of the columns.
    package internal(set) var columns: [String]
    /// The index of the member that is the ID; `nil` if the ID has a column of its own.
    package let idIndex: Int?

    /// The name of the column of the ID.
    package var idColumn: String { idIndex.map { columns[$0] } ?? PartTable.separateIDColumn }
  }

  /// The SQL condition for the rows of `sqlite_schema` that describe triggers of Entia.
  package static let ownTriggers = EditTriggers.areOwn

  /// The connection to the file.
  package let connection: SQLiteConnection
  /// Whether Entia wrote the file.
  package var isOwn: Bool { header?.isDescribed ?? false }
  private var header: FileHeader?
  /// The chosen names of the tables, by the bytes of the parts' names.
  private var tables: [[UInt8]: String] = [:]

  /// Creates an empty database in memory.
  /// - Throws: `SQLiteFailure`.
  package init() throws {
    connection = try SQLiteConnection(path: nil, mode: .readWrite)
    var header = try FileHeader(connection)
    try header.create(on: connection)
    self.header = header
  }

  /// Creates a file with an open connection.
  init(_ connection: SQLiteConnection, _ header: FileHeader) {
    self.connection = connection
    self.header = header
  }

  /// Reads the description of the file again.
  /// - Throws: `SQLiteFailure`; errors of the file.
  func refresh() throws {
    header = try FileHeader(connection)
    tables = [:]
  }

  /// Opens a file for reading. SQL in its schema can have no side effects.
  /// - Parameter path: The path of the file.
  /// - Throws: `SQLiteFailure`; `DatabaseFileError.isNewer`.
  package init(reading path: String) throws {
    connection = try SQLiteConnection.reading(path)
    let connection = connection
    header = try DatabaseFileError.describing(path) {
      do {
        return try FileHeader(connection)
      } catch is FileHeader.Foreign {
        return nil
      }
    }
  }

  /// Returns the identifier of a process that has a file open for writing, or `nil` without one.
  package static func process(writing path: String) -> Int32? { FileLock.user(of: path)?.process }

  /// Whether a file is open in one or more processes that share the file with other processes.
  package static func isShared(_ path: String) -> Bool { FileLock.user(of: path)?.kind == .shared }

  /// Whether a program has saved a storage in the file. The file may then have contents that
  /// records cannot represent: held IDs, applied migrations, and storages with names.
  /// - Throws: `SQLiteFailure`.
  package func isSavedByProgram() throws -> Bool {
    guard isOwn else { return false }
    let keys = try connection.prepare("SELECT key FROM entia_file")
    while try keys.step() {
      if FileHeader.isSchemaKey(keys.text(at: 0)) { return true }
    }
    return false
  }

  /// Runs a body, and turns errors of SQLite into errors of a file.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: The body.
  /// - Throws: `DatabaseFileError`; other errors of the body.
  package static func describingErrors<Result>(
    of path: String, _ body: () throws -> Result
  ) throws -> Result {
    try DatabaseFileError.describing(path, body)
  }

  /// Returns the name of the table of a part. The name is chosen at the first call.
  /// - Throws: `SQLiteFailure`.
  private func table(of part: String) throws -> String {
    // Names are compared by bytes, because two different names may be equal as strings.
    if let known = tables[Array(part.utf8)] { return known }
    var header = try header ?? FileHeader(connection)
    if let known = header.tables.first(where: { $0.key.utf8.elementsEqual(part.utf8) }) {
      return known.value
    }
    let table = try header.addTable(of: part, on: connection)
    self.header = header
    tables[Array(part.utf8)] = table
    return table
  }

  /// Returns the declaration of a column that refers to rows of a part.
  /// - Parameters:
  ///   - part: The name of the part, whose table need not exist yet.
  ///   - idName: The member that is the ID; `nil` if the ID has a column of its own.
  /// - Throws: `SQLiteFailure`.
  package func reference(to part: String, idName: String?) throws -> String {
    let column = idName.map { PartTable.columns(of: [$0])[0] } ?? PartTable.separateIDColumn
    return "REFERENCES \(SQLName.quoted(try table(of: part)))(\(SQLName.quoted(column)))"
  }

  /// Creates the table of a part.
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - members: The names of the members.
  ///   - descriptions: The types and foreign keys of columns, by the index of the member. A type
  ///     must not make SQLite convert a value that a program may store there.
  ///   - idIndex: The index of the member that is the ID; `nil` to store the ID in its own column.
  ///   - hasIntegerID: Whether all IDs are integers.
  /// - Returns: The part, and the statement that inserts a row. Its parameters are the values of
  ///   the members, the ID if it has a column of its own, and the order number.
  /// - Throws: `SQLiteFailure`.
  package func addPart(
    _ name: String, members: [String], descriptions: [Int: String], idIndex: Int?,
    hasIntegerID: Bool
  ) throws -> (part: Part, inserting: SQLiteStatement) {
    let table = try table(of: name)
    let part = Part(
      storage: "", name: name, table: table, members: members,
      columns: PartTable.columns(of: members),
      idIndex: idIndex)
    try connection.execute(
      PartTable.definition(
        of: table, columns: part.columns, descriptions: descriptions, idIndex: idIndex,
        hasIntegerID: hasIntegerID))
    var names = part.columns.map(SQLName.quoted)
    if idIndex == nil { names.append(PartTable.separateIDColumn) }
    names.append(PartTable.orderColumn)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let inserting = try connection.prepare(
      "INSERT INTO \(SQLName.quoted(table))(\(names.joined(separator: ", "))) VALUES (\(marks))",
      isKept: true)
    return (part, inserting)
  }

  /// Records the number of rows that were inserted into the table of a part.
  /// - Throws: `SQLiteFailure`.
  package func recordRowCount(_ count: Int, of part: Part) throws {
    try connection.recordRowCount(Int64(count), of: part.table)
  }

  /// Records the sums of the rows of all tables. Must be called after the last change.
  /// - Parameter others: The names of further tables, which belong to no part.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  package func recordSums(with others: [String]) throws {
    let sums = RowSums(connection)
    try sums.begin()
    try sums.recordAll(of: (header?.tables.values.sorted() ?? []) + others)
  }

  /// Checks that no table has lost rows by damage. Only a file that Entia wrote is checked.
  /// - Throws: `SQLiteFailure`; an error of the file if a table has lost rows.
  /// - Complexity: O(*n*).
  package func requireAllRows() throws {
    if isOwn { try connection.requireAllRows() }
  }

  /// Returns the order number of the row at an index in a table to which rows are only appended.
  package static func order(ofRowAt index: Int) -> StoredValue {
    .integer(OrderNumbers.gap * Int64(index))
  }

  /// Returns the parts whose tables have rows of entities. The parts that store held IDs, ages or
  /// answers are left out.
  /// - Throws: `SQLiteFailure`.
  package func parts() throws -> [Part] {
    let names = try connection.prepare(
      "SELECT storage, part, name FROM entia_parts ORDER BY storage, part")
    var parts: [Part] = []
    var held: (storage: String?, parts: Set<[UInt8]>) = (nil, [])
    while try names.step() {
      let (storage, part, name) = (names.text(at: 0), names.text(at: 1), names.text(at: 2))
      if held.storage != storage { held = (storage, try partsWithoutRows(of: storage)) }
      if held.parts.contains(Array(part.utf8)) { continue }
      // Two storages may have parts with one name, but no two tables have one name.
      let label = storage.isEmpty ? part : name
      let table = try PartTable(part: label, name: name, on: connection)
      guard table.exists else { continue }
      parts.append(
        Part(
          storage: storage, name: label, table: table.name,
          members: table.columns.map(SQLName.original),
          columns: table.columns, idIndex: table.idIndex))
    }
    return parts
  }

  /// Returns the names of the tables of the storage without a name, including those that have no
  /// rows yet.
  /// - Throws: `SQLiteFailure`.
  package func tableNames() throws -> [String] {
    let held = try partsWithoutRows(of: "")
    guard let header else { return [] }
    let saved = header.schema.map { $0.split(separator: "\n") } ?? []
    let names = saved.filter { !$0.hasPrefix("ids ") }
      .compactMap { $0.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) }
    return Set(names + header.tables.keys).filter { !held.contains(Array($0.utf8)) }.sorted()
  }

  /// Returns the names, as bytes, of the parts of a storage that store held IDs, ages or answers.
  private func partsWithoutRows(of storage: String) throws -> Set<[UInt8]> {
    let fresh = try connection.freshnessParts(of: storage).map(\.name)
    return Set(try (connection.heldParts(of: storage) + fresh).map { Array($0.utf8) })
  }

  /// Returns a statement that reads the rows of a part in their order: the values of the members,
  /// and the ID.
  /// - Throws: `SQLiteFailure`.
  package func reading(_ part: Part) throws -> SQLiteStatement {
    let names = (part.columns + [part.idColumn]).map(SQLName.quoted).joined(separator: ", ")
    let order = PartTable.orderColumn
    return try connection.prepare(
      "SELECT \(names) FROM \(SQLName.quoted(part.table)) ORDER BY \(order) IS NULL, \(order)")
  }

  /// Returns whether two names denote the same table or column. SQLite ignores the case of ASCII
  /// letters, but no other difference.
  package static func isSameName(_ one: String, _ other: String) -> Bool {
    SQLName.lowercased(one).utf8.elementsEqual(SQLName.lowercased(other).utf8)
  }

  /// Returns a name as a quoted identifier of SQL.
  package static func quoted(_ name: String) -> String { SQLName.quoted(name) }
}

/// A kind of value that changes when it is read as JSON.
package enum UntypedLoss: Hashable, CaseIterable, Sendable {
  /// A BLOB that is not Entia's form of a JSON value.
  case blob
  /// A text whose bytes are not UTF-8.
  case text
  /// An infinite number.
  case number
}

extension SQLiteStatement {
  /// Returns what is lost when a value of the current row is read as JSON; `nil` for most values.
  /// - Parameter isOwn: Whether Entia wrote the file.
  package func loss(at index: Int, isOwn: Bool) -> UntypedLoss? {
    switch row.column(index) {
    case .null, .integer: return nil
    case .real(let number): return number.isFinite ? nil : .number
    case .text(let bytes):
      // `String(decoding:as:)` replaces bytes that are not UTF-8, so that the comparison fails.
      return bytes.allSatisfy { $0 < 0x80 }
        || String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) ? nil : .text
    case .blob(let bytes): return isOwn && bytes.starts(with: StoredForm.mark) ? nil : .blob
    }
  }
}
