import EntiaCoding
import EntiaDatabase
import EntiaSharing
import EntiaStore
import Foundation

/// Collects the rows of a space by part, and creates a database from them.
struct SpaceLoading<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  private let parts: SpaceParts<Storage>
  private let keys: KeyCheck
  /// The elements of each part.
  private var collectors: [String: any RowCollecting] = [:]
  private var contents = Storage().snapshot.contents
  private var failure: (any Error)?
  private var isFinishing = false
  private var text = FormText()
  /// The rows that cannot be decoded.
  private(set) var unreadable = UnreadableRows()
  /// The rows whose keys contain former names of members of the ID. Each element is an array of the
  /// name of the part, the stored key, and the key with the current names.
  private(set) var formerKeys: [JSONValue] = []

  init(_ parts: SpaceParts<Storage>, _ keys: KeyCheck) {
    (self.parts, self.keys) = (parts, keys)
    Contents.visitParts(&self)
  }

  /// Adds a row from its columns, which are the part, the key and the body. Ignores rows of parts
  /// that the storage does not have.
  /// - Throws: `SharedDatabaseError.cannotDecode` if a column is `NULL`.
  mutating func add(_ row: StreamedRow) throws {
    guard let part = row.text(at: 0), let key = row.text(at: 1), let body = row.bytes(at: 2) else {
      throw SharedDatabaseError.cannotDecode(
        space: parts.space, entity: "entia_row", row: row.text(at: 1) ?? "NULL", column: nil,
        reason: "a column is NULL")
    }
    guard let collector = collectors[part] else { return }
    let currentKey = keys == .replacesFormer ? collector.currentKey(key) : key
    if currentKey != key {
      formerKeys.append(.array([.string(part), .string(key), .string(currentKey)]))
    }
    do {
      // If a row has kept its decoder, the decoder still needs the text.
      if !isKnownUniquelyReferenced(&text) { text = FormText() }
      text.removeAll()
      try collector.add(keys == .none ? nil : currentKey, text, try text.append(body))
    } catch {
      unreadable.add(part, key: currentKey, error)
    }
  }

  /// Returns the database with the collected rows.
  /// - Throws: `SharedDatabaseError`, `BatchError.refused`.
  func finish() throws -> Storage {
    var finishing = self
    finishing.isFinishing = true
    Contents.visitParts(&finishing)
    if let failure = finishing.failure { throw failure }
    return try Storage(validating: finishing.contents)
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard failure == nil, let coding = parts.coding(of: name, Table.Entity.self) else { return }
    guard isFinishing else {
      collectors[name] = RowCollector(coding: coding)
      return
    }
    guard let collector = collectors[name] as? RowCollector<Table.Entity> else { return }
    let table = Table(collector.elements)
    if table.count != collector.elements.count {
      failure = repeated(collector.elements, name)
    }
    contents[keyPath: path] = table
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    typealias ID = IDs.Entity.EntityID
    guard failure == nil, let coding = parts.coding(of: name, ID.self) else { return }
    guard isFinishing else {
      collectors[name] = RowCollector(coding: coding)
      return
    }
    guard let collector = collectors[name] as? RowCollector<ID> else { return }
    var held = IDs()
    for id in collector.elements { held.insert(id) }
    contents[keyPath: path] = held
  }

  private func repeated<Entity: EntityType>(
    _ rows: [Entity], _ part: String
  ) -> SharedDatabaseError {
    var seen: Set<Entity.EntityID> = []
    let row = rows.first { !seen.insert($0.entityID).inserted }
    return .cannotDecode(
      space: parts.space, entity: part, row: row.map { $0.entityID.description } ?? "",
      column: "id", reason: "two rows have this ID")
  }
}

/// How a load treats the keys of rows. The key of a composite ID contains the names of its members.
enum KeyCheck {
  /// Each row must have the key of its ID, because batches find the row by this key.
  case exact
  /// Keys with former names of members are replaced in the space. The load marks the space with the
  /// schema version of this program. From then on, only programs with the current names write.
  case replacesFormer
  /// Keys are not checked, because a newer program may have stored keys with other names of
  /// members. This program only reads the space.
  case none
}

/// The collected elements of a part, independent of their type.
private protocol RowCollecting: AnyObject {
  /// Adds an element. If `key` is not `nil`, the element must have this key.
  func add(_ key: String?, _ text: FormText, _ node: Int) throws
  /// Returns the key with the current names of the members of the ID.
  func currentKey(_ key: String) -> String
}

private final class RowCollector<Element>: RowCollecting {
  private let coding: PartCoding<Element>
  private(set) var elements: [Element] = []

  init(coding: PartCoding<Element>) { self.coding = coding }

  func add(_ key: String?, _ text: FormText, _ node: Int) throws {
    let element = try coding.decode(text, node)
    if let key, case let expected = try coding.key(element), expected != key {
      // For example, the tool `entia` has copied a UUID in lower case from JSON.
      let isSpelling = expected.lowercased() == key.lowercased()
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [NamedKey("id")],
          debugDescription: "the row has the ID \(expected) in its body"
            + (isSpelling ? ": push it in this spelling" : "")))
    }
    elements.append(element)
  }

  func currentKey(_ key: String) -> String {
    // Only the keys of composite IDs contain names of members.
    guard key.utf8.first == UInt8(ascii: "{") else { return key }
    do {
      return try coding.currentKey(key)
    } catch {
      // The row keeps its key. `add(_:_:_:)` throws an error for the row, because of its key.
      return key
    }
  }
}

extension SharedDatabase {
  /// The result of the last load.
  package var lastLoaded: SharedVersion<Storage>? { loaded.withLock { $0 } }

  /// Returns the database of the current version, without the rows that cannot be read.
  /// - Throws: `SharedDatabaseError`.
  package func loadVersion() async throws -> SharedVersion<Storage> {
    try await loadVersion(onBrokenRow: .skip)
  }

  /// Returns the database of the current version. If the schema version of the space is older than
  /// that of this program, marks the space with the program's version.
  ///
  /// A program that cannot load the space does not mark it, so that older programs can correct the
  /// rows.
  /// - Throws: `SharedDatabaseError`.
  func loadVersion(onBrokenRow policy: BrokenRowPolicy) async throws -> SharedVersion<Storage> {
    let (space, parts, schemaVersion) = (space, parts, schemaVersion)
    let version = try await run { connection in
      let isOlder = try SpaceHeader(of: space, on: connection).schemaVersion < schemaVersion
      if isOlder {
        // The lock prevents older programs from committing a batch between the reading of the rows
        // and the marking of the space with the new schema version. A batch of an older program
        // might violate rules that only this program has. No program could correct the batch.
        try connection.run("BEGIN")
        try connection.run("SELECT FROM entia_space WHERE space = $1 FOR UPDATE", [space])
      } else {
        // The transaction reads one version of all tables, even if reading takes long.
        try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      }
      try connection.run("SET LOCAL enable_seqscan = on")
      let header = try SpaceHeader(of: space, on: connection)
      try header.check(parts, schemaVersion)
      // Another program may have marked the space before this transaction locked it.
      let marks = header.schemaVersion < schemaVersion
      let (version, formerKeys) = try Self.version(
        header, parts,
        marks ? .replacesFormer : header.schemaVersion > schemaVersion ? .none : .exact, connection)
      if policy == .throw, let row = version.unreadable.rows.first {
        throw SharedDatabaseError.cannotDecode(
          space: space, entity: row.table, row: row.row, column: row.column, reason: row.reason)
      }
      if marks { try Self.mark(parts, schemaVersion, replacing: formerKeys, connection) }
      try connection.run("COMMIT")
      return version
    }
    loaded.replace { $0 = version }
    return version
  }

  /// Reads the rows of a version, in a transaction.
  private static func version(
    _ header: SpaceHeader, _ parts: SpaceParts<Storage>, _ keys: KeyCheck,
    _ connection: PostgreSQLConnection
  ) throws -> (version: SharedVersion<Storage>, formerKeys: [JSONValue]) {
    let origin = try origin(of: header.version, in: parts.space, connection)
    var loading = SpaceLoading<Storage>(parts, keys)
    try connection.streamRows(of: parts.space) { try loading.add($0) }
    let version = SharedVersion(
      storage: try loading.finish(),
      position: LogPosition(version: header.version, origin: origin),
      unreadable: loading.unreadable)
    return (version, loading.formerKeys)
  }

  /// Marks a space that has an older schema version with the version of this program. Replaces
  /// keys that contain former names of members.
  private static func mark(
    _ parts: SpaceParts<Storage>, _ schemaVersion: Int64, replacing formerKeys: [JSONValue],
    _ connection: PostgreSQLConnection
  ) throws {
    for text in JSONChunks.texts(of: formerKeys) {
      try connection.run(
        """
        UPDATE entia_row r SET id = e->>2 FROM jsonb_array_elements($2::jsonb) e
        WHERE r.space = $1 AND r.entity = e->>0 AND r.id = e->>1
        """, [parts.space, text])
    }
    try connection.run(
      """
      UPDATE entia_space SET schema_version = $2::bigint, schema_fingerprint = $3
      WHERE space = $1 AND schema_version < $2::bigint
      """, [parts.space, "\(schemaVersion)", parts.fingerprint])
  }

  /// Returns the origin of the batch that led to a version, or `nil` if the log does not contain
  /// the batch.
  /// - Throws: `PostgreSQLFailure`.
  private static func origin(
    of version: Int64, in space: String, _ connection: PostgreSQLConnection
  ) throws -> BatchOrigin? {
    let result = try connection.run(
      """
      SELECT client, mutation FROM entia_log
      WHERE space = $1 AND version = $2::bigint AND part = 0
      """, [space, "\(version)"])
    guard let row = result.rows.first, let text = row.text(at: 0),
      let client = ClientID(uuidString: text), let mutation = row.integer(at: 1)
    else { return nil }
    return BatchOrigin(client: client, mutation: mutation)
  }
}

/// The header of a space, which is its row in `entia_space`.
struct SpaceHeader: Sendable {
  let version: Int64
  /// The version of the first batch that the log contains.
  let firstLogged: Int64
  let schemaVersion: Int64
  let fingerprint: String

  /// The part of the fingerprint before the lines of the members.
  var partsFingerprint: String { MemberTypes.split(fingerprint).parts }
  /// The lines of the members in the fingerprint.
  var memberLines: [Substring] { MemberTypes.split(fingerprint).members }

  /// Whether the part with this name has held IDs, in the program that created the space.
  func hasHeldIDs(in part: String) -> Bool {
    partsFingerprint.split(separator: "\n").contains { $0.hasPrefix("held IDs \(part) of ") }
  }

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
      """
      SELECT version, first_logged, schema_version, schema_fingerprint
      FROM entia_space WHERE space = $1
      """, [space])
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
      try Self.header(space, parts, schemaVersion, connection).check(parts, schemaVersion)
    }
  }

  private static func header(
    _ space: String, _ parts: SpaceParts<Storage>, _ schemaVersion: Int64,
    _ connection: PostgreSQLConnection
  ) throws -> SpaceHeader {
    if let header = try SpaceHeader(ifExists: space, on: connection) { return header }
    _ = try connection.insertSpace(space, schemaVersion: schemaVersion, parts.fingerprint)
    return try SpaceHeader(of: space, on: connection)
  }
}

extension PostgreSQLConnection {
  /// Adds a space, unless it exists.
  /// - Returns: Whether the role has the right to add it.
  /// - Throws: `PostgreSQLFailure`.
  func insertSpace(
    _ space: String, schemaVersion: Int64, _ fingerprint: String
  ) throws(PostgreSQLFailure) -> Bool {
    do throws(PostgreSQLFailure) {
      try run(
        """
        INSERT INTO entia_space (space, schema_version, schema_fingerprint)
        VALUES ($1, $2::bigint, $3) ON CONFLICT DO NOTHING
        """, [space, "\(schemaVersion)", fingerprint])
      return true
    } catch {
      // SQLSTATE 42501: the role has no right to insert, or row-level security denies it.
      if error.code == "42501" { return false }
      throw error
    }
  }

  /// Calls a closure with the part, the key and the body of each row of a space, part by part, in
  /// the order of the rows.
  /// - Throws: `PostgreSQLFailure`, and the error of the closure.
  func streamRows(of space: String, _ row: (StreamedRow) throws -> Void) throws {
    try stream(
      """
      SELECT entity, id, body::text FROM entia_row WHERE space = $1
      ORDER BY entity, position, id
      """, [space], row: row)
  }
}

extension SpaceHeader {
  /// Checks that the space has the parts of a program. Checks nothing if the schema versions of
  /// the space and of the program differ.
  /// - Throws: `SharedDatabaseError.schemaDiffers`.
  fileprivate func check<Storage: NormalizedStorageType>(
    _ parts: SpaceParts<Storage>, _ schemaVersion: Int64
  ) throws(SharedDatabaseError) {
    guard self.schemaVersion == schemaVersion, partsFingerprint != parts.fingerprint else { return }
    throw .schemaDiffers(
      space: parts.space,
      reason: """
        \(parts.difference(from: partsFingerprint)), and both have schema version \
        \(schemaVersion): raise it in the newer program
        """)
  }
}
