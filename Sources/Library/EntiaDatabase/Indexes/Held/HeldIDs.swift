/// IDs that the user holds in a database. They are part of its value, unlike indexes, which are
/// derived from the rows.
///
/// At the end of a batch, an ID is held only if its entity exists.
///
/// The protocol is for generic code over `Indexes.OrderedID` and `Indexes.Set`. Other types cannot
/// conform to it.
public protocol HeldIDs<Entity>: IndexType, Sequence, Equatable where Element == Entity.EntityID {
  /// The proof that the type is one of Entia's.
  static var seal: Seal<Self> { get }

  /// Creates an empty collection of held IDs.
  init()

  /// Whether an ID is held.
  func contains(_ id: Entity.EntityID) -> Bool

  /// Whether two are the same version and share all storage; `true` implies that they are equal.
  func isIdentical(to other: Self) -> Bool

  /// Appends an ID to the list, or inserts it into the set, unless it is held.
  mutating func insert(_ id: Entity.EntityID)

  /// Removes an ID.
  /// - Returns: Whether it was held.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Bool

  /// Merges the difference between another version and a common one.
  mutating func merge(_ changes: HeldIDsChanges<Self>)
}

extension HeldIDs {
  /// Removes the IDs that the other version removed and inserts those that it inserted.
  /// - Complexity: O(*n*) in the number of IDs of the other version.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    for id in changes.removed { remove(id) }
    for id in changes.inserted { insert(id) }
  }

  /// Empty, because held IDs do not depend on fields.
  public var fields: [IndexField<Entity>] { [] }

  /// Some of the rows.
  public var coverage: IndexCoverage { .acceptedRows }

  /// Removes the ID of a removed row.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { remove(old.entityID) }
  }

  /// Removes every ID.
  public mutating func removeAll() { self = Self() }

  /// Removes the IDs whose entities are not among the rows.
  /// - Complexity: O(*n*).
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var missing = Swift.Set(self)
    if missing.isEmpty { return }
    visitRows { missing.remove($0.entityID) }
    for id in missing { remove(id) }
  }

  /// Returns the IDs that are held without their entities.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    filter { !rebuilt.contains($0) }.map { IndexMismatch(entity: EntityLabel($0), key: "") }
  }
}
