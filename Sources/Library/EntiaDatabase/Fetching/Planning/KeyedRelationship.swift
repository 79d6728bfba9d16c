import EntiaCollections

/// A relationship whose key is a field of the holder: an index of the holders by the ID that they
/// reference.
protocol KeyedRelationship<Holder>: RelationshipType {
  /// The field that is the key; `nil` when the key is derived from a field by a closure.
  var keyPath: AnyKeyPath? { get }

  /// Returns the IDs of the holders that reference an entity, or `nil` when the value is not an
  /// ID of the target.
  /// - Complexity: O(1) expected, plus O(*k*) to visit the IDs.
  func holders(naming value: Any) -> FoundIDs<Holder>?
}

extension ToOne: KeyedRelationship {
  var keyPath: AnyKeyPath? {
    switch key {
    case .required(let reader): reader.path
    case .optional(let reader): reader.path
    case .derived: nil
    }
  }

  func holders(naming value: Any) -> FoundIDs<Holder>? {
    (value as? Target.EntityID).map { links.foundHolders(of: $0) }
  }
}

extension ToMany: KeyedRelationship {
  var keyPath: AnyKeyPath? {
    switch key {
    case .list(let reader): reader.path
    case .derived(let key): key.path
    }
  }

  func holders(naming value: Any) -> FoundIDs<Holder>? {
    (value as? Target.EntityID).map { links.foundHolders(of: $0) }
  }
}

extension LinkMap {
  fileprivate func foundHolders(of target: Target.EntityID) -> FoundIDs<Holder> {
    switch table[target]?.value {
    case nil: FoundIDs([])
    case .few(let ids): FoundIDs(ids)
    case .many(let ids):
      FoundIDs(count: ids.count) { reversed, body in
        // A reversed visit copies the list. No fetch visits a relationship in reverse.
        if reversed {
          for id in ids.elements.reversed() where !body(id) { return }
        } else {
          for id in ids where !body(id) { return }
        }
      }
    }
  }
}
