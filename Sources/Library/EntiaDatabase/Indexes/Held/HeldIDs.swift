public import EntiaCollections

/// *Held IDs*: IDs that the app chooses, such as the IDs of favorites. They are part of the
/// database's value, unlike indexes that are derived from the rows.
///
/// At the end of a batch, an ID is held only if its entity exists.
///
/// The protocol is for generic code over `Indexes.OrderedID` and `Indexes.Set`. Other types cannot
/// conform to it.
public protocol HeldIDs<Entity>: IndexType, DistinctIDs, Equatable
where Element == Entity.EntityID {
  /// The proof that the type is one of Entia's.
  static var seal: Seal<Self> { get }

  /// Creates an empty collection of held IDs.
  init()

  /// Whether both are the same version and share all storage; `true` implies that they are equal.
  func isIdentical(to other: Self) -> Bool

  /// Appends an ID to the list, or inserts it into the set, unless it is held.
  mutating func insert(_ id: Entity.EntityID)

  /// Removes an ID.
  /// - Returns: Whether it was held.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Bool

  /// Returns the IDs that only one of two versions has. The IDs in `inserted` are only in this
  /// version, and the IDs in `removed` only in `old`. Each list is in the order of its version.
  func differences(
    from old: Self
  ) -> (inserted: [Entity.EntityID], removed: [Entity.EntityID])

  /// Merges the changes that another version made since a common version.
  mutating func merge(_ changes: HeldIDsChanges<Self>)
}

extension HeldIDs {
  /// Removes the IDs that `changes` lists as removed, and inserts those that it lists as inserted.
  /// - Complexity: O(changes · log *n*) for versions of one history.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    let (inserted, removed) = changes.new.differences(from: changes.old)
    for id in removed { remove(id) }
    for id in inserted { insert(id) }
  }

  /// The traits of an index that has no fields and contains only some of the rows.
  public var traits: IndexTraits<Entity> { .withoutFields }

  /// Removes the ID of a removed row.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { remove(old.entityID) }
  }

  /// Removes every ID.
  package mutating func removeAll() { self = Self() }

  /// Removes the IDs whose entities are not among the rows.
  /// - Complexity: O(*n*).
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var missing = Swift.Set(self)
    if missing.isEmpty { return }
    visitRows { missing.remove($0.entityID) }
    for id in missing { remove(id) }
  }

  /// Returns the held IDs whose entities are missing: those that `rebuilt` does not contain.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    filter { !rebuilt.contains($0) }.map { IndexMismatch(entity: EntityLabel($0), key: "") }
  }
}

extension HeldIDs where Entity.EntityIDRawType: Encodable {
  /// Encodes the IDs as an array, in their order.
  /// - Throws: The error that encoding an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for id in self { try container.encode(id) }
  }
}

extension HeldIDs where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of IDs. Only the first of repeated IDs is kept.
  /// - Throws: The error that decoding an ID throws.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Entity.EntityID.self)) }
  }
}

// The set algebra of held IDs as values. `HeldIDsEditor` changes the held IDs of a database.
extension HeldIDs {
  /// Returns these IDs, followed by the IDs in `other` that are not among these IDs.
  /// - Parameter other: Other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  public func union(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other { result.insert(id) }
    return result
  }

  /// Returns the IDs of this collection that are also in `other`.
  /// - Parameter other: Other IDs, which may repeat.
  /// - Complexity: O(*k* + *n* log *n*) expected, where *k* is the number of IDs in `other`.
  public func intersection(_ other: some Sequence<Entity.EntityID>) -> Self {
    let other = Swift.Set(other)
    var result = self
    for id in self where !other.contains(id) { result.remove(id) }
    return result
  }

  /// Returns the IDs of this collection that are not in `other`.
  /// - Parameter other: Other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  public func subtracting(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other { result.remove(id) }
    return result
  }

  /// Returns the IDs that are either in this collection or in `other`, but not in both. The IDs of
  /// this collection come first.
  /// - Parameter other: Other IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of IDs in `other`.
  public func symmetricDifference(_ other: some Sequence<Entity.EntityID>) -> Self {
    var result = self
    for id in other {
      if contains(id) { result.remove(id) } else { result.insert(id) }
    }
    return result
  }
}

/// The difference between the held IDs and an older version of them.
public struct HeldIDsChanges<IDs: HeldIDs>: Equatable, Sendable {
  /// The old IDs.
  public let old: IDs
  /// The new IDs.
  public let new: IDs

  /// Whether nothing changed.
  public var isEmpty: Bool { old == new }

  /// The inserted IDs, in the order of the newer version.
  /// - Complexity: O(changes · log *n*) for versions of one history.
  public var inserted: [IDs.Entity.EntityID] { new.differences(from: old).inserted }

  /// The removed IDs, in the order of the older version.
  /// - Complexity: O(changes · log *n*) for versions of one history.
  public var removed: [IDs.Entity.EntityID] { new.differences(from: old).removed }
}

extension HeldIDsChanges {
  /// Returns held IDs with these changes applied.
  /// - Parameters:
  ///   - ids: The current IDs, without those of rows removed since `before`.
  ///   - before: The IDs before the rows changed.
  func applied(to ids: IDs, before: IDs) -> IDs {
    if before == old || before == new { return new }
    // The merge needs all IDs before the change to determine which IDs moved. `ids` lacks the IDs
    // of removed rows. The changes are therefore merged into `before`, and the IDs of removed rows
    // are removed afterwards.
    var result = before
    result.merge(self)
    for id in ids.differences(from: before).removed { result.remove(id) }
    return result
  }
}

extension HeldIDsChanges: AnyTableChanges, CustomStringConvertible {
  @usableFromInline
  var count: Int {
    if isEmpty { return 0 }
    let (inserted, removed) = new.differences(from: old)
    return Swift.max(1, inserted.count + removed.count)
  }
  @usableFromInline
  var invertedChanges: any AnyTableChanges { Self(old: new, new: old) }

  @usableFromInline
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges {
    guard let later = later as? Self else { return self }
    return Self(old: old, new: later.new)
  }

  @usableFromInline
  func isEqual(to other: any AnyTableChanges) -> Bool { other as? Self == self }

  @usableFromInline
  func lines(limit: Int) -> [String] { [] }

  /// The number of inserted and removed IDs, as in `Book IDs: 2 inserted, 1 removed`.
  public var description: String {
    let (inserted, removed) = new.differences(from: old)
    return "\(IDs.Entity.entityName) IDs: \(inserted.count) inserted, \(removed.count) removed"
      + (inserted.isEmpty && removed.isEmpty && !isEmpty ? ", reordered" : "")
  }

  @usableFromInline var summary: String { description }
}
