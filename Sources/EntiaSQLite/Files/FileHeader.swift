/// The tables in the file that describe it.
///
/// `entia_file` has the number of the format, and a fingerprint of the storage that wrote the file
/// last. `entia_parts` has the table of each part of the storage.
struct FileHeader {
  /// The number of the format that this version of Entia reads and writes.
  static let format: Int64 = 1

  /// The table of each part, by the name of the part.
  private(set) var tables: [String: String] = [:]
  /// Whether the file has the tables that describe it.
  private(set) var exists: Bool
  private var schema: String?
  /// The names of all tables in the file, in lower case.
  private var taken: Set<String> = []

  /// The file has tables, but not those of Entia.
  struct Foreign: Error {}
  /// The file has a higher format.
  struct Newer: Error { let format: Int64 }

  /// Reads the header of a file.
  /// - Throws: `SQLiteFailure`, `Foreign`, `Newer`.
  init(_ connection: SQLiteConnection) throws {
    let names = try connection.prepare("SELECT name FROM sqlite_schema")
    while try names.step() { taken.insert(SQLName.lowercased(names.text(at: 0))) }
    exists = taken.contains("entia_file")
    guard exists else {
      if taken.isEmpty { return }
      throw Foreign()
    }
    let format = try connection.value("SELECT value FROM entia_file WHERE key='format'")
    if case .integer(let format) = format, format > Self.format { throw Newer(format: format) }
    if case .text(let text) = try connection.value(
      "SELECT value FROM entia_file WHERE key='schema'")
    {
      schema = text
    }
    let parts = try connection.prepare("SELECT part, name FROM entia_parts")
    while try parts.step() { tables[parts.text(at: 0)] = parts.text(at: 1) }
  }

  /// Writes the header of a file that has none.
  /// - Throws: `SQLiteFailure`.
  mutating func create(on connection: SQLiteConnection) throws(SQLiteFailure) {
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
