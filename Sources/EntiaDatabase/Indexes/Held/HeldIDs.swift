/// IDs that the user holds in a database: a part of its value, unlike what follows from rows.
///
/// An ID is there only while its entity is.
public protocol HeldIDs<Entity>: IndexType, Sequence, Equatable where Element == Entity.EntityID {
  /// Creates a part without IDs.
  init()

  /// Whether an ID is held.
  func contains(_ id: Entity.EntityID) -> Bool

  /// Whether two are the same version, sharing everything; `true` means surely equal.
  func isIdentical(to other: Self) -> Bool

  /// Puts an ID last, or into the set, unless it is held.
  mutating func hold(_ id: Entity.EntityID)

  /// Lets an ID go.
  /// - Returns: whether it was held.
  @discardableResult
  mutating func forget(_ id: Entity.EntityID) -> Bool

  /// Brings in how another version differs from one that both come from.
  mutating func merge(_ changes: HeldIDsChanges<Self>)
}

extension HeldIDs {
  /// Removes the IDs that the other version removed and inserts those that it inserted.
  /// - Complexity: O(*n*) in the number of IDs of the other version.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    for id in changes.removed { forget(id) }
    for id in changes.inserted { hold(id) }
  }

  /// None: the IDs are the user's choice.
  public var fields: [IndexField<Entity>] { [] }

  /// Some rows.
  public var coverage: IndexCoverage { .acceptedRows }

  /// Lets the ID of a removed row go.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { forget(old.entityID) }
  }

  /// Lets go of every ID.
  public mutating func removeAll() { self = Self() }

  /// Lets the IDs go whose entities are not among the rows.
  /// - Complexity: O(*n*).
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var missing = Swift.Set(self)
    if missing.isEmpty { return }
    visitRows { missing.remove($0.entityID) }
    for id in missing { forget(id) }
  }

  /// Returns the IDs that are held without their entities.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    filter { !rebuilt.contains($0) }.map { IndexMismatch(entity: EntityLabel($0), key: "") }
  }
}

/// How IDs that the user holds differ from an older version of them.
public struct HeldIDsChanges<IDs: HeldIDs>: Equatable, Sendable {
  /// The IDs as they were.
  public let old: IDs
  /// The IDs as they are.
  public let new: IDs

  /// Whether nothing changed.
  public var isEmpty: Bool { old == new }

  /// The IDs that came, in the order of the newer version.
  /// - Complexity: O(*n*) in the number of IDs.
  public var inserted: [IDs.Entity.EntityID] { new.filter { !old.contains($0) } }

  /// The IDs that went, in the order of the older version.
  /// - Complexity: O(*n*) in the number of IDs.
  public var removed: [IDs.Entity.EntityID] { old.filter { !new.contains($0) } }
}

extension HeldIDsChanges {
  /// Returns the IDs with these changes.
  /// - Parameters:
  ///   - ids: The IDs as they are, after rows have been removed with their IDs.
  ///   - before: The IDs as they were before.
  func applied(to ids: IDs, before: IDs) -> IDs {
    if before == old || before == new { return new }
    // Merged as they were before: which IDs have moved follows from the whole list.
    var result = before
    result.merge(self)
    for id in before where !ids.contains(id) { result.forget(id) }
    return result
  }
}

extension HeldIDsChanges: AnyTableChanges {
  @usableFromInline
  var idHashes: [UInt64] { [] }

  @usableFromInline
  var count: Int { isEmpty ? 0 : Swift.max(1, inserted.count + removed.count) }
  @usableFromInline
  var invertedChanges: any AnyTableChanges { Self(old: new, new: old) }

  @usableFromInline
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges {
    guard let later = later as? Self else { return self }
    return Self(old: old, new: later.new)
  }

  @usableFromInline
  func isEqual(to other: any AnyTableChanges) -> Bool { other as? Self == self }

  /// How many IDs came and went, as in `Book IDs: 2 inserted, 1 removed`.
  public var description: String {
    "\(IDs.Entity.entityName) IDs: \(inserted.count) inserted, \(removed.count) removed"
      + (inserted.isEmpty && removed.isEmpty && !isEmpty ? ", reordered" : "")
  }
}

extension StorageChangeSet {
  /// The changes of IDs that the user holds; `nil` when nothing changed.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: any WritableKeyPath<Storage.Contents, IDs> & Sendable
  ) -> HeldIDsChanges<IDs>? {
    var search = HeldIDsSearch<Storage.Contents, IDs>(path: path)
    Storage.Contents.visitParts(&search)
    return search.name.flatMap { heldIDs[$0] as? HeldIDsChanges<IDs> }
  }
}

/// Finds the name of the part that a path leads to.
private struct HeldIDsSearch<Contents: StorageContents, IDs: HeldIDs>: StorageVisitor {
  let path: any WritableKeyPath<Contents, IDs> & Sendable
  var name: String?

  init(path: any WritableKeyPath<Contents, IDs> & Sendable) { self.path = path }

  mutating func index<Index: IndexType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Index> & Sendable
  ) {
    if path as AnyKeyPath == self.path as AnyKeyPath { self.name = name }
  }
}
