package import EntiaCollections

/// An index that a fetch plan can search by values of its fields, whose types are not known.
package protocol SearchableIndex<Entity>: IndexType {
  /// Whether the found IDs are in the order of the fields, and then of the IDs.
  var isSorted: Bool { get }

  /// Whether a whole key has at most one entity.
  var isUnique: Bool { get }

  /// Returns the IDs of the entities whose first fields equal the values, one by one, and whose
  /// next field is between the bounds. The bounds are in the field's own order, regardless of its
  /// direction in the index.
  /// - Returns: The IDs, or `nil` when the index cannot be searched: a value is not of its
  ///   field's type, or an unsorted index is not given a whole key.
  func search(
    equal values: [Any], from lower: SortedBound<Any>, to upper: SortedBound<Any>
  ) -> FoundIDs<Entity>?
}

/// The IDs found by an index, in its order, for code that does not know the index's type.
package struct FoundIDs<Entity: EntityType>: Sendable {
  /// The number of IDs.
  package let count: Int
  private let visit: @Sendable (_ reversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Void

  init(
    count: Int,
    visit: @escaping @Sendable (_ reversed: Bool, _ body: (Entity.EntityID) -> Bool) -> Void
  ) {
    self.count = count
    self.visit = visit
  }

  init(_ ids: [Entity.EntityID]) {
    self.init(count: ids.count) { reversed, body in
      if reversed {
        for id in ids.reversed() where !body(id) { return }
      } else {
        for id in ids where !body(id) { return }
      }
    }
  }

  /// Calls the closure with each ID until it returns `false`.
  /// - Complexity: O(log *n* + *k*) for *k* calls.
  package func forEach(reversed: Bool = false, _ body: (Entity.EntityID) -> Bool) {
    visit(reversed, body)
  }
}

extension Indexes.Hash: SearchableIndex {
  package var isSorted: Bool { false }
  package var isUnique: Bool { false }

  package func search(
    equal values: [Any], from lower: SortedBound<Any>, to upper: SortedBound<Any>
  ) -> FoundIDs<Entity>? {
    guard values.count == 1, let key = values[0] as? Key else { return nil }
    return FoundIDs(ids(for: key))
  }
}

extension Indexes.Unique: SearchableIndex {
  package var isSorted: Bool { false }
  package var isUnique: Bool { true }

  package func search(
    equal values: [Any], from lower: SortedBound<Any>, to upper: SortedBound<Any>
  ) -> FoundIDs<Entity>? {
    guard values.count == 1, let key = values[0] as? Key else { return nil }
    return FoundIDs(ids(for: key))
  }
}
