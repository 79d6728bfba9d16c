/// The tables with which a file describes itself.
///
/// `entia_file` has the number of the format and a fingerprint of each storage that was saved. For
/// each table, `entia_file` has the number of rows and their checksum. `entia_parts` has the table
/// of each part of each storage. `entia_migrations` has the names of the applied migrations. A file
/// has one storage without a name. Further storages have names. Each storage has its own header.
struct FileHeader {
  /// The number of the format that this version of Entia reads and writes.
  static let format: Int64 = 1

  /// The names of the tables that describe the file.
  static let ownTables = Set(
    ["entia_file", "entia_parts", "entia_migrations", "entia_log"] + RecordDescription.tables)

  /// The tables that describe the file and have sums of their rows.
  static let summedTables = ["entia_parts", "entia_migrations"]

  /// The name of the storage in the file; empty for the storage without a name.
  let storage: String
  /// The table of each part, by the name of the part.
  private(set) var tables: [String: String] = [:]
  /// The recorded number of the rows of each part's table.
  private var rowCounts: [String: Int64] = [:]
  /// Whether the file has the tables that describe it.
  private(set) var isDescribed: Bool
  /// The fingerprint of the storage; `nil` before a program has saved it. The tool writes none.
  private(set) var schema: String?
  /// The names of the migrations that were applied to the storage.
  private(set) var migrations: [String] = []

  /// The file has tables, but not the tables of Entia.
  struct Foreign: Error {}
  /// A newer program wrote the file.
  struct Newer: Error { let reason: String }
  /// The file has tables of Entia that cannot be read.
  struct Damaged: Error { let reason: String }
  /// Another program has renamed or removed tables of Entia.
  struct Changed: Error { let reason: String }

  /// Reads the header of a file.
  /// - Throws: `SQLiteFailure`, `Foreign`, `Newer`, `Damaged`.
  init(_ connection: SQLiteConnection, storage: String = "") throws {
    self.storage = storage
    let taken = try Self.tableNames(connection)
    isDescribed = taken.contains("entia_file")
    guard isDescribed else {
      if taken.isEmpty { return }
      throw Foreign()
    }
    guard case .integer(let format) = try connection.entry("format") else {
      throw Damaged(reason: "its table entia_file has no format")
    }
    if format > Self.format {
      throw Newer(reason: "it has format \(format), and this program reads \(Self.format)")
    }
    try connection.requireSums(of: Self.summedTables)
    if case .text(let text) = try connection.entry(schemaKey) { schema = text }
    // The recorded sum covers the table `entia_parts`, but not the index of its primary key.
    // Therefore the names are read without the index.
    let parts = try connection.prepare(
      "SELECT part, name FROM entia_parts NOT INDEXED WHERE storage=?")
    try parts.bind(.text(storage), at: 0)
    while try parts.step() { tables[parts.text(at: 0)] = parts.text(at: 1) }
    for (part, table) in tables { rowCounts[part] = try connection.recordedRowCount(of: table) }
    guard taken.contains("entia_migrations") else { return }
    let applied = try connection.prepare(
      "SELECT name FROM entia_migrations NOT INDEXED WHERE storage=? ORDER BY rowid")
    try applied.bind(.text(storage), at: 0)
    while try applied.step() { migrations.append(applied.text(at: 0)) }
  }

  /// Whether a program has saved the storage in the file.
  var isSaved: Bool { schema != nil }

  /// Returns the key of the fingerprint of a storage in `entia_file`.
  static func schemaKey(of storage: String) -> String {
    storage.isEmpty ? "schema" : "schema of \(storage)"
  }

  /// Whether a key in `entia_file` is the key of a storage's fingerprint.
  static func isSchemaKey(_ key: String) -> Bool {
    key == schemaKey(of: "") || key.hasPrefix("\(schemaKey(of: "")) of ")
  }

  private var schemaKey: String { Self.schemaKey(of: storage) }

  /// Returns the names of all tables in a file, in lower case.
  private static func tableNames(
    _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Set<String> {
    var result: Set<String> = []
    let names = try connection.prepare("SELECT name FROM sqlite_schema")
    while try names.step() { result.insert(SQLName.lowercased(names.text(at: 0))) }
    return result
  }

  /// Writes the tables that describe a file, unless it has them.
  /// - Throws: `SQLiteFailure`.
  mutating func create(on connection: SQLiteConnection) throws(SQLiteFailure) {
    if isDescribed { return }
    // Another storage may have created these tables.
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS entia_file(key TEXT PRIMARY KEY, value);
      CREATE TABLE IF NOT EXISTS entia_parts(
        storage TEXT, part TEXT, name TEXT, PRIMARY KEY(storage, part));
      """)
    try connection.prepare(
      "INSERT INTO entia_file VALUES ('format', ?) ON CONFLICT(key) DO NOTHING"
    ).run([.integer(Self.format)])
    isDescribed = true
  }

  /// Writes the fingerprint of the storage unless the file has it.
  /// - Parameters:
  ///   - fingerprint: The fingerprint.
  ///   - migrations: The names of the migrations of the program. A storage that no program has
  ///     saved needs none of the migrations, and all of them are recorded as applied.
  ///   - connection: The connection to the file.
  /// - Throws: `SQLiteFailure`.
  mutating func setSchema(
    _ fingerprint: String, migrations: [String], on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    if schema == fingerprint { return }
    if schema == nil {
      try record(migrations.filter { !self.migrations.contains($0) }, on: connection)
    }
    try connection.setEntry(schemaKey, .text(fingerprint))
    schema = fingerprint
  }

  /// Chooses the name of the table of a part, and records the name in the file.
  /// - Parameters:
  ///   - part: The name of the part.
  ///   - former: The name of the table before the part was renamed; `nil` for a new table.
  ///   - connection: The connection to the file.
  /// - Returns: The name of the table, which need not exist yet.
  /// - Throws: `SQLiteFailure`.
  mutating func addTable(
    of part: String, renaming former: String? = nil, on connection: SQLiteConnection
  ) throws(SQLiteFailure) -> String {
    // `taken` includes the tables of other storages and tables that do not exist yet, because a
    // table is created with its first row.
    var taken = try Self.tableNames(connection)
    let names = try connection.prepare("SELECT name FROM entia_parts")
    while try names.step() { taken.insert(SQLName.lowercased(names.text(at: 0))) }
    if let former { taken.remove(SQLName.lowercased(former)) }
    let name = SQLName.stored(storage.isEmpty ? part : "\(storage)_\(part)", taken: taken)
    try connection.prepare("INSERT INTO entia_parts VALUES (?, ?, ?)").run([
      .text(storage), .text(part), .text(name),
    ])
    tables[part] = name
    return name
  }
}

// Numbers of rows.
extension FileHeader {
  /// Records the number of the rows of a part's table, unless the same number is recorded.
  /// - Throws: `SQLiteFailure`.
  mutating func setRowCount(
    _ count: Int64, of part: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    guard let table = tables[part], rowCounts[part] != count else { return }
    try connection.recordRowCount(count, of: table)
    rowCounts[part] = count
  }

  /// Counts and records the number of rows of each table of the storage.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  mutating func recordRowCounts(on connection: SQLiteConnection) throws(SQLiteFailure) {
    let existing = try Self.tableNames(connection)
    for (part, table) in tables.sorted(by: { $0.key < $1.key }) {
      let exists = existing.contains(SQLName.lowercased(table))
      try setRowCount(exists ? connection.countRows(of: table) : 0, of: part, on: connection)
    }
  }
}

// Migrations.
extension FileHeader {
  /// Returns the migrations to apply to the storage, in the order of the list.
  ///
  /// A storage that no program has saved is new, or the tool wrote it. The rows that the tool wrote
  /// do not belong to a version of a program, so no migration changes them. Only a table that the
  /// program lacks is renamed.
  /// - Parameters:
  ///   - list: The migrations of the program.
  ///   - declared: The names of the program's tables, without its held IDs.
  /// - Throws: `Newer` for a file with a migration that is not in the list, and `MigrationFailure`
  ///   for two migrations with one name.
  func pending(_ list: [Migration], declared: Set<String>) throws -> [Migration] {
    var names: Set<String> = []
    for migration in list where !names.insert(migration.name).inserted {
      var failure = MigrationFailure(
        reason: "another migration has this name: pass a name of its own with named:")
      failure.migration = migration.name
      throw failure
    }
    try requireKnown(names)
    return isSaved
      ? list.filter { !migrations.contains($0.name) } : renamings(list, declared: declared)
  }

  /// Returns the renamings of the tables that the program lacks. A table is renamed only if the
  /// file lacks the new name. If several migrations rename a table one after another, they are
  /// combined in one renaming with the name of the last migration.
  private func renamings(_ list: [Migration], declared: Set<String>) -> [Migration] {
    var taken = Set(tables.keys)
    return tables.keys.sorted().compactMap { table in
      if declared.contains(table) { return nil }
      var (newName, migration) = (table, "")
      for case (let name, let renaming?) in list.map({ ($0.name, $0.renaming) })
      where renaming.table == newName {
        (newName, migration) = (renaming.newName, name)
      }
      guard declared.contains(newName), taken.insert(newName).inserted else { return nil }
      return .renamingTable(table, to: newName, named: migration)
    }
  }

  /// Checks that a program has all migrations that were applied to the storage.
  /// - Parameter names: The names of the program's migrations.
  /// - Throws: `Newer` if the program lacks a migration that was applied.
  func requireKnown(_ names: Set<String>) throws(Newer) {
    let unknown = migrations.filter { !names.contains($0) }
    if unknown.isEmpty { return }
    throw Newer(
      reason: "it has migrations that this program does not have: "
        + unknown.joined(separator: ", "))
  }

  /// Records migrations as applied.
  /// - Throws: `SQLiteFailure`.
  mutating func record(
    _ names: [String], on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    if names.isEmpty { return }
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS entia_migrations(
        storage TEXT, name TEXT, PRIMARY KEY(storage, name))
      """)
    let insert = try connection.prepare("INSERT INTO entia_migrations VALUES (?, ?)")
    for name in names {
      try insert.run([.text(storage), .text(name)])
      migrations.append(name)
    }
  }

  /// Renames a part that the file has, and chooses the new name of its table.
  /// - Returns: The new name of the table.
  /// - Throws: `SQLiteFailure`.
  mutating func renameTable(
    of part: String, to newPart: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) -> String {
    let former = tables[part]
    try removeTable(of: part, renaming: newPart, on: connection)
    return try addTable(of: newPart, renaming: former, on: connection)
  }

  /// Removes a part and its entry in the fingerprint. A renamed part keeps the entry, with its new
  /// name.
  /// - Throws: `SQLiteFailure`.
  mutating func removeTable(
    of part: String, renaming newPart: String? = nil, on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    // The file may spell the name of the part with other, equivalent characters.
    guard let index = tables.index(forKey: part) else { return }
    let (stored, table) = tables.remove(at: index)
    rowCounts[part] = nil
    try connection.recordRowCount(nil, of: table)
    try connection.setEntry(EditTriggers.sumKey(of: table), nil)
    try connection.prepare("DELETE FROM entia_parts WHERE storage=? AND part=?").run([
      .text(storage), .text(stored),
    ])
    // A program can share the file only if it has all parts that the fingerprint names. The
    // fingerprint must therefore not name parts that no longer exist.
    guard let schema else { return }
    let lines = schema.split(separator: "\n").compactMap { line -> String? in
      let kind = line.prefix { $0 != " " }
      return line == "\(kind) \(stored)" ? newPart.map { "\(kind) \($0)" } : String(line)
    }
    let changed = lines.map { "\($0)\n" }.joined()
    try connection.setEntry(schemaKey, .text(changed))
    self.schema = changed
  }
}

// The entries of `entia_file`.
extension SQLiteConnection {
  /// Returns the names of a storage's parts of held IDs, as recorded when the storage was saved.
  /// - Throws: `SQLiteFailure`.
  func heldParts(of storage: String) throws(SQLiteFailure) -> [String] {
    guard case .text(let text) = try entry(FileHeader.schemaKey(of: storage)) else { return [] }
    let prefix = "ids "
    return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count)) }
  }

  /// Returns the value of a key; `nil` without one.
  /// - Throws: `SQLiteFailure`.
  func entry(_ key: String) throws(SQLiteFailure) -> StoredValue? {
    try value("SELECT value FROM entia_file WHERE key=?", [.text(key)])
  }

  /// Sets the value of a key; `nil` removes it.
  /// - Throws: `SQLiteFailure`.
  func setEntry(_ key: String, _ value: StoredValue?) throws(SQLiteFailure) {
    guard let value else {
      return try prepare("DELETE FROM entia_file WHERE key=?").run([.text(key)])
    }
    try prepare(
      "INSERT INTO entia_file VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value"
    ).run([.text(key), value])
  }
}
