import EntiaDatabase
import EntiaJSON
import Foundation

extension SharedDatabase {
  /// The size in bytes of the batches of a page, as the server stores them.
  private static var pageSize: Int { 8 << 20 }

  /// Returns the batches after a version.
  /// - Throws: `SharedDatabaseError`.
  package func batches(since version: Int64, limit: Int) async throws -> BatchPage<Storage> {
    let (space, parts) = (space, parts)
    return try await run { connection in
      let reading = BatchReading(parts: parts, since: version)
      // One statement, and so one version of both tables.
      try connection.stream(
        """
        SELECT s.version, s.first_logged, l.version, l.client, l.mutation, l.changes::text
        FROM entia_space s LEFT JOIN LATERAL (
          SELECT * FROM (
            SELECT version, part, client, mutation, changes, sum(pg_column_size(changes)) OVER (
              ORDER BY version RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
            FROM entia_log
            WHERE space = $1 AND version > $2::bigint AND version <= $2::bigint + $3::bigint) sized
          WHERE coalesce(before, 0) < $4::bigint) l ON true
        WHERE s.space = $1 ORDER BY l.version, l.part
        """,
        [
          space, "\(max(0, version))", "\(max(1, min(limit, 1 << 20)))", "\(Self.pageSize)",
        ]
      ) { try reading.add($0) }
      return try reading.finish()
    }
  }
}

/// Collects the batches of a page.
private final class BatchReading<Storage: NormalizedStorageType> {
  private struct Batch {
    let version: Int64
    let client: ClientID
    let mutation: Int64
    var entries: [JSONValue]
  }

  let parts: SpaceParts<Storage>
  let since: Int64
  private var current: (version: Int64, firstLogged: Int64)?
  private var batches: [Batch] = []

  init(parts: SpaceParts<Storage>, since: Int64) {
    self.parts = parts
    self.since = since
  }

  private func malformed(
    _ version: String, _ column: String, _ reason: String
  ) -> SharedDatabaseError {
    .cannotDecode(
      space: parts.space, entity: "entia_log", row: "version \(version)", column: column,
      reason: reason)
  }

  func add(_ row: SQLRow) throws {
    if current == nil {
      guard let version = row.integer(at: 0), let first = row.integer(at: 1) else {
        throw malformed("\(since)", "version", "the space has no version")
      }
      current = (version, first)
    }
    // There may be no batch.
    guard let version = row.integer(at: 2), !isTrimmed else { return }
    guard let client = row.text(at: 3).flatMap(UUID.init(uuidString:)),
      let mutation = row.integer(at: 4), let changes = row.bytes(at: 5)
    else { throw malformed("\(version)", "changes", "the batch has no changes") }
    let entries: [JSONValue]
    do {
      guard case .array(let values) = try JSONValue.parse(changes) else {
        throw malformed("\(version)", "changes", "the changes are no array")
      }
      entries = values
    } catch let error as JSONError {
      throw malformed("\(version)", "changes", error.message)
    }
    if let last = batches.last, last.version == version {
      batches[batches.count - 1].entries += entries
      return
    }
    let expected = (batches.last?.version ?? since) + 1
    guard version == expected else {
      throw malformed("\(expected)", "version", "the log has a gap")
    }
    batches.append(
      Batch(version: version, client: client, mutation: mutation, entries: entries))
  }

  /// Whether the batch after the version is no longer in the log, or the space is older.
  private var isTrimmed: Bool {
    guard let current else { return false }
    return since < 0 || since > current.version
      || (since < current.version && since + 1 < current.firstLogged)
  }

  func finish() throws -> BatchPage<Storage> {
    guard let current else { throw SharedDatabaseError.spaceNotFound(space: parts.space) }
    if isTrimmed { return .trimmed(current: current.version) }
    if batches.isEmpty, since < current.version {
      throw malformed("\(since + 1)", "version", "the log has a gap")
    }
    let decoded = try batches.map { batch in
      LoggedBatch<Storage>(
        version: batch.version, client: batch.client, mutation: batch.mutation,
        changes: try ChangeDecoding(batch.entries, of: batch.version, parts).changes)
    }
    return .batches(decoded, current: current.version)
  }
}
