import EntiaDatabase

/// A source of entities that knows where they differ from what they were.
protocol QuerySource<Entity>: StateSource where Value == [Entity] {
  associatedtype Entity: EntityType

  /// Where a result differs from the one before; `nil` where they have to be compared.
  func step(from old: Snapshot<[Entity]>, to new: Snapshot<[Entity]>) -> LiveFetchStep?
}

extension QuerySource {
  /// How the entities differ from what an observer was told before.
  func difference(_ changes: Changes<[Entity]>) -> QueryDifference<Entity> {
    let (new, old) = (changes.current, changes.former)
    if let old, let step = step(from: old, to: new) {
      return QueryDifference(from: old.value, to: new.value, step)
    }
    return QueryDifference(from: old?.value ?? [], to: new.value)
  }
}
