import EntiaDatabase
import EntiaSharing

/// The header of a space, which is its row in `entia_space`.
struct SpaceHeader: Sendable {
  /// The number of batches.
  let version: Int64
  /// The version of the first batch that the log contains.
  let firstLogged: Int64
  let schemaVersion: Int64
  let fingerprint: String

  /// The part of the fingerprint before the lines of the members, and these lines.
  var partsFingerprint: String { MemberTypes.split(fingerprint).parts }
  var memberLines: [Substring] { MemberTypes.split(fingerprint).members }

  static let columns = "version, first_logged, schema_version, schema_fingerprint"

  /// Reads the row of a space.
  /// - Throws: `PostgreSQLFailure`; `SharedDatabaseError.spaceNotFound`, `.cannotDecode`.
  init(of space: String, on connection: PostgreSQLConnection) throws {
    guard let header = try Self(ifExists: space, on: connection) else {
      throw SharedDatabaseError.spaceNotFound(space: space)
    }
    self = header
  }

  /// Reads the row of a space, or returns `nil` if there is no such row or the role may not see it.
  /// - Throws: `PostgreSQLFailure`; `SharedDatabaseError.cannotDecode`.
  init?(ifExists space: String, on connection: PostgreSQLConnection) throws {
    let result = try connection.run(
      "SELECT \(Self.columns) FROM entia_space WHERE space = $1", [space])
    guard let row = result.rows.first else { return nil }
    guard let version = row.integer(at: 0), let firstLogged = row.integer(at: 1),
      let schemaVersion = row.integer(at: 2), let fingerprint = row.text(at: 3), version >= 0
    else {
      throw SharedDatabaseError.cannotDecode(
        space: space, entity: "entia_space", row: space, column: nil,
        reason: "a column has no value of its type")
    }
    self.version = version
    self.firstLogged = firstLogged
    self.schemaVersion = schemaVersion
    self.fingerprint = fingerprint
  }
}

extension SharedDatabase {
  /// Checks the tables of the server, and checks or creates the space.
  /// - Throws: `SharedDatabaseError`.
  func open() async throws {
    let (space, parts, schemaVersion) = (space, parts, schemaVersion)
    try await run { connection in
      try ServerSchema.checkVersion(connection)
      let header = try Self.header(space, parts, schemaVersion, connection)
      if header.schemaVersion > schemaVersion { return }
      try Self.upgrade(header, space, parts, schemaVersion, connection)
    }
  }

  private static func header(
    _ space: String, _ parts: SpaceParts<Storage>, _ schemaVersion: Int64,
    _ connection: PostgreSQLConnection
  ) throws -> SpaceHeader {
    if let header = try SpaceHeader(ifExists: space, on: connection) { return header }
    let failure = connection.failure(
      of: """
        INSERT INTO entia_space (space, schema_version, schema_fingerprint)
        VALUES ($1, $2::bigint, $3) ON CONFLICT DO NOTHING
        """, [space, "\(schemaVersion)", parts.fingerprint])
    // SQLSTATE 42501: the role has no right to insert, or row-level security denies it.
    if let failure, failure.code != "42501" { throw failure }
    return try SpaceHeader(of: space, on: connection)
  }

  /// Marks a space with this version of the schema.
  private static func upgrade(
    _ header: SpaceHeader, _ space: String, _ parts: SpaceParts<Storage>, _ schemaVersion: Int64,
    _ connection: PostgreSQLConnection
  ) throws {
    if header.schemaVersion == schemaVersion {
      if header.partsFingerprint == parts.fingerprint { return }
      throw SharedDatabaseError.schemaDiffers(
        space: space,
        reason: """
          \(parts.difference(from: header.partsFingerprint)), and both have schema version \
          \(schemaVersion): raise it in the newer program
          """)
    }
    try connection.run(
      """
      UPDATE entia_space SET schema_version = $2::bigint, schema_fingerprint = $3
      WHERE space = $1 AND schema_version < $2::bigint
      """, [space, "\(schemaVersion)", parts.fingerprint])
  }
}
