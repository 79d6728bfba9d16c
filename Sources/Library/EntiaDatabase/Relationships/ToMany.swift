/// A relationship by a key that references several entities: an ordered list, an optional list, a
/// set, a map keyed by ID, or a list of values that each reference one entity.
///
/// ```swift
/// @Relationship var shelfBooks: ToMany<Shelf, Book> = .init(\.bookIDs, onDelete: .nullify)
/// @Relationship var teamMembers: ToMany<Team, Person> = .init(\.roles)  // [Person.EntityID: Role]
/// @Relationship var orderWares: ToMany<Order, Ware> = .init(\.lines, id: \.wareID)
/// ```
public struct ToMany<Holder: EntityType, Target: EntityType>: LinkedRelationship {
  @usableFromInline
  enum Key: Sendable {
    case list(FieldReader<Holder, [Target.EntityID]>)
    case derived(DerivedKey<Holder, Target>)
  }

  @usableFromInline let key: Key
  /// Removes targets from the key; `nil` when the key cannot be written.
  let remove: (@Sendable (inout Holder, Set<Target.EntityID>) -> Void)?

  /// The kind of the key and the rules.
  public var traits: RelationshipTraits
  /// The holders of each referenced entity.
  public var links = LinkMap<Holder, Target>()

  /// Creates a relationship by a list that cannot be written, and so cannot be nullified.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep, count: CountLimits = .any
  ) {
    self.init(
      .list(FieldReader(key)),
      RelationshipTraits(.orderedToMany, NullableDeleteRule(onDelete), onHolderDelete, count))
  }

  /// Creates a relationship by a list.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init(
    _ key: any WritableKeyPath<Holder, [Target.EntityID]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    self.init(
      .list(FieldReader(key)),
      RelationshipTraits(.orderedToMany, onDelete, onHolderDelete, count)
    ) { holder, targets in
      holder[keyPath: key].removeAll(where: targets.finder)
    }
  }

  private init(
    _ key: Key, _ traits: RelationshipTraits,
    remove: (@Sendable (inout Holder, Set<Target.EntityID>) -> Void)? = nil
  ) {
    self.key = key
    self.traits = traits
    self.remove = remove
  }

  /// Returns the IDs that a holder's key references. The IDs of a list are in its order, and those
  /// of a set or a map ascend.
  /// - Complexity: O(1) for a list, O(*k* log *k*) for a set or a map.
  @inlinable
  public func targetIDs(of holder: Holder) -> [Target.EntityID] {
    switch key {
    case .list(let reader): reader.read(holder)
    case .derived: derivedIDs(of: holder)
    }
  }

  @usableFromInline
  func derivedIDs(of holder: Holder) -> [Target.EntityID] {
    guard case .derived(let key) = key else { return [] }
    return key.read(holder)
  }

  /// Whether two versions of a holder have the same key.
  @inlinable
  func haveSameKey(_ old: Holder, _ new: Holder) -> Bool {
    switch key {
    case .list(let reader): reader.read(old) == reader.read(new)
    case .derived: haveSameDerivedKey(old, new)
    }
  }

  @usableFromInline
  func haveSameDerivedKey(_ old: Holder, _ new: Holder) -> Bool {
    guard case .derived(let key) = key else { return false }
    return key.isSame(old, new)
  }

  /// Removes every occurrence of the targets from the key.
  /// - Complexity: O(*k*) in the length of the list.
  public func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder) {
    remove?(&holder, targets)
  }

  /// Updates the links for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*) for each added or removed ID, plus O(*k*) in the length of the lists.
  ///   Nothing is updated if the key did not change.
  @inlinable
  public mutating func holderChanged(from old: Holder?, to new: Holder?) {
    switch (old, new) {
    case (let old?, let new?) where old.entityID == new.entityID:
      if haveSameKey(old, new) { return }
      links.relink(new.entityID, from: targetIDs(of: old), to: targetIDs(of: new))
    default:
      if let old { links.relink(old.entityID, from: targetIDs(of: old), to: []) }
      if let new { links.relink(new.entityID, from: [], to: targetIDs(of: new)) }
    }
  }
}

extension ToMany {
  /// Creates a relationship by an optional list that cannot be written, and so cannot be
  /// nullified.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]?> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    self.init(
      .derived(DerivedKey(key, isCollectionOfIDs: true) { $0 ?? [] }),
      RelationshipTraits(.orderedToMany, NullableDeleteRule(onDelete), onHolderDelete, count)
    )
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
    self.init(
      .derived(DerivedKey(key, isCollectionOfIDs: true) { $0 ?? [] }),
      RelationshipTraits(.orderedToMany, onDelete, onHolderDelete, count)
    ) { holder, targets in
      holder[keyPath: key]?.removeAll(where: targets.finder)
    }
  }

  /// Creates a relationship by a list of values that each reference at most one entity of the
  /// target type, such as the lines of an order or an enum of IDs. The list cannot be written, and
  /// so cannot be nullified.
  @_disfavoredOverload
  public init<Element: Equatable & Sendable>(
    _ key: any KeyPath<Holder, [Element]> & Sendable,
    id: @escaping @Sendable (Element) -> Target.EntityID?,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    self.init(
      .derived(DerivedKey(key) { $0.compactMap(id) }),
      RelationshipTraits(.orderedToMany, NullableDeleteRule(onDelete), onHolderDelete, count)
    )
  }

  /// Creates a relationship by a list of values that each reference at most one entity of the
  /// target type, such as the lines of an order or an enum of IDs.
  /// - Parameters:
  ///   - key: The key path of the values in the holder.
  ///   - id: Returns the ID that a value references, or `nil` if it references no entity of the
  ///     target type.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  public init<Element: Equatable & Sendable>(
    _ key: any WritableKeyPath<Holder, [Element]> & Sendable,
    id: @escaping @Sendable (Element) -> Target.EntityID?,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    self.init(
      .derived(DerivedKey(key) { $0.compactMap(id) }),
      RelationshipTraits(.orderedToMany, onDelete, onHolderDelete, count)
    ) { holder, targets in
      let isRemoved = targets.finder
      holder[keyPath: key].removeAll { id($0).map(isRemoved) ?? false }
    }
  }
}

extension ToMany {
  /// Creates a relationship by a set, which is read in ascending order of the IDs. The set cannot
  /// be written, and so cannot be nullified.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Set<Target.EntityID>> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    self.init(
      .derived(DerivedKey(key, isCollectionOfIDs: true) { $0.sorted() }),
      RelationshipTraits(.unorderedToMany, NullableDeleteRule(onDelete), onHolderDelete, count)
    )
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
    self.init(
      .derived(DerivedKey(key, isCollectionOfIDs: true) { $0.sorted() }),
      RelationshipTraits(.unorderedToMany, onDelete, onHolderDelete, count)
    ) { holder, targets in
      holder[keyPath: key].subtract(targets)
    }
  }

  /// Creates a relationship by the keys of a map, which are read in ascending order of the IDs.
  /// The map cannot be written, and so cannot be nullified.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    _ key: any KeyPath<Holder, [Target.EntityID: Value]> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) where Target.EntityIDRawType: Comparable {
    self.init(
      .derived(DerivedKey(key) { $0.keys.sorted() }),
      RelationshipTraits(.unorderedToMany, NullableDeleteRule(onDelete), onHolderDelete, count)
    )
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
    self.init(
      .derived(DerivedKey(key) { $0.keys.sorted() }),
      RelationshipTraits(.unorderedToMany, onDelete, onHolderDelete, count)
    ) { holder, targets in
      for target in targets { holder[keyPath: key][target] = nil }
    }
  }
}

extension Set {
  /// A function that returns whether the set contains an element. If the set has one element, such
  /// as the ID of one removed entity, the function compares with this element instead of hashing
  /// its argument.
  fileprivate var finder: (Element) -> Bool {
    guard count == 1, let only = first else { return contains }
    return { $0 == only }
  }
}

// Unavailable initializers whose messages explain how to declare a key of the other kind.

extension ToMany {
  /// Unavailable: an ID references one entity, and requires a `ToOne`.
  @available(
    *, unavailable, message: "this key references one entity; declare the relationship as 'ToOne'"
  )
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) { unavailable() }
}
