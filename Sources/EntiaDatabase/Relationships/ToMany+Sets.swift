extension ToMany {
  /// Creates a relationship by a set, which is read in the order of the IDs that cannot be written,
  /// and so not nullified.
  /// - Parameters:
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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

  /// Creates a relationship by a set, which is read in the order of the IDs.
  /// - Parameters:
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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

  /// Creates a relationship by the keys of a map, which are read in the order of the IDs that
  /// cannot be written, and so not nullified.
  /// - Parameters:
  ///   - key: where the holder keeps the map.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    _ key: any KeyPath<Holder, [Target.EntityID: Value]> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    let derived = DerivedKey<Holder, Target>(key, kind: .unorderedToMany) { $0.keys.sorted() }
    self.init(derived: derived, NullableDeleteRule(onDelete), onHolderDelete, count)
  }

  /// Creates a relationship by the keys of a map, which are read in the order of the IDs.
  /// - Parameters:
  ///   - key: where the holder keeps the map.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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
