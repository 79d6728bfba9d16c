import EntiaCoding
import EntiaCollections
package import EntiaDatabase

/// The rows of a space or a file that this program cannot read. The program leaves these rows
/// unchanged, and shares the other rows.
package struct UnreadableRows: Sendable {
  /// The rows, in the order in which they were read.
  package private(set) var rows: [SkippedRow] = []
  /// The keys of the rows, by part.
  private(set) var keys: [String: Set<String>] = [:]
  /// The first row of each part.
  private(set) var firstRows: [String: SkippedRow] = [:]

  /// Creates an empty collection.
  package init() {}

  package var isEmpty: Bool { rows.isEmpty }
  /// The names of the parts of the rows.
  package var parts: Set<String> { Set(keys.keys) }

  /// Adds a row that cannot be read.
  /// - Parameters:
  ///   - part: The name of the part.
  ///   - key: The key of the row in the server.
  ///   - error: The error that was thrown by reading the row.
  package mutating func add(_ part: String, key: String, _ error: any Error) {
    let (column, reason) = SharedDatabaseError.place(of: error)
    add(SkippedRow(table: part, row: key, column: column, reason: reason), of: part, key: key)
  }

  /// Adds a row that cannot be read.
  /// - Parameters:
  ///   - row: The row.
  ///   - part: The name of the part.
  ///   - key: The key of the row in a server; `nil` if its ID cannot be read.
  package mutating func add(_ row: SkippedRow, of part: String, key: String?) {
    rows.append(row)
    if firstRows[part] == nil { firstRows[part] = row }
    keys[part, default: []].formUnion(key.map { [$0] } ?? [])
  }

  /// Returns the key of an ID in a server; `nil` for an ID that cannot be encoded.
  package static func key<Entity: EntityType>(
    of id: Entity.EntityID, in entity: Entity.Type
  ) -> String? {
    do {
      return try PartCoding.ids(of: entity, in: "", space: "").key(id)
    } catch {
      // A row with this ID cannot be pushed, because its ID cannot be encoded.
      return nil
    }
  }

  /// Checks that a batch cannot break an unreadable row. A batch is refused in seven cases:
  ///
  /// - The batch inserts or removes a row with the same ID.
  /// - The batch removes a row that the unreadable row may reference.
  /// - The batch changes the order of the unreadable row's table.
  /// - The batch inserts a row into this table, and the table is ordered.
  /// - The batch gives a row of this table a new key of a unique index.
  /// - The batch changes what the rows of this table reference through a relationship that limits
  ///   the number of holders.
  /// - The batch changes a part of held IDs in which an ID is unreadable.
  /// - Throws: `SharedDatabaseError.cannotEncode`.
  package func check<Storage: NormalizedStorageType>(
    _ changes: StorageChangeSet<Storage>, _ parts: SpaceParts<Storage>
  ) throws {
    if isEmpty { return }
    var check = UnreadableCheck(unreadable: self, changes: changes, parts: parts)
    Storage.Contents.visitParts(&check)
    check.isPastTables = true
    Storage.Contents.visitParts(&check)
    if let error = check.error { throw error }
  }
}

private struct UnreadableCheck<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let unreadable: UnreadableRows
  let changes: StorageChangeSet<Storage>
  let parts: SpaceParts<Storage>
  /// The contents of an empty database.
  let contents = Storage().snapshot.contents
  var isPastTables = false
  var error: (any Error)?
  /// The names of the tables with unreadable rows, by entity type. `tables` has the names of all
  /// tables.
  private var unreadableTables: [ObjectIdentifier: String] = [:]
  private var tables: [ObjectIdentifier: String] = [:]

  init(
    unreadable: UnreadableRows, changes: StorageChangeSet<Storage>, parts: SpaceParts<Storage>
  ) {
    (self.unreadable, self.changes, self.parts) = (unreadable, changes, parts)
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard !isPastTables else { return }
    tables[ObjectIdentifier(Table.Entity.self)] = name
    guard let keys = unreadable.keys[name] else { return }
    unreadableTables[ObjectIdentifier(Table.Entity.self)] = name
    let changes = changes.changes(of: Table.Entity.self)
    if Table.isOrdered, !changes.order.isEmpty || !changes.inserted.isEmpty {
      return refuse(name, "order", "its place among the rows is unknown", of: name)
    }
    guard let coding = parts.coding(of: name, Table.Entity.self) else { return }
    // If a row with the same ID is removed, other programs can read the row that is unreadable now.
    for row in changes.inserted + changes.removed {
      do {
        if keys.contains(try coding.key(row)) {
          return refuse(name, coding.label(row), "it has the same ID", of: name)
        }
      } catch {
        // The error is ignored here, because encoding the row for the push fails too. The error
        // thrown then names the row and the column.
        return
      }
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard !isPastTables, unreadable.keys[name] != nil,
      changes.heldIDsChanges(of: name, IDs.self) != nil
    else { return }
    refuse(name, "order", "its place among the IDs is unknown", of: name)
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard isPastTables, let table = unreadableTables[ObjectIdentifier(Index.Entity.self)]
    else { return }
    let changes = changes.changes(of: Index.Entity.self)
    let index = contents[keyPath: path]
    let row =
      changes.inserted.first { index.hasNewUniqueKey(from: nil, to: $0) }
      ?? changes.updated.first { index.hasNewUniqueKey(from: $0.old, to: $0.new) }?.new
    guard let row else { return }
    refuse(table, "\(row.entityID.raw)", "it may have the same key of \(name)", of: table)
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard isPastTables,
      let holders = unreadableTables[ObjectIdentifier(Relationship.Holder.self)]
    else { return }
    if let table = tables[ObjectIdentifier(Relationship.Target.self)],
      let row = changes.changes(of: Relationship.Target.self).removed.first
    {
      return refuse(table, "\(row.entityID.raw)", "it may reference the removed row", of: holders)
    }
    let relationship = contents[keyPath: path]
    if relationship.holderLimits == .any { return }
    func targets(_ holder: Relationship.Holder) -> Set<Relationship.Target.EntityID> {
      Set(relationship.targetIDs(of: holder))
    }
    let changes = changes.changes(of: Relationship.Holder.self)
    let row =
      (changes.inserted + changes.removed).first { !targets($0).isEmpty }
      ?? changes.updated.first { targets($0.old) != targets($0.new) }?.new
    guard let row else { return }
    refuse(
      holders, "\(row.entityID.raw)", "it may reference the same row through \(name)", of: holders)
  }

  private mutating func refuse(
    _ part: String, _ row: String, _ reason: String, of unreadablePart: String
  ) {
    guard error == nil, let first = unreadable.firstRows[unreadablePart]
    else { return }
    error = SharedDatabaseError.cannotEncode(
      space: parts.space, entity: part, row: row, column: nil,
      reason: "this program cannot read row \(first.row) of \(first.table), and \(reason)")
  }
}

extension SharedDatabaseError {
  /// Creates the error for a row whose `encode(to:)` threw `error`.
  static func encoding(
    space: String, entity: String, row: String, _ error: any Error
  ) -> Self {
    let (column, reason) = place(of: error)
    return .cannotEncode(
      space: space, entity: entity, row: row, column: column, reason: reason)
  }

  /// Creates the error for a row whose `init(from:)` threw `error`.
  static func decoding(
    space: String, entity: String, row: String, _ error: any Error
  ) -> Self {
    let (column, reason) = place(of: error)
    return .cannotDecode(
      space: space, entity: entity, row: row, column: column, reason: reason)
  }

  /// Returns the member and the reason of an error of `Codable`.
  static func place(of error: any Error) -> (column: String?, reason: String) {
    let (path, reason): ([any CodingKey], String) =
      switch error {
      case let error as LossyCoding: (error.path.map { NamedKey($0) }, error.reason)
      case DecodingError.keyNotFound(let key, let context):
        (context.codingPath + [key], context.debugDescription)
      case DecodingError.valueNotFound(_, let context),
        DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      default: ([], "\(error)")
      }
    let names = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
    return (names.isEmpty ? nil : names.joined(separator: "."), reason)
  }
}
