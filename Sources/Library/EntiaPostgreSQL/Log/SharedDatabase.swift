public import EntiaDatabase
import EntiaSharing
import EntiaStore
import Foundation

/// A database that many processes share through a PostgreSQL server.
///
/// ```swift
/// try await SharedDatabase<Library>.install(connecting: url)          // Once.
/// let shared = try await SharedDatabase<Library>(connecting: url, space: "team-7")
/// let library = try await shared.load()
/// ```
///
/// A *space* is one database, for example of a tenant, a document or a team. Its rows and its
/// batches are stored in the tables `entia_space`, `entia_row` and `entia_log`. Entities must be
/// `Codable`, and an encoded entity must decode to an equal one. A batch with an entity that
/// decodes to a different one is refused with `cannotEncode`, because other clients would see a
/// different row. An ID can have up to 1,800 bytes as JSON, and the name of a space can have up to
/// 500. Held IDs are stored. Relationships and indexes are not, because they follow from the rows.
///
/// A role that shares spaces needs only these rights, and no right to create tables:
///
/// ```sql
/// GRANT SELECT ON entia_install TO app;
/// GRANT SELECT, INSERT, UPDATE ON entia_space TO app;
/// GRANT SELECT, INSERT, UPDATE, DELETE ON entia_row, entia_log TO app;
/// ```
///
/// Without `INSERT` on `entia_space`, a role can share only existing spaces. Row-level security can
/// limit a role to some spaces; opening another space then throws `spaceNotFound`. All three tables
/// need the policy:
///
/// ```sql
/// ALTER TABLE entia_space ENABLE ROW LEVEL SECURITY;
/// CREATE POLICY tenant ON entia_space USING (space = current_user);
/// ```
///
/// The connection string has the format of libpq: a URI, or pairs of keywords and values. Missing
/// values are taken from the environment, the service file and the password file. No message
/// contains the string.
public final class SharedDatabase<Storage: NormalizedStorageType>: Sendable {
  /// The name of the space.
  public let space: String
  /// The version of the program's schema.
  public let schemaVersion: Int64

  let parts: SpaceParts<Storage>
  let thread: ServerThread
  let listener: ServerListener
  let loaded = Mutex<SharedVersion<Storage>?>(nil)
  /// The tables whose member types this program has recorded in the space; see `MemberTypes`.
  let notedTables = Mutex<Set<String>>([])
  /// The limits of the log.
  let retention: LogRetention

  /// Connects to a space, or creates it.
  ///
  /// Increase the version of the schema if you change tables, rules or the members of entities. The
  /// first successful load by a program with a newer version marks the space with the newer
  /// version. From then on, programs with an older version can still load the space and receive
  /// changes, but cannot change it.
  /// - Parameters:
  ///   - connection: The connection string.
  ///   - space: The name of the space.
  ///   - schemaVersion: The version of the program's schema.
  /// - Throws: `SharedDatabaseError`: `notCodable`; `cannotConnect` and the errors of a connection;
  ///   `notInstalled` and `isNewer` for the tables of the server; `spaceNotFound` and `noRights`;
  ///   `schemaDiffers` if the space has the same version and other tables or rules.
  public convenience init(
    connecting connection: String, space: String, schemaVersion: Int64 = 1
  ) async throws {
    try await self.init(
      connecting: connection, space: space, schemaVersion: schemaVersion,
      retention: LogRetention())
  }

  package init(
    connecting connection: String, space: String, schemaVersion: Int64, retention: LogRetention
  ) async throws {
    try UntypedSpace.checkName(space)
    self.space = space
    self.schemaVersion = schemaVersion
    self.retention = retention
    parts = try SpaceParts(space: space)
    let string = try SharedDatabaseError.describing(space) { try ConnectionString(connection) }
    thread = ServerThread(string)
    listener = ServerListener(string, space: space)
    do {
      try await open()
    } catch {
      thread.close()
      throw error
    }
  }

  deinit {
    thread.close()
    listener.close()
  }

  /// Creates the tables in the server, unless they exist.
  ///
  /// The role must be allowed to create tables in the first schema of its search path. Roles that
  /// share spaces need no such right.
  /// - Parameter connection: The connection string.
  /// - Throws: `SharedDatabaseError`: `cannotConnect` and the errors of a connection; `noRights`;
  ///   `isNewer` if a newer version of Entia has created the tables, which are then unchanged;
  ///   `cannotConnect` if another program has tables with the same names.
  public static func install(connecting connection: String) async throws {
    let string = try SharedDatabaseError.describing("") { try ConnectionString(connection) }
    let thread = ServerThread(string)
    defer { thread.close() }
    try await thread.run(closed: SharedDatabaseError.isClosed(space: "")) { session in
      try SharedDatabaseError.describing("") { try session.use(ServerSchema.install) }
    }
  }

  /// The statements of `install(connecting:)`, as a script for `psql`.
  public static var installationScript: String { ServerSchema.script }

  /// Returns the database of the space at its current version, with rows and held IDs in their
  /// order.
  /// - Throws: `SharedDatabaseError`: `cannotDecode` for a row that this program cannot read;
  ///   `refused` for rows that violate rules of the storage; `schemaDiffers` if another program has
  ///   marked the space with the same version but has other tables or rules; the errors of a
  ///   connection. After an error, the space is not marked with the schema version of this program.
  /// - Complexity: O(*n* log *n*) in the number of rows, which are read one after another.
  public func load() async throws -> Storage { try await load(onBrokenRow: .throw).database }

  /// Returns the database of the space at its current version, and the skipped rows.
  ///
  /// Rows that cannot be read stay unchanged in the space. After `.skip`, a store can share the
  /// database without them. A batch is rejected if it might break a skipped row:
  ///
  /// - The batch inserts a row with the same ID, or removes a row that the skipped row may
  ///   reference.
  /// - The batch changes the order of the skipped row's table.
  /// - The batch inserts a row into this table, and the table is ordered or has a unique index.
  /// - The batch changes a part of held IDs in which an ID was skipped.
  ///
  /// - Parameter policy: Whether a row that cannot be read is an error or is skipped.
  /// - Throws: The errors of `load()`.
  /// - Complexity: O(*n* log *n*) in the number of rows, which are read one after another.
  public func load(
    onBrokenRow policy: BrokenRowPolicy
  ) async throws -> LoadedDatabase<Storage> {
    let version = try await loadVersion(onBrokenRow: policy)
    return LoadedDatabase(
      database: version.storage, skippedRows: version.unreadable.rows)
  }

  /// Runs a closure with the connection.
  /// - Throws: `SharedDatabaseError`.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Result
  ) async throws -> Result {
    try await thread.run(closed: SharedDatabaseError.isClosed(space: space)) { [space] session in
      try SharedDatabaseError.describing(space) { try session.use(body) }
    }
  }
}

extension SharedDatabaseError {
  /// Calls a closure. Converts a `PostgreSQLFailure` or a refusal to an error that names the space.
  static func describing<Result>(_ space: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as PostgreSQLFailure {
      throw SharedDatabaseError(failure, space: space)
    } catch let BatchError.refused(violations) {
      throw SharedDatabaseError.refused(
        space: space, reasons: violations.map(\.description))
    }
  }
}

/// The limits of a log.
package struct LogRetention: Sendable {
  /// The minimum number of batches between two removals of old batches.
  package var interval: Int64 = 256
  /// The maximum age in seconds of the kept batches.
  package var age: Double = 3 * 24 * 3600
  /// The maximum size in bytes of the kept batches, in the storage format of the server.
  package var size: Int64 = 256 << 20

  /// Creates the default retention.
  package init() {}

  /// Returns whether the log should be trimmed after a batch. Trimming reads all kept batches.
  /// Therefore a log with many batches is trimmed less often.
  /// - Parameters:
  ///   - version: The version of the batch.
  ///   - kept: The number of batches in the log.
  func isTrimmed(after version: Int64, kept: Int64) -> Bool {
    guard interval > 0, version % interval == 0 else { return false }
    return (version / interval) % max(1, kept / (16 * interval)) == 0
  }
}

extension SharedDatabase {
  /// Schedules the renumbering of the positions of the rows. The order of the rows is unchanged.
  func renumber() {
    let space = space
    thread.runLater { session in
      // If the renumbering fails, the next push with a long position schedules it again.
      _ = Result { try session.use { try Self.renumber(space, $0) } }
    }
  }

  /// Renumbers the positions of all rows.
  /// - Throws: `PostgreSQLFailure`.
  static func renumber(_ space: String, _ connection: PostgreSQLConnection) throws {
    _ = try connection.transact([
      // Locks the space, so that no push computes positions while the positions change.
      SQLStatement("SELECT version FROM entia_space WHERE space = $1 FOR UPDATE", [space]),
      SQLStatement(
        """
        UPDATE entia_row r SET position = n.number
        FROM (SELECT entity, id,
                row_number() OVER (PARTITION BY entity ORDER BY position, id) AS number
              FROM entia_row WHERE space = $1) n
        WHERE r.space = $1 AND r.entity = n.entity AND r.id = n.id
        """, [space]),
    ])
  }

  /// Schedules the removal of old batches from the log if the removal is due after a batch.
  func trim(after version: Int64) {
    let (space, retention) = (space, retention)
    thread.runLater { session in
      // If trimming fails, a later push schedules it again.
      _ = Result {
        try session.use { connection in
          let header = try SpaceHeader(of: space, on: connection)
          let kept = header.version - header.firstLogged + 1
          if retention.isTrimmed(after: version, kept: kept) {
            try Self.trim(space, retention, connection)
          }
        }
      }
    }
  }

  /// Removes old batches from the log. The last mutation of each client is kept for a year without
  /// its changes, so that a repeated push is recognized.
  /// - Throws: `PostgreSQLFailure`.
  static func trim(
    _ space: String, _ retention: LogRetention, _ connection: PostgreSQLConnection
  ) throws {
    _ = try connection.transact([
      SQLStatement(
        """
        UPDATE entia_space s SET first_logged = old.version + 1
        FROM (SELECT max(version) AS version
              FROM (SELECT version, at,
                      sum(pg_column_size(changes)) OVER (ORDER BY version DESC) AS size
                    FROM entia_log WHERE space = $1 AND changes IS NOT NULL) l
              WHERE l.at < now() - make_interval(secs => $2::float8) OR l.size > $3::bigint) old
        WHERE s.space = $1 AND old.version >= s.first_logged
        """, [space, "\(retention.age)", "\(retention.size)"]),
      SQLStatement(
        """
        DELETE FROM entia_log l USING entia_space s
        WHERE s.space = $1 AND l.space = $1 AND l.version < s.first_logged
          AND (l.part > 0 OR l.at < now() - interval '1 year'
            OR EXISTS (SELECT FROM entia_log newer WHERE newer.space = $1
              AND newer.client = l.client AND newer.mutation > l.mutation))
        """, [space]),
      SQLStatement(
        """
        UPDATE entia_log l SET changes = NULL FROM entia_space s
        WHERE s.space = $1 AND l.space = $1 AND l.version < s.first_logged
          AND l.changes IS NOT NULL
        """, [space]),
    ])
  }

  /// Removes old batches from the log immediately.
  /// - Throws: `SharedDatabaseError`.
  package func trimLog() async throws {
    let (space, retention) = (space, retention)
    try await run { try Self.trim(space, retention, $0) }
  }
}
