import EntiaCollections

/// A field of an entity, of any type, that both sides may have changed.
struct MergeField<Entity: EntityType>: Sendable {
  /// Copies the field from one entity to another.
  let copy: @Sendable (_ source: Entity, _ result: inout Entity) -> Void
  /// Stores the merged field in the result; returns `false` when both sides changed it in
  /// different ways.
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
  /// Returns the row with the changes of both sides, or `nil` when both changed the same listed
  /// field, or fields that are not listed, in different ways.
  func merged(_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity? {
    guard let fields else { return Self.mergedByMembers(base, mine, theirs) }
    return fields.isEmpty ? nil : merged(base, mine, theirs, fields)
  }

  private func merged(
    _ base: Entity, _ mine: Entity, _ theirs: Entity, _ fields: [MergeField<Entity>]
  ) -> Entity? {
    func copying(_ source: Entity, to target: Entity) -> Entity {
      var result = target
      for field in fields { field.copy(source, &result) }
      return result
    }
    // The fields that are not listed must all come from one side.
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
}
