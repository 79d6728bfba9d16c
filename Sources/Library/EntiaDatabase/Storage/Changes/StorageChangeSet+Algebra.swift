extension StorageChangeSet {
  /// The changes from the newer to the older version.
  /// - Complexity: O(changes).
  public var inverted: Self {
    var result = self
    result.tables = tables.mapValues(\.invertedChanges)
    result.heldIDs = heldIDs.mapValues(\.invertedChanges)
    result.dangling = dangling.mapValues(\.inverted)
    return result
  }

  /// Returns the changes that combine these and the later ones.
  /// - Parameter later: The changes that start from the version at which these end.
  /// - Complexity: O(changes · log changes) expected.
  public func composed(with later: Self) -> Self {
    var result = self
    for (entity, changes) in later.tables {
      let composed = tables[entity]?.composed(withAny: changes) ?? changes
      result.tables[entity] = composed.isEmpty ? nil : composed
    }
    for (name, changes) in later.heldIDs {
      let composed = heldIDs[name]?.composed(withAny: changes) ?? changes
      result.heldIDs[name] = composed.isEmpty ? nil : composed
    }
    for (name, references) in later.dangling {
      let composed = dangling[name]?.composed(withAny: references) ?? references
      result.dangling[name] = composed.isEmpty ? nil : composed
    }
    return result
  }
}

extension StorageChangeSet: Equatable {
  /// Whether both contain the same changes of the same entities.
  /// - Complexity: O(changes · log changes) expected.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.tables.count == b.tables.count, a.heldIDs.count == b.heldIDs.count else {
      return false
    }
    return a.tables.allSatisfy { entity, changes in
      b.tables[entity].map(changes.isEqual) ?? false
    }
      && a.heldIDs.allSatisfy { name, changes in b.heldIDs[name].map(changes.isEqual) ?? false }
  }
}
