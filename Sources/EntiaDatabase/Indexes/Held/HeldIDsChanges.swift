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
