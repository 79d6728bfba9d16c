import EntiaCollections
import Foundation

/// An index that stores rows in the order of a key.
protocol OrderedIndex<Entity>: IndexType {
  /// The number of rows in the index.
  var count: Int { get }

  /// Returns the ranks of the rows with these values of the first fields, and with the next field
  /// between the bounds. Returns `nil` if a value is not of its field's type. Also returns `nil` if
  /// the index is partial and empty, because the types cannot be checked then.
  func ranks(_ values: [Any], _ lower: ConditionBound, _ upper: ConditionBound) -> Range<Int>?

  /// Calls the closure with the IDs of a traversal until it returns `false`. In a reversed
  /// traversal, greater keys are first. Equal keys are in the order of their IDs in both
  /// directions.
  func walk(_ walk: IndexWalk<Entity>, _ body: (Entity.EntityID) -> Bool)
}

/// A traversal of a part of an index.
struct IndexWalk<Entity: EntityType> {
  let ranks: Range<Int>
  /// The number of leading fields that have the same value in all traversed rows.
  var fixedCount = 0
  let isReversed: Bool
  /// The row after which the traversal begins; `nil` to begin with the first row. The row is
  /// compared by its ID and by the fields after the first `fixedCount` fields.
  let start: Entity?
}

extension Indexes.Sorted: OrderedIndex {
  func ranks(_ values: [Any], _ lower: ConditionBound, _ upper: ConditionBound) -> Range<Int>? {
    // Without an entry to compare with, the type of a value cannot be checked.
    if tree.isEmpty, coverage != .allRows { return nil }
    var lower = lower
    var upper = upper
    // In a descending field, greater values are first, so the upper bound is the start.
    if values.count < fields.count, fields[values.count].isDescending { swap(&lower, &upper) }
    var isUnusable = false
    func position(of key: Key, _ bound: Any?) -> Int {
      for (part, value) in values.enumerated() {
        guard let result = compare(key, part, value) else {
          isUnusable = true
          return 0
        }
        if result != 0 { return result }
      }
      guard let bound else { return 0 }
      guard let result = compare(key, values.count, bound) else {
        isUnusable = true
        return 0
      }
      return result
    }
    let start =
      switch lower {
      case .unbounded: tree.rank { position(of: $0.key, nil) < 0 }
      case .including(let bound): tree.rank { position(of: $0.key, bound) < 0 }
      case .excluding(let bound): tree.rank { position(of: $0.key, bound) <= 0 }
      }
    let end =
      switch upper {
      case .unbounded: tree.rank { position(of: $0.key, nil) <= 0 }
      case .including(let bound): tree.rank { position(of: $0.key, bound) <= 0 }
      case .excluding(let bound): tree.rank { position(of: $0.key, bound) < 0 }
      }
    return isUnusable ? nil : start..<Swift.max(start, end)
  }

  /// Compares a part of a key with a value in the order of the index; `nil` when their types
  /// differ. NaN is last.
  private func compare(_ key: Key, _ part: Int, _ value: Any) -> Int? {
    let order: PartOrder? =
      if let key = key as? any NumberedParts {
        key.order(ofPart: part, against: value)
      } else {
        part == 0 ? PartOrder(key, value) : nil
      }
    return order.map { order in
      switch order {
      case .before: -1
      case .same: 0
      case .after, .unordered: 1
      }
    }
  }

  func walk(_ walk: IndexWalk<Entity>, _ body: (Entity.EntityID) -> Bool) {
    var ranks = walk.ranks
    if let start = walk.start, let key = startKey(of: walk, at: start) {
      let entry = SortedEntry(key: key, id: start.entityID)
      let start = tree.rank { !Order.precedes(entry, $0) }
      if walk.isReversed {
        // The traversal begins with the entities that have the same key as the start row and
        // greater IDs.
        let group = (start..<tree.countThrough(key)).clamped(to: ranks)
        for rank in tree[group] { if !body(rank.id) { return } }
        ranks = ranks.clamped(to: 0..<tree.countBelow(key))
      } else {
        ranks = ranks.clamped(to: start..<Swift.max(start, tree.count))
      }
    }
    visit(ranks, isReversed: walk.isReversed, body)
  }

  /// Returns the key after which a traversal begins, or `nil` if the row `start` has no key. The
  /// first `fixedCount` parts of the key are taken from the traversed rows, and the other parts
  /// from `start`.
  private func startKey(of walk: IndexWalk<Entity>, at start: Entity) -> Key? {
    guard walk.fixedCount > 0, let first = tree[walk.ranks].first?.key else {
      return keyReader.key(of: start)
    }
    if walk.fixedCount == fields.count { return first }
    return keyReader.key(of: start).map { combinedKey(walk.fixedCount, of: first, then: $0) }
  }
}

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

  /// Compares the sort with the order of an index whose first `count` fields have fixed values.
  /// Returns `false` for the same order, `true` for the reversed order, and `nil` for another
  /// order. Equal keys are in the order of their IDs in both directions.
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

  /// Returns the row after which a traversal may begin in an index with the order of the sort;
  /// `nil` to begin with the first row.
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

  /// Compares the comparator with the order of a field of an index.
  /// - Parameter known: The result for the preceding fields; `nil` if there is none.
  /// - Returns: `false` if the orders are equal, and `true` if one is the reverse of the other.
  ///   `nil` if the field has another key path, or if the result would differ from `known`.
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
