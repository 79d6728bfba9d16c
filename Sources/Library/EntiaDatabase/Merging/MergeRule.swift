import EntiaCollections

/// The rules for conflicts of one entity type.
struct MergeRule<Entity: EntityType>: Sendable {
  /// The fields that are merged one by one, or `nil` to merge the members of the entity.
  var fields: [MergeField<Entity>]?
  var resolve: (@Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>)?
}

/// A row that both versions changed in different ways. Each of `base`, `mine` and `theirs` is the
/// row in one version, or `nil` if that version lacks the row.
public struct MergeConflict<Entity: EntityType>: Equatable, Sendable {
  /// The entity's ID.
  public let entityID: Entity.EntityID
  /// The row in the common version.
  public let base: Entity?
  /// The row in the receiving version.
  public let mine: Entity?
  /// The row in the incoming version.
  public let theirs: Entity?
}

/// The resolution of a conflict.
public enum MergeResolution<Entity: EntityType>: Equatable, Sendable {
  /// The row, or its absence, is taken from the receiving version.
  case mine
  /// The row, or its absence, is taken from the incoming version.
  case theirs
  /// The given entity is stored. It must have the ID of the row, otherwise the conflict is refused.
  case entity(Entity)
  /// Nothing is merged, and the merge throws an error with this conflict.
  case refuse
}

/// The reason why two versions were not merged: every unresolved conflict.
public struct MergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The conflicts, table by table in the order of declaration.
  public let conflicts: [RowConflict]

  /// A sentence that names the rows and the reasons.
  public var description: String {
    "the versions cannot be merged: \(conflicts.firstDescriptions)"
  }
}

/// The result of a merge.
public struct MergeResult<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The database with the changes of both versions.
  public let storage: Storage
  /// The conflicts and their outcomes.
  public let conflicts: [RowConflict]
}

/// A field of an entity, of any type, that both sides may have changed.
struct MergeField<Entity: EntityType>: Sendable {
  /// Copies the field from one entity to another.
  let copy: @Sendable (_ source: Entity, _ result: inout Entity) -> Void
  /// Stores the merged field in the result. Returns `false` if both sides changed the field in
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
  /// Returns the function that combines the changes of both sides in one row. The function returns
  /// `nil` if both sides changed a listed field, or the unlisted fields, in different ways.
  func merging(_ members: RowMembers<Entity>) -> RowMembers<Entity>.Merging {
    guard let fields else { return members.merged }
    return { base, mine, theirs in
      fields.isEmpty ? nil : merged(base, mine, theirs, fields)
    }
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
