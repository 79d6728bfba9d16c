extension ToMany {
  /// Creates a relationship by an optional list that cannot be written, and so cannot be
  /// nullified.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]?> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    let derived = DerivedKey<Holder, Target>(key, kind: .orderedToMany, isCollectionOfIDs: true) {
      $0 ?? []
    }
    self.init(derived: derived, NullableDeleteRule(onDelete), onHolderDelete, count)
  }

  /// Creates a relationship by an optional list.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init(
    _ key: any WritableKeyPath<Holder, [Target.EntityID]?> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    let derived = DerivedKey<Holder, Target>(key, kind: .orderedToMany, isCollectionOfIDs: true) {
      $0 ?? []
    }.removing {
      holder, targets in
      holder[keyPath: key]?.removeAll { targets.contains($0) }
    }
    self.init(derived: derived, onDelete, onHolderDelete, count)
  }

  /// Creates a relationship by a list of values, such as the lines of an order or an enum of IDs,
  /// each of which references at most one of these entities. The list cannot be written, and so
  /// cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the values in the holder.
  ///   - id: Returns the ID that a value references, or `nil` when it references none of these
  ///     entities.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  @_disfavoredOverload
  public init<Element: Equatable & Sendable>(
    _ key: any KeyPath<Holder, [Element]> & Sendable,
    id: @escaping @Sendable (Element) -> Target.EntityID?,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    let derived = DerivedKey<Holder, Target>(key, kind: .orderedToMany) { $0.compactMap(id) }
    self.init(derived: derived, NullableDeleteRule(onDelete), onHolderDelete, count)
  }

  /// Creates a relationship by a list of values, such as the lines of an order or an enum of IDs,
  /// each of which references at most one of these entities.
  /// - Parameters:
  ///   - key: The key path of the values in the holder.
  ///   - id: Returns the ID that a value references, or `nil` when it references none of these
  ///     entities.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init<Element: Equatable & Sendable>(
    _ key: any WritableKeyPath<Holder, [Element]> & Sendable,
    id: @escaping @Sendable (Element) -> Target.EntityID?,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    let derived = DerivedKey<Holder, Target>(key, kind: .orderedToMany) { $0.compactMap(id) }
      .removing {
        holder, targets in
        holder[keyPath: key].removeAll { id($0).map(targets.contains) ?? false }
      }
    self.init(derived: derived, onDelete, onHolderDelete, count)
  }
}
