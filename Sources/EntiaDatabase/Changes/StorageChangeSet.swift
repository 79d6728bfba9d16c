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
  var tables: [ObjectIdentifier: any AnyTableChanges] = [:]

  /// The changes of the IDs that the user holds, by the names of their parts.
  var heldIDs: [String: any AnyTableChanges] = [:]

  /// Creates a change set that says nothing.
  public init() {}

  init(from old: Storage.Contents, to new: Storage.Contents) {
    var collector = ChangeCollector<Storage>(old: old, new: new)
    Storage.Contents.visitParts(&collector)
    self = collector.result
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
  /// Returns how this version differs from an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between strangers.
  public func changes(since old: Self) -> ChangeSet {
    if snapshot.isIdentical(to: old.snapshot) { return ChangeSet() }
    return ChangeSet(from: old.snapshot.contents, to: snapshot.contents)
  }
}

private struct ChangeCollector<Storage: NormalizedStorageType>: StorageVisitor {
  let old: Storage.Contents
  let new: Storage.Contents
  var result = StorageChangeSet<Storage>()

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Table> & Sendable
  ) {
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    if after.isIdentical(to: before) { return }
    let changes = after.changes(since: before)
    if !changes.isEmpty { result.tables[ObjectIdentifier(Table.Entity.self)] = changes }
  }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Storage.Contents, Index> & Sendable
  ) {
    guard Index.self is any HeldIDs.Type else { return }
    func changes<IDs: HeldIDs>(_ after: IDs, _ before: any Sendable) -> (any AnyTableChanges)? {
      guard let before = before as? IDs, !after.isIdentical(to: before), after != before else {
        return nil
      }
      return HeldIDsChanges(old: before, new: after)
    }
    if let ids = new[keyPath: path] as? any HeldIDs {
      result.heldIDs[name] = changes(ids, old[keyPath: path])
    }
  }
}
