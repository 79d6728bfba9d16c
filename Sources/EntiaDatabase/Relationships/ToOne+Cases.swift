extension ToOne {
  /// Creates a relationship by a key of a type of its own, such as an enum of IDs, that names one of
  /// these entities in some cases and cannot be nullified.
  /// - Parameters:
  ///   - key: where the holder keeps what names entities.
  ///   - id: the ID that the key names, or `nil` when it names none of these entities.
  ///   - onDelete: what happens to a holder when the entity it names is removed.
  ///   - onHolderDelete: what happens to the named entity when its holder is removed.
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

  /// Creates a relationship by an optional key of a type of its own, such as an enum of IDs, that
  /// names one of these entities in some cases.
  /// - Parameters:
  ///   - key: where the holder keeps what names entities; nullified, it is `nil`.
  ///   - id: the ID that the key names, or `nil` when it names none of these entities.
  ///   - onDelete: what happens to a holder when the entity it names is removed.
  ///   - onHolderDelete: what happens to the named entity when its holder is removed.
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

  /// Creates a relationship by a key of a type of its own that has a value for nothing.
  /// - Parameters:
  ///   - key: where the holder keeps what names entities.
  ///   - id: the ID that the key names, or `nil` when it names none of these entities.
  ///   - nothing: what the key is when it is nullified.
  ///   - onDelete: what happens to a holder when the entity it names is removed.
  ///   - onHolderDelete: what happens to the named entity when its holder is removed.
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
