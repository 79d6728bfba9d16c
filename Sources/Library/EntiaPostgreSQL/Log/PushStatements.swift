import EntiaCoding
import EntiaDatabase
import EntiaSharing
import Foundation

/// The statements of a push, which are one transaction.
///
/// The first statement compares and increases the version of the space. This update locks the
/// space, so only one transaction at a time runs the other statements. The statements do nothing if
/// the version, the last batch or the schema of the space is not the expected one.
struct PushStatements {
  private static let isPushing = "current_setting('entia.pushing', true) = 'yes'"

  private(set) var statements: [SQLStatement] = []
  /// The index of the first statement that places rows. Each of these statements returns the
  /// greatest scale of the positions that it assigns: the number of digits after the point.
  private(set) var firstPlacing = 0

  init<Storage: NormalizedStorageType>(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition,
    schemaVersion: Int64, _ parts: SpaceParts<Storage>
  ) throws {
    let space = parts.space
    let version = "\(base.version + 1)"
    let encoding = try ChangeEncoding(changes, to: base.version + 1, parts)
    var logged = JSONChunks.texts(of: encoding.entries, size: 16 << 20)
    let first = logged.isEmpty ? "[]" : logged.removeFirst()
    statements.append(
      SQLStatement(
        """
        WITH moved AS (
          UPDATE entia_space SET version = version + 1
          WHERE space = $1 AND version = $2::bigint AND schema_version = $3::bigint
            AND \(MemberTypes.fingerprintWithoutMembers) = $4
            AND NOT \(LogPosition.isReplaced(
              space: "$1", version: "$2", client: "$8", mutation: "$9"))
          RETURNING version),
        logged AS (
          INSERT INTO entia_log (space, version, part, client, mutation, changes)
          SELECT $1, version, 0, $5::uuid, $6::bigint, $7::jsonb FROM moved)
        SELECT version, set_config('entia.pushing', 'yes', true) FROM moved
        """,
        [
          space, "\(base.version)", "\(schemaVersion)", parts.fingerprint, client.uuidString,
          "\(mutation)", first, base.client, base.mutation,
        ]))
    for (index, text) in logged.enumerated() {
      statements.append(
        SQLStatement(
          """
          INSERT INTO entia_log (space, version, part, client, mutation, changes)
          SELECT $1, $2::bigint, $3::int, $4::uuid, $5::bigint, $6::jsonb WHERE \(Self.isPushing)
          """,
          [space, version, "\(index + 1)", client.uuidString, "\(mutation)", text]))
    }
    append(encoding.operations, space: space, version: version)
  }

  private mutating func append(
    _ operations: RowOperations, space: String, version: String
  ) {
    for text in JSONChunks.texts(of: operations.deletions) {
      statements.append(
        SQLStatement(
          """
          DELETE FROM entia_row r USING jsonb_array_elements($2::jsonb) e
          WHERE \(Self.isPushing) AND r.space = $1 AND r.entity = e->>0 AND r.id = e->>1
          """, [space, text]))
    }
    for text in JSONChunks.texts(of: operations.updates) {
      statements.append(
        SQLStatement(
          """
          UPDATE entia_row r SET version = $2::bigint,
            body = CASE WHEN jsonb_typeof(r.body) = 'object' AND jsonb_typeof(e->2) = 'object'
              THEN (r.body - ARRAY(SELECT jsonb_array_elements_text(e->3))) || (e->2)
              ELSE e->2 END
          FROM jsonb_array_elements($3::jsonb) e
          WHERE \(Self.isPushing) AND r.space = $1 AND r.entity = e->>0 AND r.id = e->>1
          """, [space, version, text]))
    }
    firstPlacing = statements.count
    for text in JSONChunks.texts(of: operations.moves) {
      statements.append(
        SQLStatement(
          """
          WITH moved AS (
            UPDATE entia_row r SET position = m.position, version = $2::bigint
            FROM (SELECT e, \(Self.position) AS position FROM \(Self.placed)) m
            WHERE r.space = $1 AND r.entity = m.e->>0 AND r.id = m.e->>1
            RETURNING r.position)
          SELECT coalesce(max(scale(position)), 0) FROM moved
          """, [space, version, text]))
    }
    for text in JSONChunks.texts(of: operations.insertions) {
      statements.append(
        SQLStatement(
          """
          WITH inserted AS (
            INSERT INTO entia_row (space, entity, id, version, position, body)
            SELECT $1, e->>0, e->>1, $2::bigint, \(Self.position), e->2 FROM \(Self.placed)
            ON CONFLICT (space, entity, id) DO UPDATE
            SET version = excluded.version, position = excluded.position, body = excluded.body
            RETURNING position)
          SELECT coalesce(max(scale(position)), 0) FROM inserted
          """, [space, version, text]))
    }
  }

  /// An SQL expression for the rows to place, with the positions of their neighbors.
  private static let placed = """
    jsonb_array_elements($3::jsonb) e CROSS JOIN LATERAL (
      SELECT (SELECT position FROM entia_row WHERE space = $1 AND entity = e->>0 AND id = e->>3),
        (SELECT position FROM entia_row WHERE space = $1 AND entity = e->>0 AND id = e->>4)
    ) AS n (low, high)
    WHERE \(isPushing)
    """

  /// An SQL expression for the position of a row. With two neighbors, the position lies between
  /// their positions. With one neighbor, the position is a whole number before or after the
  /// neighbor's position.
  private static let position = """
    CASE WHEN n.low IS NULL AND n.high IS NULL THEN (e->>5)::numeric
      WHEN n.high IS NULL THEN floor(n.low) + 1 + (e->>6)::numeric
      WHEN n.low IS NULL THEN ceil(n.high) - (e->>7)::numeric - 1 + (e->>6)::numeric
      ELSE n.low + (n.high - n.low) * (e->>8)::numeric * ((e->>6)::numeric + 1) END
    """
}
