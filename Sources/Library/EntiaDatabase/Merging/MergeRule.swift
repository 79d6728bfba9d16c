import EntiaCoding
import EntiaCollections

/// The rules for conflicts of one entity type.
struct MergeRule<Entity: EntityType>: Sendable {
  /// The fields that are merged, or `nil` for the encoded members.
  var fields: [MergeField<Entity>]?
  var resolve: (@Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>)?
}

/// A row that both versions changed in different ways; `nil` is absence.
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
  /// The row becomes this one, which has the same ID.
  case entity(Entity)
  /// Neither: the merge throws an error with this conflict.
  case refuse
}

/// The reason why two versions were not merged: every unresolved conflict.
public struct MergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The conflicts, table by table in the order of declaration.
  public let conflicts: [RowConflict]

  /// A sentence that names the rows and the reasons.
  public var description: String {
    "the versions cannot be merged: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}

/// The result of a merge.
public struct MergeResult<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The database with the changes of both versions.
  public let storage: Storage
  /// The conflicts and their outcomes.
  public let conflicts: [RowConflict]
}

extension MergeRule {
  /// Returns the row with the encoded members that either side changed, or `nil` if both sides
  /// changed one member in different ways. The result is also `nil` if the entity is not `Codable`,
  /// if a version of the row does not equal the row decoded from its members, or if the merged row,
  /// encoded again, has other members.
  static func mergedByMembers(_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity? {
    func merge<Row: EntityType & Codable>(_ type: Row.Type) -> Any? {
      guard let base = base as? Row, let mine = mine as? Row, let theirs = theirs as? Row else {
        return nil
      }
      do {
        return try merged(base, mine, theirs)
      } catch {
        // If the members cannot be coded, the row is one value, and both sides changed it.
        return nil
      }
    }
    guard let type = Entity.self as? any (EntityType & Codable).Type else { return nil }
    return merge(type) as? Entity
  }

  private static func merged<Row: EntityType & Codable>(
    _ base: Row, _ mine: Row, _ theirs: Row
  ) throws -> Row? {
    let transients = (base: TransientCopies(), mine: TransientCopies(), theirs: TransientCopies())
    guard let old = try members(of: base, transients.base),
      let first = try members(of: mine, transients.mine),
      let second = try members(of: theirs, transients.theirs),
      transients.mine.merge(transients.theirs, base: transients.base)
    else { return nil }
    var merged = first
    for name in Set(old.keys).union(first.keys).union(second.keys) {
      let (base, mine, theirs) = (old[name], first[name], second[name])
      if try MemberNode.haveSameValue(theirs, base) { continue }
      let isMineUnchanged = try MemberNode.haveSameValue(mine, base)
      guard try isMineUnchanged || MemberNode.haveSameValue(mine, theirs) else { return nil }
      merged[name] = theirs
    }
    let row = try transients.mine.restore {
      try MemberSource.row(Row.self, of: merged)
    }
    guard row.entityID == base.entityID, try isMade(row, of: merged) else { return nil }
    return row
  }

  /// Whether a row has exactly these members. A decoder that adjusts members to each other may lose
  /// an edit, or store a value that neither side has.
  private static func isMade<Row: EntityType & Codable>(
    _ row: Row, of merged: [String: MemberNode]
  ) throws -> Bool {
    guard let members = try members(of: row, TransientCopies()), members.count == merged.count
    else { return false }
    return try merged.allSatisfy { try MemberNode.haveSameValue($1, members[$0]) }
  }

  /// Returns the encoded members of a row, or `nil` if decoding them gives a row with another
  /// value.
  /// - Parameter transients: Receives the transient members of the row.
  private static func members<Row: EntityType & Codable>(
    of row: Row, _ transients: TransientCopies
  ) throws -> [String: MemberNode]? {
    guard let members = try transients.collect({ try MemberNode.members(of: row) }) else {
      return nil
    }
    let decoded = try transients.restore {
      try MemberSource.row(Row.self, of: members)
    }
    return haveSameValue(decoded, row) ? members : nil
  }
}

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
  /// Returns the row with the changes of both sides. The result is `nil` when both changed a listed
  /// field, or the unlisted fields, in different ways.
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
