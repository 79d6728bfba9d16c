import EntiaCollections

/// A field of an entity that both sides may have changed, whatever its type.
struct MergeField<Entity: EntityType>: Sendable {
  /// Copies the field from one entity to another.
  let copy: @Sendable (_ source: Entity, _ result: inout Entity) -> Void
  /// Gives the result what changed; `false` when both sides changed it, each in its own way.
  let merge:
    @Sendable (_ base: Entity, _ mine: Entity, _ theirs: Entity, _ result: inout Entity) -> Bool

  static func list<each Value: Equatable & Sendable>(
    _ paths: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) -> [Self] {
    var fields: [Self] = []
    for path in repeat each paths { fields.append(make(path)) }
    return fields
  }

  private static func make<Value: Equatable & Sendable>(
    _ path: any WritableKeyPath<Entity, Value> & Sendable
  ) -> Self {
    Self(
      copy: { source, result in result[keyPath: path] = source[keyPath: path] },
      merge: { base, mine, theirs, result in
        if haveSameValue(theirs[keyPath: path], base[keyPath: path]) {
          result[keyPath: path] = mine[keyPath: path]
        } else if haveSameValue(mine[keyPath: path], base[keyPath: path])
          || haveSameValue(mine[keyPath: path], theirs[keyPath: path])
        {
          result[keyPath: path] = theirs[keyPath: path]
        } else {
          return false
        }
        return true
      })
  }
}

extension MergeRule {
  /// Returns the row with what both sides changed, or `nil` when both changed the same field, or
  /// fields that are not listed.
  func merged(_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity? {
    if fields.isEmpty { return nil }
    // What is not listed must come from one side as a whole.
    var result: Entity
    if haveSameValue(copying(theirs, to: base), theirs)
      || haveSameValue(copying(theirs, to: mine), theirs)
    {
      result = mine
    } else if haveSameValue(copying(mine, to: base), mine) {
      result = theirs
    } else {
      return nil
    }
    for field in fields where !field.merge(base, mine, theirs, &result) { return nil }
    return result.entityID == base.entityID ? result : nil
  }

  private func copying(_ source: Entity, to target: Entity) -> Entity {
    var result = target
    for field in fields { field.copy(source, &result) }
    return result
  }
}
