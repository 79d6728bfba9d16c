import EntiaDatabase

/// A source of entities that can return the difference between two results.
protocol QuerySource<Entity>: StateSource where Value == [Entity] {
  associatedtype Entity: EntityType

  /// Returns the positions at which a result differs from the previous one, or `nil` if the results
  /// have to be compared.
  func step(from old: StateVersion<[Entity]>, to new: StateVersion<[Entity]>) -> LiveFetchStep?
}

extension QuerySource {
  /// Returns the difference between the result and that of an observer's previous call.
  func difference(_ changes: Changes<[Entity]>) -> QueryDifference<Entity> {
    let (new, old) = (changes.current, changes.former)
    if let old, let step = step(from: old, to: new) {
      return QueryDifference(from: old.value, to: new.value, step)
    }
    return QueryDifference(from: old?.value ?? [], to: new.value)
  }
}
