import EntiaCollections

/// A rule that is checked at the end of batches. `Checks` contains the available kinds.
public protocol CheckType: Sendable {
  /// The rule in words.
  var rule: String { get }
}

/// A check that can be applied to one row.
protocol RowCheck<Checked>: CheckType {
  associatedtype Checked: EntityType
  func violation(name: String, of entity: Checked) -> BatchViolation?
}

/// An index with a constraint that rows may violate.
protocol ConstrainingIndex<Entity>: IndexType {
  /// Whether a row violates the constraint.
  var isBroken: Bool { get }

  /// Returns the violations that involve the entities, each once.
  func violations(name: String, among entities: [Entity]) -> [BatchViolation]

  /// Returns the other entities that have the same key as an entity.
  func others(with entity: Entity) -> [Entity.EntityID]

  /// Returns whether the new value of an entity has a key that the old value does not have.
  func hasNewKey(from old: Entity?, to new: Entity) -> Bool
}

extension IndexType {
  /// Returns whether the index allows a key for one entity only, and the new value of an entity has
  /// a key that the old value does not have.
  package func hasNewUniqueKey(from old: Entity?, to new: Entity) -> Bool {
    func hasNewKey<Index: ConstrainingIndex>(_ index: Index) -> Bool {
      index.hasNewKey(
        from: recast(old, as: Index.Entity?.self), to: recast(new, as: Index.Entity.self))
    }
    return (self as? any ConstrainingIndex).map { hasNewKey($0) } ?? false
  }
}

extension Indexes.Unique: ConstrainingIndex {
  var isBroken: Bool { duplicateCount > 0 }

  func hasNewKey(from old: Entity?, to new: Entity) -> Bool {
    guard let key = keyReader.key(of: new) else { return false }
    return !haveSameValue(old.flatMap { keyReader.key(of: $0) }, key)
  }

  func violations(name: String, among entities: [Entity]) -> [BatchViolation] {
    var seen: Set<HashedKey<Key>> = []
    return entities.compactMap { entity in
      guard let key = keyReader.key(of: entity), seen.insert(HashedKey(key)).inserted else {
        return nil
      }
      let ids = ids(for: key)
      guard ids.count > 1 else { return nil }
      return .duplicateKey(
        index: name, key: String(describing: key), entities: ids.map { EntityLabel($0) })
    }
  }

  func others(with entity: Entity) -> [Entity.EntityID] {
    guard let key = keyReader.key(of: entity) else { return [] }
    return ids(for: key).filter { $0 != entity.entityID }
  }
}
