import EntiaDatabase
import EntiaSharing
import Foundation

extension SharedDatabase {
  /// The maximum size in bytes of the batches of a page, in the storage format of the server.
  private static var pageSize: Int { 8 << 20 }

  /// Returns the batches after a version.
  /// - Throws: `SharedDatabaseError`.
  package func batches(
    since position: LogPosition, limit: Int, combining combines: Bool
  ) async throws -> BatchPage<Storage> {
    let (space, parts, version) = (space, parts, position.version)
    return try await run { connection in
      let reading = BatchReading(parts, since: version, combines: combines)
      // A single statement reads both tables in one version.
      try connection.stream(
        """
        SELECT s.version, s.first_logged, l.version, l.client, l.mutation, l.changes::text,
          \(LogPosition.isReplaced(space: "$1", version: "$2", client: "$5", mutation: "$6"))
        FROM entia_space s LEFT JOIN LATERAL (
          SELECT * FROM (
            SELECT version, part, client, mutation, changes, sum(pg_column_size(changes)) OVER (
              ORDER BY version RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
            FROM entia_log
            WHERE space = $1 AND version > $2::bigint
              AND version <= least($2::bigint + $3::bigint, s.version)) sized
          WHERE coalesce(before, 0) < $4::bigint) l ON true
        WHERE s.space = $1 ORDER BY l.version, l.part
        """,
        [
          space, "\(max(0, version))", "\(max(1, min(limit, 1 << 20)))", "\(Self.pageSize)",
          position.client, position.mutation,
        ]
      ) { try reading.add($0) }
      return try reading.finish()
    }
  }
}

extension LogPosition {
  /// The client of the last batch, for a statement.
  var client: String? { origin?.client.uuidString }
  /// The client's sequence number for the last batch, for a statement.
  var mutation: String? { origin.map { "\($0.mutation)" } }

  /// Returns an SQL condition that is true if the batch in the log at `version` does not have the
  /// origin given by `client` and `mutation`. The arguments are parameters of the statement.
  static func isReplaced(
    space: String, version: String, client: String, mutation: String
  ) -> String {
    // If the batch of the position is unknown, the comparison is with NULL and therefore not true.
    """
    EXISTS (SELECT FROM entia_log WHERE space = \(space) AND version = \(version)::bigint
      AND part = 0 AND (client, mutation) <> (\(client)::uuid, \(mutation)::bigint))
    """
  }
}

private final class BatchReading<Storage: NormalizedStorageType> {
  private let space: String
  private let since: Int64
  private let combines: Bool
  private var decoding: ChangeDecoding<Storage>
  private var current: (version: Int64, firstLogged: Int64, isReplaced: Bool)?
  /// The origin of each batch that was read after `since`.
  private var origins: [BatchOrigin] = []
  /// The last client that was read, as bytes and as an ID.
  private var client: (text: [UInt8], id: ClientID)?

  init(_ parts: SpaceParts<Storage>, since: Int64, combines: Bool) {
    space = parts.space
    self.since = since
    self.combines = combines
    decoding = ChangeDecoding(parts)
  }

  private func malformed(
    _ version: String, _ column: String, _ reason: String
  ) -> SharedDatabaseError {
    .cannotDecode(
      space: space, entity: "entia_log", row: "version \(version)", column: column,
      reason: reason)
  }

  /// The version of the batch that was read last.
  private var last: Int64 { since + Int64(origins.count) }

  func add(_ row: StreamedRow) throws {
    if current == nil {
      guard let version = row.integer(at: 0), let first = row.integer(at: 1) else {
        throw malformed("\(since)", "version", "the space has no version")
      }
      current = (version, first, row.text(at: 6) == "t")
    }
    // The log may have no batch after the version.
    guard let version = row.integer(at: 2), !isTrimmed else { return }
    guard let client = row.bytes(at: 3).flatMap(clientID), let mutation = row.integer(at: 4),
      let changes = row.bytes(at: 5)
    else { throw malformed("\(version)", "changes", "the batch has no changes") }
    if origins.isEmpty || version != last {
      guard version == last + 1 else {
        throw malformed("\(last + 1)", "version", "the log has a gap")
      }
      origins.append(BatchOrigin(client: client, mutation: mutation))
    }
    try decoding.add(changes, of: version)
  }

  private func clientID(_ text: UnsafeBufferPointer<UInt8>) -> ClientID? {
    if let client, client.text.elementsEqual(text) { return client.id }
    guard let id = ClientID(uuidString: String(decoding: text, as: UTF8.self)) else { return nil }
    client = (Array(text), id)
    return id
  }

  /// Whether the log no longer contains the next batch, or the space was restored to an older
  /// version.
  private var isTrimmed: Bool {
    guard let current else { return false }
    return since < 0 || since > current.version || current.isReplaced
      || (since < current.version && since + 1 < current.firstLogged)
  }

  func finish() throws -> BatchPage<Storage> {
    guard let current else { throw SharedDatabaseError.spaceNotFound(space: space) }
    if isTrimmed { return .trimmed(current: current.version) }
    if origins.isEmpty {
      if since == current.version { return .batches([], current: current.version) }
      throw malformed("\(since + 1)", "version", "the log has a gap")
    }
    let decoded = try decoding.changes(of: since + 1...last, combining: combines)
    let batches = decoded.map { first, last, changes in
      LoggedBatch(
        version: last, origins: origins[Int(first - since - 1)..<Int(last - since)],
        changes: changes)
    }
    return .batches(batches, current: current.version)
  }
}
