package import EntiaCollections

/// An index that can be asked by values of its fields, where their types are not known: what a plan
/// for a fetch is made with.
package protocol SearchableIndex<Entity>: IndexType {
  /// Whether the IDs that it gives are in the order of its fields, and then of the IDs.
  var isSorted: Bool { get }

  /// Whether a whole key leads to one entity at most.
  var isUnique: Bool { get }

  /// Returns the IDs of the entities of which the first fields equal the values, one by one, and the
  /// field that follows lies between the bounds, in the field's own order whatever its direction.
  /// - Returns: `nil` when the index cannot say: a value is not of its field's type, or an unsorted
  ///   index is not given a whole key.
  func search(
    equal values: [Any], from lower: SortedBound<Any>, to upper: SortedBound<Any>
  ) -> FoundIDs<Entity>?
}

/// IDs that an index gives, in its order, where the index's type is not known.
package struct FoundIDs<Entity: EntityType>: Sendable {
  /// How many IDs there are.
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

  /// Calls the closure with one ID after the other until it returns `false`.
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
