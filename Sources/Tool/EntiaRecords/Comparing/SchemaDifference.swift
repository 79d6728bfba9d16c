import EntiaCoding

/// A difference between two schemas.
package enum SchemaDifference: Hashable, Sendable {
  /// Only the new schema has the entity.
  case entityInserted(String)
  /// Only the old schema has the entity.
  case entityRemoved(String)
  /// The names of an entity's ID members differ between the schemas, or only one schema lets the
  /// parent provide a missing ID.
  case idRenamed(entity: String, old: String, new: String)
  /// A relationship of an entity was inserted, removed or changed.
  case relationship(
    entity: String, name: String, old: Schema.Relationship?, new: Schema.Relationship?)
  /// An alias of an entity's member was inserted, removed or changed.
  case alias(entity: String, alias: String, old: String?, new: String?)
}

extension Schema {
  /// Returns the differences between an older schema and this one, sorted by name.
  ///
  /// - Complexity: O(size of the schemas), plus sorting.
  package func difference(from old: Schema) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    let names = Set((old.entities + entities).map { ExactString($0.name) }).sorted()
    for name in names.map(\.string) {
      switch (old.entity(name), entity(name)) {
      case (nil, nil): continue
      case (nil, .some): differences.append(.entityInserted(name))
      case (.some, nil): differences.append(.entityRemoved(name))
      case (.some(let old), .some(let new)): differences += Self.difference(old, new)
      }
    }
    return differences
  }

  private static func difference(_ old: Entity, _ new: Entity) -> [SchemaDifference] {
    var differences: [SchemaDifference] = []
    if !old.hasSameID(as: new) {
      differences.append(.idRenamed(entity: new.name, old: old.idLabel, new: new.idLabel))
    }
    let names = Set((old.relationships + new.relationships).map { ExactString($0.name) }).sorted()
    for name in names.map(\.string) {
      let (before, after) = (old.relationship(name), new.relationship(name))
      if before == after { continue }
      differences.append(
        .relationship(entity: new.name, name: name, old: before, new: after))
    }
    let aliases = Set(old.membersByAlias.keys).union(new.membersByAlias.keys).sorted()
    for alias in aliases {
      let (before, after) = (old.membersByAlias[alias], new.membersByAlias[alias])
      if before.map(ExactString.init) == after.map(ExactString.init) { continue }
      differences.append(
        .alias(entity: new.name, alias: alias.string, old: before, new: after))
    }
    return differences
  }
}

extension Schema.Entity {
  /// The name of the ID, and whether the parent can provide it.
  fileprivate var idLabel: String { takesIDFromParent ? idName + " or parent" : idName }
}

extension SchemaDifference: CustomStringConvertible {
  /// One line, which begins with `+`, `-` or `~`.
  package var description: String {
    func end(_ relationship: Schema.Relationship?) -> String {
      guard let relationship else { return "(none)" }
      return "to \(relationship.isMany ? "many" : "one") of "
        + relationship.targetNames { $0.excerpt() }
    }
    switch self {
    case .entityInserted(let name): return "+ \(name.excerpt())"
    case .entityRemoved(let name): return "- \(name.excerpt())"
    case .idRenamed(let entity, let old, let new):
      return "~ \(entity.excerpt()): ID in \(old.quoted) -> \(new.quoted)"
    case .relationship(let entity, let name, let old, let new):
      let mark = old == nil ? "+" : new == nil ? "-" : "~"
      let text = [old, new].compactMap(\.self).map(end).joined(separator: " -> ")
      return "\(mark) \(entity.excerpt()).\(name.excerpt()): \(text)"
    case .alias(let entity, let alias, let old, let new):
      let mark = old == nil ? "+" : new == nil ? "-" : "~"
      let text = [old, new].compactMap(\.self).map(\.quoted).joined(separator: " -> ")
      return "\(mark) \(entity.excerpt()), alias \(alias.quoted): \(text)"
    }
  }
}
