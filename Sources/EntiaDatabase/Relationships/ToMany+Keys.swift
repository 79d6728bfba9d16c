extension ToMany {
  /// Creates a relationship by an optional list that cannot be written, and so not nullified.
  /// - Parameters:
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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

  /// Creates a relationship by a list of values that each name one of these entities or none, such
  /// as the lines of an order or an enum of IDs, that cannot be written, and so not nullified.
  /// - Parameters:
  ///   - key: where the holder keeps the values.
  ///   - id: the ID that a value names, or `nil` when it names none of these entities.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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

  /// Creates a relationship by a list of values that each name one of these entities or none, such
  /// as the lines of an order or an enum of IDs.
  /// - Parameters:
  ///   - key: where the holder keeps the values.
  ///   - id: the ID that a value names, or `nil` when it names none of these entities.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  ///   - count: how many entities the key may name.
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
