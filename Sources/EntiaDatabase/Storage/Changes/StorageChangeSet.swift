/// How a version of a database differs from an older one: one member a table, by the table's name.
///
/// ```swift
/// let changes = library.changes(since: before)
/// changes.books.inserted
/// changes.isEmpty
/// ```
@dynamicMemberLookup
public struct StorageChangeSet<Storage: NormalizedStorageType>: Sendable {
  /// The changes of the tables that did change, by entity type.
  @usableFromInline var tables: [ObjectIdentifier: any AnyTableChanges] = [:]

  /// The changes of the IDs that the user holds, by the names of their parts.
  var heldIDs: [String: any AnyTableChanges] = [:]

  /// The references that dangle in one of the versions because of the differing rows, by the names of
  /// their relationships.
  @usableFromInline var dangling: [String: any AnyDanglingReferences] = [:]

  /// Creates a change set that says nothing.
  @inlinable
  public init() {}

  @inlinable
  init(from old: Snapshot<Storage.Contents>, to new: Snapshot<Storage.Contents>) {
    defer { withExtendedLifetime((old, new)) {} }
    self.init(from: old.box.place, to: new.box.place, old.box.layout)
  }

  /// Creates the changes between contents that somebody else keeps as they are.
  @inlinable
  init(
    from old: UnsafePointer<Storage.Contents>, to new: UnsafePointer<Storage.Contents>,
    _ layout: ContentsLayout
  ) {
    var collector = ChangeCollector<Storage>(old, new, offsets: layout.tables)
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
    var collector = HeldIDsCollector<Storage>(old: old.pointee, new: new.pointee)
    Storage.Contents.visitParts(&collector)
    heldIDs = collector.changes
  }

  /// The changes of one table.
  public subscript<Table: TableType>(
    dynamicMember path: KeyPath<Storage.Contents, Table>
  ) -> TableChanges<Table.Entity> { changes(of: Table.Entity.self) }

  /// Returns the changes of the table of an entity type.
  public func changes<Entity: EntityType>(of entity: Entity.Type) -> TableChanges<Entity> {
    tables[ObjectIdentifier(entity)] as? TableChanges<Entity> ?? TableChanges()
  }

  /// Whether nothing changed in any table.
  public var isEmpty: Bool { tables.isEmpty && heldIDs.isEmpty }

  /// How many entities changed in all tables, and held IDs came or went.
  public var count: Int {
    tables.values.reduce(0) { $0 + $1.count } + heldIDs.values.reduce(0) { $0 + $1.count }
  }
}

extension NormalizedStorageType {
  // A requirement with one answer for all: code that does not know the type, as a store's, reaches what
  // was compiled with it.

  /// Returns how this version differs from an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  @inlinable
  public func changes(since old: Self) -> StorageChangeSet<Self> {
    let (before, after) = (old.snapshot, snapshot)
    if after.isIdentical(to: before) { return StorageChangeSet() }
    return StorageChangeSet(from: before, to: after)
  }
}
