extension SharedDatabase {
  /// Numbers the positions of the rows anew, later. Their order stays.
  func renumber() {
    let space = space
    thread.runLater { session in
      // If it fails, the next push that is placed so closely starts it again.
      _ = Result { try session.use { try Self.renumber(space, $0) } }
    }
  }

  /// Numbers the positions of all rows anew.
  /// - Throws: `PostgreSQLFailure`.
  static func renumber(_ space: String, _ connection: PostgreSQLConnection) throws {
    _ = try connection.transact([
      // Pushes wait: they place rows between others.
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

  /// Removes old batches from the log, later, if that is due after a batch.
  func trim(after version: Int64) {
    let (space, retention) = (space, retention)
    thread.runLater { session in
      // If it fails, a later push starts it again.
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

  /// Removes old batches from the log. The last mutation of each client stays, without its changes,
  /// so that a repeated push is recognized; after a year it is removed too.
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

  /// Removes old batches from the log now.
  /// - Throws: `SharedDatabaseError`.
  package func trimLog() async throws {
    let (space, retention) = (space, retention)
    try await run { try Self.trim(space, retention, $0) }
  }
}
