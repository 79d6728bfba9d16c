import Foundation

/// A sort whose comparators can all be fields of an index.
@usableFromInline
struct IndexSort<Entity: EntityType> {
  private let keys: [SortKey]
  /// The row after which the fetch begins.
  private let start: Entity?

  /// Creates the sort. Returns `nil` if a comparator cannot be a field of an index, or if the fetch
  /// has neither a sort nor a page.
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

  /// Compares the sort with the order of an index whose first fields are fixed. Returns `false` for
  /// the same order, `true` for the reversed order, and `nil` for another order. Equal keys are in
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
  /// The result is also `nil` if `conditions` require a value of a sorted field, and `start` has
  /// another value. In this case, `start` may be before or after all traversed rows.
  func start(under conditions: FieldConditions) -> Entity? {
    guard let start else { return nil }
    let isPlaced = keys.allSatisfy { key in
      conditions.value(of: key.path).map { key.hasValue($0, in: start) } ?? true
    }
    return isPlaced ? start : nil
  }

  /// Compares the sort with the order of an index that contains all rows. Returns `false` for the
  /// same order, `true` for the reversed order, and `nil` for another order or a partial index.
  @usableFromInline
  func isServed(by index: some IndexType<Entity>) -> Bool? {
    guard index.coverage == .allRows else { return nil }
    let fields = index.fields
    guard fields.count == keys.count else { return nil }
    var isReversed: Bool?
    // No key path literal such as `\.isUsable` is used here, because generic code would create the
    // key path on each call.
    for number in fields.indices {
      guard fields[number].isUsable,
        let isTurned = keys[number].isServed(by: fields[number], after: isReversed)
      else { return nil }
      isReversed = isTurned
    }
    return isReversed
  }
}

/// A comparator of a sort, as the key path and the direction of an index field.
private struct SortKey {
  let path: AnyKeyPath
  let isReversed: Bool

  /// Compares the comparator with the order of a field of an index. Returns `false` for the same
  /// order, and `true` for the reversed order. Returns `nil` if the field has another key path, or
  /// if the result would differ from `known`. `known` is the result for the preceding fields.
  func isServed<Entity: EntityType>(by field: IndexField<Entity>, after known: Bool?) -> Bool? {
    guard let path = field.path, path as AnyKeyPath == self.path else { return nil }
    let isTurned = isReversed != field.isDescending
    return known ?? isTurned == isTurned ? isTurned : nil
  }

  /// Returns whether an entity has the value `wanted` in the field.
  func hasValue(_ wanted: Any, in entity: some EntityType) -> Bool {
    func isEqual(_ value: some Comparable) -> Bool { PartOrder(value, wanted) == .same }
    guard let value = entity[keyPath: path] as? any Comparable else {
      return wanted as? any Comparable == nil
    }
    return isEqual(value)
  }
}
