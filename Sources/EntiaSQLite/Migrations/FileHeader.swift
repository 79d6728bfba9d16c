/// The tables in the file that describe it.
///
/// `entia_file` has the number of the format, and a fingerprint of the storage that wrote the file
/// last. `entia_parts` has the table of each part of the storage. `entia_migrations` has the names
/// of the migrations that were applied.
struct FileHeader {
  /// The number of the format that this version of Entia reads and writes.
  static let format: Int64 = 1

  /// The names of the tables that describe the file.
  static let ownTables: Set<String> = [
    "entia_file", "entia_parts", "entia_migrations",
    // Files of records have these too.
    "entia_records", "entia_members", "entia_spellings",
  ]

  /// The table of each part, by the name of the part.
  private(set) var tables: [String: String] = [:]
  /// Whether the file has the tables that describe it.
  private(set) var exists: Bool
  private var schema: String?
  /// The names of all tables in the file, in lower case.
  private var taken: Set<String> = []
  /// The names of the migrations that were applied to the file.
  private var migrations: [String] = []

  /// The file has tables, but not those of Entia.
  struct Foreign: Error {}
  /// A newer program wrote the file.
  struct Newer: Error { let reason: String }
  /// The file has tables of Entia that cannot be read.
  struct Damaged: Error { let reason: String }

  /// Reads the header of a file.
  /// - Throws: `SQLiteFailure`, `Foreign`, `Newer`, `Damaged`.
  init(_ connection: SQLiteConnection) throws {
    let names = try connection.prepare("SELECT name FROM sqlite_schema")
    while try names.step() { taken.insert(SQLName.lowercased(names.text(at: 0))) }
    exists = taken.contains("entia_file")
    guard exists else {
      if taken.isEmpty { return }
      throw Foreign()
    }
    let format = try connection.value("SELECT value FROM entia_file WHERE key='format'")
    guard case .integer(let format) = format else {
      throw Damaged(reason: "its table entia_file has no format")
    }
    if format > Self.format {
      throw Newer(reason: "it has format \(format), and this program reads \(Self.format)")
    }
    if case .text(let text) = try connection.value(
      "SELECT value FROM entia_file WHERE key='schema'")
    {
      schema = text
    }
    let parts = try connection.prepare("SELECT part, name FROM entia_parts")
    while try parts.step() {
      tables[parts.text(at: 0)] = parts.text(at: 1)
      // The table itself is created with its first row.
      taken.insert(SQLName.lowercased(parts.text(at: 1)))
    }
    guard taken.contains("entia_migrations") else { return }
    let applied = try connection.prepare("SELECT name FROM entia_migrations ORDER BY rowid")
    while try applied.step() { migrations.append(applied.text(at: 0)) }
  }

  /// Writes the header of a file that has none.
  /// - Parameters:
  ///   - migrations: The names of the migrations, which a new file does not need.
  ///   - connection: The connection to the file.
  /// - Throws: `SQLiteFailure`.
  mutating func create(
    migrations: [String], on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    if exists { return }
    try connection.execute(
      """
      CREATE TABLE entia_file(key TEXT PRIMARY KEY, value);
      CREATE TABLE entia_parts(part TEXT PRIMARY KEY, name TEXT);
      """)
    let insert = try connection.prepare("INSERT INTO entia_file VALUES ('format', ?)")
    try insert.bind(.integer(Self.format), at: 0)
    try insert.run()
    exists = true
    try record(migrations, on: connection)
  }

  /// Writes the fingerprint of the storage unless the file has it.
  /// - Throws: `SQLiteFailure`.
  mutating func setSchema(
    _ fingerprint: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    if schema == fingerprint { return }
    let upsert = try connection.prepare(
      "INSERT INTO entia_file VALUES ('schema', ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value"
    )
    try upsert.bind(.text(fingerprint), at: 0)
    try upsert.run()
    schema = fingerprint
  }

  /// Chooses the name of the table of a part, and writes it.
  /// - Returns: The name of the table, which need not exist yet.
  /// - Throws: `SQLiteFailure`.
  mutating func addTable(
    of part: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) -> String {
    let name = SQLName.stored(part, taken: taken)
    let insert = try connection.prepare("INSERT INTO entia_parts VALUES (?, ?)")
    try insert.bind(.text(part), at: 0)
    try insert.bind(.text(name), at: 1)
    try insert.run()
    tables[part] = name
    taken.insert(SQLName.lowercased(name))
    return name
  }
}

// Migrations.
extension FileHeader {
  /// Returns the migrations that were not applied to the file, in the order of the list. A file
  /// without tables needs none.
  /// - Throws: `Newer` for a file with a migration that is not in the list, and `MigrationFailure`
  ///   for two migrations with one name.
  func pending(_ list: [Migration]) throws -> [Migration] {
    var names: Set<String> = []
    for migration in list where !names.insert(migration.name).inserted {
      var failure = MigrationFailure(
        reason: "another migration has this name: pass a name of its own with named:")
      failure.migration = migration.name
      throw failure
    }
    let unknown = migrations.filter { !names.contains($0) }
    if !unknown.isEmpty {
      throw Newer(
        reason: "it has migrations that this program does not have: "
          + unknown.joined(separator: ", "))
    }
    return exists ? list.filter { !migrations.contains($0.name) } : []
  }

  /// Records migrations as applied.
  /// - Throws: `SQLiteFailure`.
  mutating func record(
    _ names: [String], on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    if names.isEmpty { return }
    try connection.execute("CREATE TABLE IF NOT EXISTS entia_migrations(name TEXT PRIMARY KEY)")
    let insert = try connection.prepare("INSERT INTO entia_migrations VALUES (?)")
    for name in names {
      try insert.bind(.text(name), at: 0)
      try insert.run()
      migrations.append(name)
    }
  }

  /// Renames a part that the file has, and chooses the new name of its table.
  /// - Returns: The new name of the table.
  /// - Throws: `SQLiteFailure`.
  mutating func renameTable(
    of part: String, to newPart: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) -> String {
    try removeTable(of: part, on: connection)
    return try addTable(of: newPart, on: connection)
  }

  /// Removes a part.
  /// - Throws: `SQLiteFailure`.
  mutating func removeTable(
    of part: String, on connection: SQLiteConnection
  ) throws(SQLiteFailure) {
    // The file may spell the name of the part with other characters.
    guard let index = tables.index(forKey: part) else { return }
    let (stored, name) = tables.remove(at: index)
    taken.remove(SQLName.lowercased(name))
    let delete = try connection.prepare("DELETE FROM entia_parts WHERE part=?")
    try delete.bind(.text(stored), at: 0)
    try delete.run()
  }
}
