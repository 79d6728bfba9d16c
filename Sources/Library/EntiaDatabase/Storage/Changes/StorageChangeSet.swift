/// The difference between a version of a database and an older one: one member for each table,
/// with the table's name.
///
/// ```swift
/// let changes = library.changes(since: before)
/// changes.books.inserted
/// changes.isEmpty
/// ```
@dynamicMemberLookup
public struct StorageChangeSet<Storage: NormalizedStorageType>: Sendable {
  /// The changes of the changed tables, by entity type.
  @usableFromInline var tables: [ObjectIdentifier: any AnyTableChanges] = [:]

  /// The changes of the IDs that the user holds, by the names of their parts.
  var heldIDs: [String: any AnyTableChanges] = [:]

  /// The references that dangle in one of the versions because of the changed rows, by the names
  /// of their relationships.
  @usableFromInline var dangling: [String: any AnyDanglingReferences] = [:]

  /// Creates an empty change set.
  @inlinable
  public init() {}

  @inlinable
  init(from old: Snapshot<Storage.Contents>, to new: Snapshot<Storage.Contents>) {
    defer { withExtendedLifetime((old, new)) {} }
    self.init(from: old.box.address, to: new.box.address, old.box.layout)
  }

  /// Creates the changes between contents that the caller keeps alive and unchanged.
  @inlinable
  init(
    from old: UnsafePointer<Storage.Contents>, to new: UnsafePointer<Storage.Contents>,
    _ layout: ContentsLayout
  ) {
    var collector = ChangeCollector<Storage>(
      pairs: TablePairs(old, new, offsets: layout.tables))
    Storage.Contents.visitParts(&collector)
    self = collector.result
    if layout.hasHeldIDs { noteHeldIDs(from: old, to: new) }
    if tables.isEmpty { return }
    var references = DanglingCollector<Storage>(old, new, layout, tables)
    Storage.Contents.visitParts(&references)
    dangling = references.result
  }

  @usableFromInline
  mutating func noteHeldIDs(
    from old: UnsafePointer<Storage.Contents>, to new: UnsafePointer<Storage.Contents>
  ) {
    var collector = HeldIDsCollector(old: old.pointee, new: new.pointee)
    Storage.Contents.visitParts(&collector)
    heldIDs = collector.changes
  }

  /// The changes of one table.
  public subscript<Table: TableType>(
    dynamicMember path: KeyPath<Storage.Contents, Table>
  ) -> TableChanges<Table.Entity> { knownChanges(of: Table.Entity.self) ?? TableChanges() }

  /// Returns the changes of the table of an entity type, which the database must have.
  public func changes<Entity: EntityType>(of entity: Entity.Type) -> TableChanges<Entity> {
    if let changes = knownChanges(of: entity) { return changes }
    Storage.Contents.requireTable(of: entity)
    return TableChanges()
  }

  private func knownChanges<Entity: EntityType>(of entity: Entity.Type) -> TableChanges<Entity>? {
    tables[ObjectIdentifier(entity)] as? TableChanges<Entity>
  }

  /// Whether no table and no held IDs changed.
  public var isEmpty: Bool { tables.isEmpty && heldIDs.isEmpty }

  /// The number of changed entities in all tables, plus the number of changed held IDs.
  public var count: Int {
    tables.values.reduce(0) { $0 + $1.count } + heldIDs.values.reduce(0) { $0 + $1.count }
  }
}

extension NormalizedStorageType {
  // A requirement with one implementation for all types: generic code, such as that of a store,
  // then calls the version that was specialized for the type.

  /// Returns the difference between this version and an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   databases.
  @inlinable
  public func changes(since old: Self) -> StorageChangeSet<Self> {
    let (before, after) = (old.snapshot, snapshot)
    if after.isIdentical(to: before) { return StorageChangeSet() }
    return StorageChangeSet(from: before, to: after)
  }
}
