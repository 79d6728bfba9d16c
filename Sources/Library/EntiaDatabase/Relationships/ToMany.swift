/// A relationship by a key that references several entities: an ordered list, an optional list, a
/// set, a map keyed by ID, or a list of values that each reference one entity.
///
/// ```swift
/// @Relationship var shelfBooks: ToMany<Shelf, Book> = .init(\.bookIDs, onDelete: .nullify)
/// @Relationship var teamMembers: ToMany<Team, Person> = .init(\.roles)  // [Person.EntityID: Role]
/// @Relationship var orderWares: ToMany<Order, Ware> = .init(\.lines, id: \.wareID)
/// ```
public struct ToMany<Holder: EntityType, Target: EntityType>: RelationshipType {
  @usableFromInline
  enum Key: Sendable {
    case list(FieldReader<Holder, [Target.EntityID]>)
    case derived(DerivedKey<Holder, Target>)
  }

  @usableFromInline let key: Key
  let writablePath: (any WritableKeyPath<Holder, [Target.EntityID]> & Sendable)?
  @usableFromInline package var links = LinkMap<Holder, Target>()

  /// `true`: a key references a list of entities.
  @inlinable
  public static var isToMany: Bool { true }

  /// The rule for holders when a referenced entity is removed.
  public let onDelete: NullableDeleteRule
  /// The rule for the referenced entities when their holder is removed.
  public let onHolderDelete: HolderDeleteRule
  /// The limits of the number of entities that a key may reference.
  public let countLimits: CountLimits
  /// Whether the entities that a key references must exist at the end of a batch: see
  /// `required()`.
  public internal(set) var isRequired = false
  /// The limits of the number of holders that may reference one entity: see `holders(_:)`.
  public internal(set) var holderLimits = CountLimits.any

  /// Creates a relationship by a list that cannot be written, and so cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the IDs in the holder.
  ///   - onDelete: The rule for holders when a referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entities when their holder is removed.
  ///   - count: The limits of the number of referenced entities.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep, count: CountLimits = .any
  ) {
    self.key = .list(FieldReader(key))
    writablePath = nil
    self.onDelete = NullableDeleteRule(onDelete)
    self.onHolderDelete = onHolderDelete
    countLimits = count
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
    self.key = .list(FieldReader(key))
    writablePath = key
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
    countLimits = count
  }

  init(
    derived key: DerivedKey<Holder, Target>, _ onDelete: NullableDeleteRule,
    _ onHolderDelete: HolderDeleteRule, _ count: CountLimits
  ) {
    self.key = .derived(key)
    writablePath = nil
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
    countLimits = count
  }

  /// The kind of the key: ordered for a list, unordered for a set or a map.
  public var kind: RelationshipKind {
    switch key {
    case .list: .orderedToMany
    case .derived(let key): key.kind
    }
  }

  /// Returns the IDs that a holder's key references, in the key's order; those of a set or a map
  /// ascend.
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

  /// Returns the IDs of the entities that reference the target, in the order in which they began
  /// to.
  /// - Complexity: O(*k*) in the number of those entities.
  @inlinable
  public func holderIDs(of target: Target.EntityID) -> [Holder.EntityID] {
    links.holders(of: target)
  }

  /// Returns the number of entities that reference the target.
  /// - Complexity: O(1) expected.
  public func holderCount(of target: Target.EntityID) -> Int { links.holderCount(of: target) }

  /// Returns whether an entity references the target.
  /// - Complexity: O(1) expected.
  @inlinable
  public func isReferenced(_ target: Target.EntityID) -> Bool { links.hasHolder(of: target) }

  /// Returns whether a holder references the target.
  /// - Complexity: O(1) expected.
  public func isReferenced(_ target: Target.EntityID, by holder: Holder.EntityID) -> Bool {
    links.isHolder(holder, of: target)
  }

  /// Removes every occurrence of the targets from the key.
  /// - Complexity: O(*k*) in the length of the list.
  public func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder) {
    if case .derived(let key) = key {
      key.remove?(&holder, targets)
    } else if let writablePath {
      holder[keyPath: writablePath].removeAll { targets.contains($0) }
    }
  }

  /// Updates the links for a change of a row; `nil` stands for absence.
  /// - Complexity: O(log *n*) for each added or removed ID, plus the comparison of both lists
  ///   from both ends up to their differences; no update when the key did not change.
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

  /// The IDs of all entities that are referenced by a holder.
  /// - Complexity: O(*n*) in the number of those entities.
  public var linkedTargetIDs: [Target.EntityID] { links.targets }

  /// Removes all links.
  public mutating func removeAllLinks() { links = LinkMap() }
}

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
