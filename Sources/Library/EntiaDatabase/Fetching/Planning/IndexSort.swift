import Foundation

/// A sort whose comparators can all be fields of an index.
@usableFromInline
struct IndexSort<Entity: EntityType> {
  private let keys: [SortKey]
  /// The row after which the fetch begins.
  private let start: Entity?

  /// Creates the sort. Returns `nil` when a comparator cannot be a field of an index, or when the
  /// fetch has no sort.
  init?(_ descriptor: FetchDescriptor<Entity>) {
    if descriptor.sortBy.isEmpty && descriptor.start == nil { return nil }
    guard descriptor.relatedSorts.isEmpty else { return nil }
    var keys: [SortKey] = []
    for sort in descriptor.sortBy {
      guard let path = sort.knownPath else { return nil }
      keys.append(SortKey(path: path, isReversed: sort.order == .reverse))
    }
    self.keys = keys
    start = descriptor.start?.cursor?.entity
  }

  /// Returns whether an index has the sort's order when its first fields are fixed: `false` for
  /// the same order, `true` for the reversed order, `nil` for another order. Equal keys are in
  /// the order of their IDs either way.
  func isServed(
    by fields: [IndexField<Entity>], fixing count: Int, _ conditions: FieldConditions
  ) -> Bool? {
    // A field with the same value in all rows does not affect the order.
    let keys = keys.filter { conditions.value(of: $0.path) == nil }
    let fields = fields.dropFirst(count)
    guard keys.count == fields.count else { return nil }
    var isReversed: Bool?
    for (key, field) in zip(keys, fields) {
      guard let isTurned = key.isServed(by: field, after: isReversed) else { return nil }
      isReversed = isTurned
    }
    return isReversed ?? false
  }

  /// Returns the row after which the traversal of an index with the sort's order may begin; `nil`
  /// to begin with the first row.
  ///
  /// If the row differs in a field of the sort that the conditions fix, this field may decide
  /// whether the rows of the index are before or after it, but is the same in all of them.
  func start(under conditions: FieldConditions) -> Entity? {
    guard let start else { return nil }
    let isPlaced = keys.allSatisfy { key in
      conditions.value(of: key.path).map { key.hasValue($0, in: start) } ?? true
    }
    return isPlaced ? start : nil
  }

  /// Returns whether an index has all rows in the sort's order: `false` for the same order,
  /// `true` for the reversed order, `nil` for another order.
  @usableFromInline
  func isServed(by index: some IndexType<Entity>) -> Bool? {
    guard index.coverage == .allRows else { return nil }
    let fields = index.fields
    guard fields.count == keys.count else { return nil }
    var isReversed: Bool?
    // By position, and without key path literals: generic code would create those on each call.
    for number in fields.indices {
      guard fields[number].isUsable,
        let isTurned = keys[number].isServed(by: fields[number], after: isReversed)
      else { return nil }
      isReversed = isTurned
    }
    return isReversed
  }
}

/// A comparator of a sort that can be a field of an index.
private struct SortKey {
  let path: AnyKeyPath
  let isReversed: Bool

  /// Returns whether a field of an index has the comparator's order, as `isServed` of a sort
  /// does. The result must be the same for all fields.
  func isServed<Entity: EntityType>(by field: IndexField<Entity>, after known: Bool?) -> Bool? {
    guard let path = field.path, path as AnyKeyPath == self.path else { return nil }
    let isTurned = isReversed != field.isDescending
    return known ?? isTurned == isTurned ? isTurned : nil
  }

  /// Returns whether an entity has a value in the field.
  func hasValue(_ wanted: Any, in entity: some EntityType) -> Bool {
    func isEqual(_ value: some Comparable) -> Bool { PartOrder(value, wanted) == .same }
    guard let value = entity[keyPath: path] as? any Comparable else {
      return wanted as? any Comparable == nil
    }
    return isEqual(value)
  }
}
