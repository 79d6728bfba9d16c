/// The difference between the held IDs and an older version of them.
public struct HeldIDsChanges<IDs: HeldIDs>: Equatable, Sendable {
  /// The old IDs.
  public let old: IDs
  /// The new IDs.
  public let new: IDs

  /// Whether nothing changed.
  public var isEmpty: Bool { old == new }

  /// The inserted IDs, in the order of the newer version.
  /// - Complexity: O(*n*) in the number of IDs.
  public var inserted: [IDs.Entity.EntityID] { new.filter { !old.contains($0) } }

  /// The removed IDs, in the order of the older version.
  /// - Complexity: O(*n*) in the number of IDs.
  public var removed: [IDs.Entity.EntityID] { old.filter { !new.contains($0) } }
}

extension HeldIDsChanges {
  /// Returns the IDs with these changes.
  /// - Parameters:
  ///   - ids: The current IDs, without those of rows removed since `before`.
  ///   - before: The IDs before the rows changed.
  func applied(to ids: IDs, before: IDs) -> IDs {
    if before == old || before == new { return new }
    // The changes are merged into the complete list, because moved IDs are determined by all of its
    // IDs. Removed rows are removed afterwards.
    var result = before
    result.merge(self)
    for id in before where !ids.contains(id) { result.remove(id) }
    return result
  }
}

extension HeldIDsChanges: AnyTableChanges {
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

  @usableFromInline
  func lines(limit: Int) -> [String] { [] }

  /// The number of inserted and removed IDs, as in `Book IDs: 2 inserted, 1 removed`.
  public var description: String { summary }

  @usableFromInline var summary: String {
    "\(IDs.Entity.entityName) IDs: \(inserted.count) inserted, \(removed.count) removed"
      + (inserted.isEmpty && removed.isEmpty && !isEmpty ? ", reordered" : "")
  }
}
