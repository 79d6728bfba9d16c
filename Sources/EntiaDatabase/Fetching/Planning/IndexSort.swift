import Foundation

/// A sort of which every comparator is an index's own.
@usableFromInline
struct IndexSort<Entity: EntityType> {
  private let keys: [SortKey]
  /// The row behind which the fetch begins.
  let start: Entity?

  /// Returns `nil` when a comparator is none that an index has, or when there is no sort.
  init?(_ descriptor: FetchDescriptor<Entity>) {
    if descriptor.sortBy.isEmpty && descriptor.start == nil { return nil }
    guard descriptor.relatedSorts.isEmpty else { return nil }
    var keys: [SortKey] = []
    for sort in descriptor.sortBy {
      guard let path = sort.knownPath else { return nil }
      keys.append(SortKey(path: path, isReversed: sort.order == .reverse))
    }
    self.keys = keys
    if case .behind(let entity) = descriptor.start { start = entity } else { start = nil }
  }

  /// Whether an index has the sort's order, once its first fields are fixed: turned around (`true`),
  /// as it is (`false`), or not at all (`nil`). Ties are in the order of the IDs in both.
  func isServed(
    by fields: [IndexField<Entity>], fixing count: Int, _ conditions: FieldConditions
  ) -> Bool? {
    // What has one value in all rows sorts nothing.
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

  /// Whether an index has all rows in the sort's order: turned around (`true`), as it is (`false`), or
  /// not at all (`nil`).
  @usableFromInline
  func isServed(by index: some IndexType<Entity>) -> Bool? {
    guard index.coverage == .allRows else { return nil }
    let fields = index.fields
    guard fields.count == keys.count else { return nil }
    var isReversed: Bool?
    // By number, and with no key path of its own: in generic code those are made anew each time.
    for number in fields.indices {
      guard fields[number].isUsable,
        let isTurned = keys[number].isServed(by: fields[number], after: isReversed)
      else { return nil }
      isReversed = isTurned
    }
    return isReversed
  }
}

/// A comparator of a sort that an index may have.
private struct SortKey {
  let path: AnyKeyPath
  let isReversed: Bool

  /// Whether a field of an index has the comparator's order, turned around as those before it are.
  func isServed<Entity: EntityType>(by field: IndexField<Entity>, after known: Bool?) -> Bool? {
    guard let path = field.path, path as AnyKeyPath == self.path else { return nil }
    let isTurned = isReversed != field.isDescending
    return known ?? isTurned == isTurned ? isTurned : nil
  }
}
