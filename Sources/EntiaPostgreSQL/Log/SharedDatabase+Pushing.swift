package import EntiaDatabase
import Foundation

extension SharedDatabase: SharedLog {
  /// The number of digits of a position from which the positions of a space are numbered anew.
  private static var longestPosition: Int64 { 120 }

  /// Commits a batch if it starts from the current version.
  /// - Throws: `SharedDatabaseError`.
  package func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: Int64
  ) async throws -> PushOutcome {
    let (space, parts, schemaVersion) = (space, parts, schemaVersion)
    let push = try PushStatements(
      changes, client: client, mutation: mutation, base: base, schemaVersion: schemaVersion, parts)
    let (outcome, digits) = try await run { connection -> (PushOutcome, Int64) in
      // The schema may have been changed and back in between.
      for _ in 0..<3 {
        do {
          let results = try connection.transact(push.statements)
          if results.first?.rows.isEmpty == false {
            let placing = results[push.firstPlacing...]
            let digits = placing.compactMap { $0.rows.first?.integer(at: 0) }.max() ?? 0
            return (.committed(version: base + 1), digits)
          }
        } catch let failure as PostgreSQLFailure where failure.code == "23505" {
          // The mutation is in the log.
        }
        if let outcome = try Self.outcome(
          parts, schemaVersion, client: client, mutation: mutation, base: base, connection)
        {
          return (outcome, 0)
        }
      }
      throw SharedDatabaseError.unavailable(
        space: space, code: "40001", reason: "the space changes while it is compared")
    }
    if case .committed(let version) = outcome {
      listener.announce(version)
      if digits > Self.longestPosition { renumber() }
      if version % retention.interval == 0 { trim(after: version) }
    }
    return outcome
  }

  /// Returns the outcome of a push that changed nothing, or `nil` when the reason has passed.
  private static func outcome(
    _ parts: SpaceParts<Storage>, _ schemaVersion: Int64, client: ClientID, mutation: Int64,
    base: Int64, _ connection: PostgreSQLConnection
  ) throws -> PushOutcome? {
    let space = parts.space
    // The log is read first: a version that it contains is not greater than that of the space.
    let logged = try connection.run(
      """
      SELECT version FROM entia_log
      WHERE space = $1 AND client = $2::uuid AND mutation = $3::bigint LIMIT 1
      """, [space, client.uuidString, "\(mutation)"])
    if let version = logged.rows.first?.integer(at: 0) { return .committed(version: version) }
    let header = try SpaceHeader(of: space, on: connection)
    guard header.schemaVersion == schemaVersion, header.fingerprint == parts.fingerprint else {
      throw SharedDatabaseError.schemaDiffers(
        space: space,
        reason: """
          it has schema version \(header.schemaVersion), and this program has version \
          \(schemaVersion): the space can be read, and not changed
          """)
    }
    return header.version == base ? nil : .behind(current: header.version)
  }

  /// Returns the greatest number of a committed mutation of a client, or 0 when there is none.
  /// - Throws: `SharedDatabaseError`.
  package func lastMutation(of client: ClientID) async throws -> Int64 {
    let space = space
    return try await run { connection in
      let result = try connection.run(
        "SELECT max(mutation) FROM entia_log WHERE space = $1 AND client = $2::uuid",
        [space, client.uuidString])
      return result.rows.first?.integer(at: 0) ?? 0
    }
  }

  /// Closes the connections. Calls that are under way throw `SharedDatabaseError.isClosed`.
  public func close() async {
    thread.close()
    listener.close()
  }

  /// Returns hints that there may be new batches.
  package func wake() -> AsyncStream<Int64> { listener.hints() }
}
