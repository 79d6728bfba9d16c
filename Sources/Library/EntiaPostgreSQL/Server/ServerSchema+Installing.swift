extension ServerSchema {
  /// Creates the tables, unless they exist.
  /// - Throws: `PostgreSQLFailure`; `SharedDatabaseError.isNewer`, `.cannotConnect` for a database
  ///   in another encoding.
  static func install(on connection: PostgreSQLConnection) throws {
    // Also a role that may not create tables may find them installed.
    if try connection.run("SELECT to_regclass('entia_install')").rows.first?.text(at: 0) != nil {
      return try checkVersion(connection)
    }
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

  /// Checks that no table of another program has the name of one that is created.
  /// - Throws: `PostgreSQLFailure`, `SharedDatabaseError.cannotConnect`.
  private static func checkNames(_ connection: PostgreSQLConnection) throws {
    let found = try connection.run(
      """
      SELECT to_regclass(name)::text
      FROM unnest(ARRAY['entia_space', 'entia_row', 'entia_log']) name
      WHERE to_regclass(name) IS NOT NULL AND to_regclass('entia_install') IS NULL
      """)
    let names = found.rows.compactMap { $0.text(at: 0) }
    guard names.isEmpty else {
      throw SharedDatabaseError.cannotConnect(
        reason: """
          the database has \(names.joined(separator: ", ")), and not entia_install: tables of another \
          program, or of an installation that was removed in part. Rename or drop them, or use \
          another database or another schema in the search path
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
