extension ToOne {
  /// Creates a relationship by a key of a custom type, such as an enum of IDs, that references
  /// one of these entities in some cases. The key cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the key in the holder.
  ///   - id: Returns the ID that the key references, or `nil` when it references none of these
  ///     entities.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  @_disfavoredOverload
  public init<Key>(
    _ key: any KeyPath<Holder, Key> & Sendable,
    id: @escaping @Sendable (Key) -> Target.EntityID?,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    let reader = FieldReader(key)
    self.init(
      derived: DerivedOptionalKey(read: { id(reader.read($0)) }), NullableDeleteRule(onDelete),
      onHolderDelete)
  }

  /// Creates a relationship by an optional key of a custom type, such as an enum of IDs, that
  /// references one of these entities in some cases.
  /// - Parameters:
  ///   - key: The key path of the key in the holder; a nullified key is `nil`.
  ///   - id: Returns the ID that the key references, or `nil` when it references none of these
  ///     entities.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init<Key>(
    _ key: any WritableKeyPath<Holder, Key?> & Sendable,
    id: @escaping @Sendable (Key) -> Target.EntityID?,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    let reader = FieldReader<Holder, Key?>(key)
    self.init(
      derived: DerivedOptionalKey(
        read: { reader.read($0).flatMap(id) }, clear: { $0[keyPath: key] = nil }),
      onDelete, onHolderDelete)
  }

  /// Creates a relationship by a key of a custom type that has a value for no entity.
  /// - Parameters:
  ///   - key: The key path of the key in the holder.
  ///   - id: Returns the ID that the key references, or `nil` when it references none of these
  ///     entities.
  ///   - nothing: The value of a nullified key.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init<Key: Sendable>(
    _ key: any WritableKeyPath<Holder, Key> & Sendable,
    id: @escaping @Sendable (Key) -> Target.EntityID?, nothing: Key,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    let reader = FieldReader<Holder, Key>(key)
    self.init(
      derived: DerivedOptionalKey(
        read: { id(reader.read($0)) }, clear: { $0[keyPath: key] = nothing }),
      onDelete, onHolderDelete)
  }
}
