import EntiaCollections
import EntiaDatabase
import Foundation

/// A table of a database, with the type of its entities erased.
struct TableHandle<Storage: NormalizedStorageType> {
  /// A changed row in the old and the new version; `nil` where the row is absent.
  typealias Transition = (old: AnyRow?, new: AnyRow?)

  let name: String
  let entity: ObjectIdentifier
  /// Whether the order is a part of equality and of the changes.
  let isOrdered: Bool
  let rows: (Storage.Contents) -> [AnyRow]
  let find: (Storage.Contents, AnyRowID) -> AnyRow?
  /// Replaces the rows of the table with these rows, in this order.
  let refill: (inout Storage.Contents, [AnyRow]) -> Void
  let transitions: (Storage.ChangeSet) -> [AnyRowID: Transition]
  /// Returns the rows that a change set lists as moved.
  let moved: (Storage.ChangeSet) -> [AnyRowID]
  /// Returns the expected differing keys of a change set: the key of the table, and the key of each
  /// inserted, removed or updated row.
  let keys: (Storage.ChangeSet) -> [DifferingKeys.Key]
  let stagedRows: (borrowing BatchContext<Storage>) -> [AnyRow]
  let stagedFind: (borrowing BatchContext<Storage>, AnyRowID) -> AnyRow?
  let insert: (inout BatchContext<Storage>, AnyRow) -> Void
  let remove: (inout BatchContext<Storage>, AnyRowID) -> Void
  /// Returns the root that makes an eviction keep a row.
  let root: (AnyRowID) -> CollectionRoot?
  /// Reorders the rows of an ordered table to match the keys.
  let reorder: (inout BatchContext<Storage>, [AnyRowID]) -> Void
}

/// A relationship of a database, with the types of its ends erased.
struct RelationshipHandle<Storage: NormalizedStorageType> {
  let name: String
  let holder: ObjectIdentifier
  let target: ObjectIdentifier
  let onDelete: (Storage.Contents) -> NullableDeleteRule
  let onHolderDelete: (Storage.Contents) -> HolderDeleteRule
  let countLimits: (Storage.Contents) -> CountLimits
  let holderLimits: (Storage.Contents) -> CountLimits
  let targets: (Storage.Contents, AnyRow) -> [AnyRowID]
  let holders: (Storage.Contents, AnyRowID) -> [AnyRowID]
  let linkedTargets: (Storage.Contents) -> [AnyRowID]
}

/// An index of a database, with its type erased.
struct IndexHandle<Storage: NormalizedStorageType> {
  let name: String
  /// Returns the differences between the index and an index that is rebuilt from the rows of its
  /// entity type.
  let mismatches: (Storage.Contents, [AnyRow]) -> [IndexMismatch]
  /// Returns the differences between the index and a rebuilt index, inside a batch.
  let stagedMismatches: (borrowing BatchContext<Storage>, [AnyRow]) -> [IndexMismatch]
}

/// A collection of held IDs, with its type erased.
struct HeldIDsHandle<Storage: NormalizedStorageType> {
  let name: String
  /// Whether the order is a part of equality.
  let isOrdered: Bool
  let ids: (Storage.Contents) -> [AnyRowID]
  /// Replaces the held IDs with those of other contents.
  let replace: (inout BatchContext<Storage>, Storage.Contents) -> Void
}

/// The parts of a database.
struct CheckedParts<Storage: NormalizedStorageType>: RebuildableIndexVisitor {
  typealias Contents = Storage.Contents

  private(set) var tables: [TableHandle<Storage>] = []
  private(set) var relationships: [RelationshipHandle<Storage>] = []
  private(set) var indexes: [IndexHandle<Storage>] = []
  private(set) var heldIDs: [HeldIDsHandle<Storage>] = []

  init() { Contents.visitParts(&self) }

  func table(of key: AnyRowID) -> TableHandle<Storage>? { tables.first { $0.entity == key.entity } }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    typealias Entity = Table.Entity
    func id(_ key: AnyRowID) -> Entity.EntityID? { key.id.base as? Entity.EntityID }
    tables.append(
      TableHandle(
        name: name, entity: ObjectIdentifier(Entity.self), isOrdered: Table.isOrdered,
        rows: { $0[keyPath: path].map(AnyRow.init) },
        find: { contents, key in
          id(key).flatMap { contents[keyPath: path].find(by: $0) }.map(AnyRow.init)
        },
        refill: { contents, rows in
          contents[keyPath: path] = Table(rows.compactMap { $0.entity as? Entity })
        },
        transitions: { changes in
          let changes = changes.changes(of: Entity.self)
          var result: [AnyRowID: TableHandle<Storage>.Transition] = [:]
          for entity in changes.inserted {
            result[AnyRowID(entity.entityID)] = (nil, AnyRow(entity))
          }
          for entity in changes.removed {
            result[AnyRowID(entity.entityID)] = (AnyRow(entity), nil)
          }
          for update in changes.updated {
            result[AnyRowID(update.entityID)] = (AnyRow(update.old), AnyRow(update.new))
          }
          return result
        },
        moved: { $0.changes(of: Entity.self).moved.map { AnyRowID($0.entityID) } },
        keys: { changes in
          let changes = changes.changes(of: Entity.self)
          if changes.isEmpty { return [] }
          let type = ObjectIdentifier(Entity.self)
          let ids =
            (changes.inserted + changes.removed).map(\.entityID) + changes.updated.map(\.entityID)
          return [.table(type)] + ids.map { .row(type, idHash: $0.tableHash) }
        },
        stagedRows: { $0.modifying[dynamicMember: path].allEntities().map(AnyRow.init) },
        stagedFind: { context, key in
          let table = context.modifying[dynamicMember: path]
          return id(key).flatMap { table.contains($0) ? table.find(by: $0) : nil }.map(AnyRow.init)
        },
        insert: { context, row in
          if let entity = row.entity as? Entity {
            context.modifying[dynamicMember: path].insert(entity)
          }
        },
        remove: { context, key in
          if let id = id(key) { context.modifying[dynamicMember: path].remove(id) }
        },
        root: { key in id(key).map { .entity($0) } },
        reorder: { context, keys in
          let ids = keys.compactMap(id)
          context.modifying[dynamicMember: path].arrange(
            TableOrderChanges(
              taken: [],
              placed: ids.enumerated().map { .init(entityID: $0.element, position: $0.offset) }))
        }))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    relationships.append(
      RelationshipHandle(
        name: name, holder: ObjectIdentifier(Relationship.Holder.self),
        target: ObjectIdentifier(Relationship.Target.self),
        onDelete: { $0[keyPath: path].onDelete },
        onHolderDelete: { $0[keyPath: path].onHolderDelete },
        countLimits: { $0[keyPath: path].countLimits },
        holderLimits: { $0[keyPath: path].holderLimits },
        targets: { contents, row in
          guard let holder = row.entity as? Relationship.Holder else { return [] }
          return contents[keyPath: path].targetIDs(of: holder).map { AnyRowID($0) }
        },
        holders: { contents, key in
          guard let id = key.id.base as? Relationship.Target.EntityID else { return [] }
          return contents[keyPath: path].holderIDs(of: id).map { AnyRowID($0) }
        },
        linkedTargets: { $0[keyPath: path].linkedTargetIDs.map { AnyRowID($0) } }))
  }

  mutating func rebuildableIndex<Index: RebuildableIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    func mismatches(_ index: Index, _ rows: [AnyRow]) -> [IndexMismatch] {
      var rebuilt = index
      rebuilt.rebuild { visit in
        for row in rows {
          if let entity = row.entity as? Index.Entity { visit(entity) }
        }
      }
      return index.mismatches(from: rebuilt)
    }
    let isHeld = Index.self is any HeldIDs.Type
    indexes.append(
      IndexHandle(
        name: name, mismatches: { mismatches($0[keyPath: path], $1) },
        // Inside a batch, an ID may be held before its row is inserted.
        stagedMismatches: { isHeld ? [] : mismatches($0.modifying[dynamicMember: path], $1) }))
    if !isHeld { return }
    func keys<IDs: HeldIDs>(_ ids: IDs) -> [AnyRowID] { ids.map { AnyRowID($0) } }
    heldIDs.append(
      HeldIDsHandle(
        name: name, isOrdered: Index.self == Indexes.OrderedID<Index.Entity>.self,
        ids: { ($0[keyPath: path] as? any HeldIDs).map { keys($0) } ?? [] },
        replace: { $0.replaceHeldIDs(at: path, by: $1[keyPath: path]) }))
  }
}

/// Checks the code that is generated for an entity, with some of its rows.
struct GeneratedRow {
  let encoder: JSONEncoder
  let decoder: JSONDecoder

  /// Checks the generated code of a row. The code must write the same form as the row's `Codable`
  /// conformance, and must read an equal row from this form. A merge must take the members that
  /// only one side changed.
  /// - Parameters:
  ///   - row: The row.
  ///   - other: Another row of its table.
  /// - Throws: `LawFailure` if a check fails.
  func check(_ row: some EntityType, beside other: (any EntityType)?) throws {
    guard let generated = row as? any RowCodable & EntityType else { return }
    try checkForms(of: generated)
    try checkMerge(of: generated, with: other)
  }

  private func checkForms<Row: RowCodable & EntityType>(of row: Row) throws {
    let data = try encoder.encode(CodedEntity(row))
    let label = "\(EntityLabel(row.entityID))"
    // Transient members are not encoded, so they are restored before the comparison.
    let members = RowMembers<Row>()
    let read = try decoder.decode(CodedEntity<Row>.self, from: data).row
    try require(
      haveSameValue(members.restored(read, row), row),
      "\(label) is written and read as \(read)")
    let other = try encoder.encode(row)
    try require(
      other == data,
      """
      \(label) is written as \(String(decoding: data, as: UTF8.self)), and by Codable as \
      \(String(decoding: other, as: UTF8.self))
      """)
    let decoded = try decoder.decode(Row.self, from: data)
    try require(haveSameValue(decoded, read), "\(label) is decoded by Codable as \(decoded)")
  }

  private func checkMerge<Row: RowCodable & EntityType>(
    of row: Row, with other: (any EntityType)?
  ) throws {
    let changed = other as? Row ?? row
    var merger = RowMerger()
    let (theirs, mine) = (
      Row(merging: row, with: changed, base: row, by: &merger),
      Row(merging: changed, with: row, base: row, by: &merger)
    )
    try require(
      haveSameValue(theirs, changed) && haveSameValue(mine, changed) && merger.conflicts.isEmpty,
      "\(changed), merged with its unchanged version \(row), is \(theirs) or \(mine)")
  }
}
