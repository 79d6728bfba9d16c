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
