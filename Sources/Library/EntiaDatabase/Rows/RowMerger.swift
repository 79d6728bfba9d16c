public import EntiaCollections

/// Merges the members of two versions of a row, one by one.
public struct RowMerger: Sendable {
  /// The names of the members that both versions changed in different ways.
  package private(set) var conflicts: [String] = []

  /// Creates a merger of one row.
  package init() {}

  /// Returns the version of a member that one side changed; mine if neither or both did.
  @inlinable
  public mutating func merged<Value: Equatable>(
    _ name: StaticString, _ mine: Value, _ theirs: Value, base: Value
  ) -> Value {
    if haveSameValue(theirs, base) { return mine }
    if haveSameValue(mine, base) || haveSameValue(mine, theirs) { return theirs }
    addConflict(name)
    return mine
  }

  @inline(never)
  @usableFromInline
  mutating func addConflict(_ name: StaticString) { conflicts.append(name.description) }
}
