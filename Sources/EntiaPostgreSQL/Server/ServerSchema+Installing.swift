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

  private static func checkEncoding(_ connection: PostgreSQLConnection) throws {
    let encoding = try connection.run("SHOW server_encoding").rows.first?.text(at: 0) ?? ""
    if encoding != "UTF8" {
      throw SharedDatabaseError.cannotConnect(
        reason: "the database has the encoding \(encoding): create one with ENCODING 'UTF8'")
    }
  }
}
