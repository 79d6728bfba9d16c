extension ToMany {
  /// Creates a relationship by a set, which is read in ascending order of the IDs. The set cannot
  /// be written, and so cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Set<Target.EntityID>> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    let derived = DerivedKey<Holder, Target>(key, kind: .unorderedToMany, isCollectionOfIDs: true) {
      $0.sorted()
    }
    self.init(derived: derived, NullableDeleteRule(onDelete), onHolderDelete, count)
  }

  /// Creates a relationship by a set, which is read in ascending order of the IDs.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init(
    _ key: any WritableKeyPath<Holder, Set<Target.EntityID>> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    let derived = DerivedKey<Holder, Target>(key, kind: .unorderedToMany, isCollectionOfIDs: true) {
      $0.sorted()
    }.removing {
      holder, targets in
      holder[keyPath: key].subtract(targets)
    }
    self.init(derived: derived, onDelete, onHolderDelete, count)
  }

  /// Creates a relationship by the keys of a map, which are read in ascending order of the IDs.
  /// The map cannot be written, and so cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the map in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    _ key: any KeyPath<Holder, [Target.EntityID: Value]> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    let derived = DerivedKey<Holder, Target>(key, kind: .unorderedToMany) { $0.keys.sorted() }
    self.init(derived: derived, NullableDeleteRule(onDelete), onHolderDelete, count)
  }

  /// Creates a relationship by the keys of a map, which are read in ascending order of the IDs.
  /// - Parameters:
  ///   - key: The key path of the map in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init<Value: Equatable & Sendable>(
    _ key: any WritableKeyPath<Holder, [Target.EntityID: Value]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    let derived = DerivedKey<Holder, Target>(key, kind: .unorderedToMany) { $0.keys.sorted() }
      .removing { holder, targets in
        for target in targets { holder[keyPath: key][target] = nil }
      }
    self.init(derived: derived, onDelete, onHolderDelete, count)
  }
}
