/// The tables in the server.
///
/// The primary key of each table begins with the space, so that the rows of one space are adjacent.
enum ServerSchema {
  /// The version of the tables. It increases with a change that older clients cannot use.
  static let version: Int64 = 1

  /// The statements that create the tables. Running them again has no effect.
  static let statements = [
    locking,
    """
    CREATE TABLE IF NOT EXISTS entia_install (
      version bigint PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT now())
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_space (
      space text COLLATE "C" PRIMARY KEY,
      version bigint NOT NULL DEFAULT 0,
      first_logged bigint NOT NULL DEFAULT 1,
      schema_version bigint NOT NULL,
      schema_fingerprint text NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_row (
      space text COLLATE "C" NOT NULL,
      entity text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      position numeric NOT NULL,
      body jsonb NOT NULL,
      PRIMARY KEY (space, entity, id))
    """,
    """
    CREATE TABLE IF NOT EXISTS entia_log (
      space text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      part int NOT NULL,
      client uuid NOT NULL,
      mutation bigint NOT NULL,
      changes jsonb,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (space, version, part),
      UNIQUE (space, client, mutation, part))
    """,
    "INSERT INTO entia_install (version) VALUES (\(version)) ON CONFLICT DO NOTHING",
  ]

  /// The statement that waits for other installations. Without it, concurrent installations would
  /// create the same tables, and one of them would fail.
  static let locking = "SELECT pg_advisory_xact_lock(\(lock))"

  /// The number of the advisory lock; an arbitrary number that other programs are unlikely to use.
  private static let lock = 7_311_209_451

  /// The statements as a script for `psql`.
  static var script: String {
    (["BEGIN"] + statements + ["COMMIT"]).map { "\($0);\n" }.joined(separator: "\n")
  }
}

extension ServerSchema {
  /// Creates the tables, unless they exist.
  /// - Throws: `PostgreSQLFailure`; `SharedDatabaseError.isNewer`; `.cannotConnect` for a database
  ///   with another encoding.
  static func install(on connection: PostgreSQLConnection) throws {
    // This check comes first, because a role that may not create tables can use installed ones.
    if try isInstalled(connection) { return try checkVersion(connection) }
    try checkEncoding(connection)
    try connection.run("BEGIN")
    try connection.run(locking)
    try checkNames(connection)
    for statement in statements { try connection.run(statement) }
    try checkVersion(connection)
    try connection.run("COMMIT")
  }

  /// Checks that the tables exist and that this version of Entia can use them.
  /// - Throws: `PostgreSQLFailure`, `SharedDatabaseError`.
  static func checkVersion(_ connection: PostgreSQLConnection) throws {
    let installed = try connection.run("SELECT max(version) FROM entia_install")
    guard let found = installed.rows.first?.integer(at: 0) else {
      throw SharedDatabaseError.notInstalled(reason: "entia_install is empty")
    }
    if found > version {
      throw SharedDatabaseError.isNewer(
        reason: "its tables have version \(found), and this program uses version \(version)")
    }
  }

  /// Returns the names of the tables that exist, and of those that do not.
  private static func tables(
    _ connection: PostgreSQLConnection
  ) throws -> (found: [String], missing: [String]) {
    let names = ["entia_install", "entia_space", "entia_row", "entia_log"]
    let found = try names.filter { name in
      try connection.run("SELECT to_regclass($1)", [name]).rows.first?.text(at: 0) != nil
    }
    return (found, names.filter { !found.contains($0) })
  }

  /// Returns whether the tables exist, and their version is recorded.
  private static func isInstalled(_ connection: PostgreSQLConnection) throws -> Bool {
    guard try tables(connection).missing.isEmpty else { return false }
    return try !connection.run("SELECT 1 FROM entia_install LIMIT 1").rows.isEmpty
  }

  /// Checks that the database has all tables or none of them. If it has only some, they may be
  /// tables of another program. Or a table was removed, and a new empty table would hide the loss
  /// of its rows.
  /// - Throws: `PostgreSQLFailure`, `SharedDatabaseError.cannotConnect`.
  private static func checkNames(_ connection: PostgreSQLConnection) throws {
    let (found, missing) = try tables(connection)
    guard found.isEmpty || missing.isEmpty else {
      throw SharedDatabaseError.cannotConnect(
        reason: """
          the database has \(found.joined(separator: ", ")), and not \
          \(missing.joined(separator: ", ")): tables of another program, or of an installation \
          that was removed in part. Rename or drop them, or use another database or another schema \
          in the search path
          """)
    }
  }

  private static func checkEncoding(_ connection: PostgreSQLConnection) throws {
    let encoding = try connection.run("SHOW server_encoding").rows.first?.text(at: 0) ?? ""
    if encoding != "UTF8" {
      throw SharedDatabaseError.cannotConnect(
        reason: "the database has the encoding \(encoding): create one with ENCODING 'UTF8'")
    }
  }
}
