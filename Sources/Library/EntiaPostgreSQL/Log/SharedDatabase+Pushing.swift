package import EntiaDatabase
import EntiaSharing
import EntiaStore
import Foundation

extension SharedDatabase: SharedLog {
  /// The maximum number of digits after the point of a position. A longer position causes a
  /// renumbering of the positions in the space.
  private static var longestPosition: Int64 { 120 }

  /// Commits a batch if it starts from the current version.
  /// - Throws: `SharedDatabaseError`.
  package func push(
    _ changes: StorageChangeSet<Storage>, client: ClientID, mutation: Int64, base: LogPosition
  ) async throws -> PushOutcome {
    let (space, parts, schemaVersion) = (space, parts, schemaVersion)
    try lastLoaded?.unreadable.check(changes, parts)
    try await noteMembers(of: changes)
    let push = try PushStatements(
      changes, client: client, mutation: mutation, base: base, schemaVersion: schemaVersion, parts)
    let (outcome, digits) = try await run { connection -> (PushOutcome, Int64) in
      // The push is retried if the reason for its refusal has ended, such as a schema that was
      // changed back.
      for _ in 0..<3 {
        do {
          let results = try connection.transact(push.statements)
          if results.first?.rows.isEmpty == false {
            let placing = results[push.firstPlacing...]
            let digits = placing.compactMap { $0.rows.first?.integer(at: 0) }.max() ?? 0
            return (.committed(version: base.version + 1), digits)
          }
        } catch let failure as PostgreSQLFailure where failure.code == "23505" {
          // A unique key is violated, because the mutation is already in the log, or because the
          // log has batches after the version of the space.
        }
        if let outcome = try Self.outcome(
          parts, schemaVersion, client: client, mutation: mutation, base: base, connection)
        {
          return (outcome, 0)
        }
        try Self.removeAbandoned(space, connection)
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

  /// Adds the members of changed tables to the space. Skips tables whose members this program has
  /// already added, and does nothing if the space has another schema version.
  /// - Throws: `SharedDatabaseError.schemaDiffers` for members with other types in the space.
  private func noteMembers(of changes: StorageChangeSet<Storage>) async throws {
    let members = MemberTypes(of: changes, except: notedTables.withLock { $0 })
    if members.isEmpty { return }
    let (space, schemaVersion) = (space, schemaVersion)
    let isNoted = try await run { connection in
      var former: String?
      while true {
        let header = try SpaceHeader(of: space, on: connection)
        // The space has another schema version, or this role cannot change it. In both cases, the
        // push that follows throws the error.
        if header.schemaVersion != schemaVersion || header.fingerprint == former { return false }
        let fingerprint = try members.added(to: header, space: space)
        if fingerprint == header.fingerprint { return true }
        let result = try connection.run(
          """
          UPDATE entia_space SET schema_fingerprint = $3
          WHERE space = $1 AND schema_fingerprint = $2 RETURNING space
          """, [space, header.fingerprint, fingerprint])
        if !result.rows.isEmpty { return true }
        // Another program has added members. The next iteration compares their types.
        former = header.fingerprint
      }
    }
    if isNoted { notedTables.withLock { $0.formUnion(members.tables) } }
  }

  /// Returns the outcome of a push that changed nothing, or `nil` if the push should be retried.
  private static func outcome(
    _ parts: SpaceParts<Storage>, _ schemaVersion: Int64, client: ClientID, mutation: Int64,
    base: LogPosition, _ connection: PostgreSQLConnection
  ) throws -> PushOutcome? {
    let space = parts.space
    let logged = try connection.run(
      """
      SELECT l.version FROM entia_log l JOIN entia_space s ON s.space = l.space
      WHERE l.space = $1 AND l.client = $2::uuid AND l.mutation = $3::bigint
        AND l.version <= s.version LIMIT 1
      """, [space, client.uuidString, "\(mutation)"])
    if let version = logged.rows.first?.integer(at: 0) { return .committed(version: version) }
    let header = try SpaceHeader(of: space, on: connection)
    guard header.schemaVersion == schemaVersion, header.partsFingerprint == parts.fingerprint
    else {
      throw SharedDatabaseError.schemaDiffers(
        space: space,
        reason: """
          it has schema version \(header.schemaVersion), and this program has version \
          \(schemaVersion): the space can be read, and not changed
          """)
    }
    if header.version != base.version { return .behind(current: header.version) }
    let replaced = try connection.run(
      "SELECT \(LogPosition.isReplaced(space: "$1", version: "$2", client: "$3", mutation: "$4"))",
      [space, "\(base.version)", base.client, base.mutation])
    return replaced.rows.first?.text(at: 0) == "t" ? .behind(current: header.version) : nil
  }

  /// Removes the batches after the version of the space. Such batches exist if the version was set
  /// back and the log was not.
  /// - Throws: `PostgreSQLFailure`.
  private static func removeAbandoned(
    _ space: String, _ connection: PostgreSQLConnection
  ) throws {
    _ = try connection.transact([
      SQLStatement("SELECT version FROM entia_space WHERE space = $1 FOR UPDATE", [space]),
      SQLStatement(
        """
        DELETE FROM entia_log l USING entia_space s
        WHERE s.space = $1 AND l.space = $1 AND l.version > s.version
        """, [space]),
    ])
  }

  /// Returns the greatest number of a committed mutation of a client, or 0 if there is none.
  /// - Throws: `SharedDatabaseError`.
  package func lastMutation(of client: ClientID) async throws -> Int64 {
    let space = space
    return try await run { connection in
      let result = try connection.run(
        """
        SELECT max(l.mutation) FROM entia_log l JOIN entia_space s ON s.space = l.space
        WHERE l.space = $1 AND l.client = $2::uuid AND l.version <= s.version
        """,
        [space, client.uuidString])
      return result.rows.first?.integer(at: 0) ?? 0
    }
  }

  /// Closes the connections. Calls in progress throw `SharedDatabaseError.isClosed`.
  public func close() async {
    thread.close()
    listener.close()
  }

  /// Returns hints that there may be new batches.
  package func wake() -> AsyncStream<Int64> { listener.hints() }
}

/// The types of the members of rows. All programs that write to a space must have the same types.
///
/// A space stores the types after its fingerprint, with a line for each member. When a program
/// first pushes a row of a table, it adds the members of that row. A program that lacks a member
/// leaves the member in the rows. A program that has the member with another type could not read
/// the rows.
struct MemberTypes: Sendable {
  private static let prefix = "member "

  /// The known members and their types, by table.
  private var types: [String: [StorageSchema.Field]] = [:]

  var isEmpty: Bool { types.isEmpty }
  var tables: Set<String> { Set(types.keys) }

  /// Creates the types of the members of rows that are inserted or updated by `changes`.
  /// - Parameter known: The tables to skip.
  init<Storage: NormalizedStorageType>(
    of changes: StorageChangeSet<Storage>, except known: Set<String>
  ) {
    var visitor = MemberVisitor(changes: changes, known: known)
    Storage.Contents.visitParts(&visitor)
    types = visitor.types
  }

  /// Returns the fingerprint of a space with added lines for the members that the space lacks.
  /// - Throws: `SharedDatabaseError.schemaDiffers` for a member with another type.
  func added(to header: SpaceHeader, space: String) throws -> String {
    var known: [Substring: Substring] = [:]
    for line in header.memberLines {
      let words = line.dropFirst(Self.prefix.count).split(separator: " ", maxSplits: 1)
      if words.count == 2 { known[words[0]] = words[1] }
    }
    var fingerprint = header.fingerprint
    for (table, members) in types.sorted(by: { $0.key < $1.key }) {
      for member in members {
        guard let type = known["\(table).\(member.name)"] else {
          fingerprint += "\n\(Self.prefix)\(table).\(member.name) \(member.type)"
          continue
        }
        guard type == member.type else {
          throw SharedDatabaseError.schemaDiffers(
            space: space,
            reason: """
              the member '\(member.name)' of \(table) is \(type) in the space and \
              \(member.type) in this program: give it another name, or raise the schema version in \
              the newer program
              """)
        }
      }
    }
    return fingerprint
  }

  /// An SQL expression for the text before the lines of members in the fingerprint of a space.
  static let fingerprintWithoutMembers = "split_part(schema_fingerprint, E'\\n\(prefix)', 1)"

  /// Splits a fingerprint into two results: the text before the lines of members, and these lines.
  static func split(_ fingerprint: String) -> (parts: String, members: [Substring]) {
    let lines = fingerprint.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.firstIndex { $0.hasPrefix(prefix) } ?? lines.endIndex
    return (lines[..<first].joined(separator: "\n"), Array(lines[first...]))
  }
}

private struct MemberVisitor<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  let known: Set<String>
  var types: [String: [StorageSchema.Field]] = [:]

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if known.contains(name) { return }
    let changes = changes.changes(of: Table.Entity.self)
    guard let row = changes.inserted.first ?? changes.updated.first?.new else { return }
    types[name] = StorageSchema.fields(of: row)
  }
}
