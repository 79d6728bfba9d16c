/// A relationship by a key that references one entity, or at most one if it is optional.
///
/// ```swift
/// @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
/// ```
///
/// For a key that is an enum of IDs, a relationship to each target type reads its own case:
///
/// ```swift
/// @Relationship var postPhoto: ToOne<Post, Photo> = .init(\.attachment, id: \.photoID)
/// @Relationship var postVideo: ToOne<Post, Video> = .init(\.attachment, id: \.videoID)
/// ```
public struct ToOne<Holder: EntityType, Target: EntityType>: RelationshipType {
  @usableFromInline
  enum Key: Sendable {
    case required(FieldReader<Holder, Target.EntityID>)
    case optional(FieldReader<Holder, Target.EntityID?>)
    case derived(DerivedOptionalKey<Holder, Target>)
  }

  @usableFromInline let key: Key
  @usableFromInline let stored: StoredKey<Holder, Target>
  let writablePath: (any WritableKeyPath<Holder, Target.EntityID?> & Sendable)?
  @usableFromInline package var links = LinkMap<Holder, Target>()

  /// `false`: a key references one entity.
  @inlinable
  public static var isToMany: Bool { false }

  /// The rule for holders when the referenced entity is removed.
  public let onDelete: NullableDeleteRule
  /// The rule for the referenced entity when its holder is removed.
  public let onHolderDelete: HolderDeleteRule
  /// Whether the entities that a key references must exist at the end of a batch: see
  /// `required()`.
  public internal(set) var isRequired = false
  /// The limits of the number of holders that may reference one entity: see `holders(_:)`.
  public internal(set) var holderLimits = CountLimits.any

  /// Creates a relationship by a key that always references an entity.
  /// - Parameters:
  ///   - key: The key path of the ID in the holder.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.key = .required(FieldReader(key))
    stored = StoredKey(required: key)
    writablePath = nil
    self.onDelete = NullableDeleteRule(onDelete)
    self.onHolderDelete = onHolderDelete
  }

  /// Creates a relationship by an optional key that cannot be written, and so cannot be
  /// nullified.
  /// - Parameters:
  ///   - key: The key path of the ID in the holder.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Target.EntityID?> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.key = .optional(FieldReader(key))
    stored = StoredKey(optional: key)
    writablePath = nil
    self.onDelete = NullableDeleteRule(onDelete)
    self.onHolderDelete = onHolderDelete
  }

  /// Creates a relationship by an optional key.
  /// - Parameters:
  ///   - key: The key path of the ID in the holder.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init(
    _ key: any WritableKeyPath<Holder, Target.EntityID?> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.key = .optional(FieldReader(key))
    stored = StoredKey(optional: key)
    writablePath = key
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
  }

  init(
    derived key: DerivedOptionalKey<Holder, Target>, _ onDelete: NullableDeleteRule,
    _ onHolderDelete: HolderDeleteRule
  ) {
    self.key = .derived(key)
    stored = .none
    writablePath = nil
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
  }

  /// The kind of the key: whether it is optional.
  public var kind: RelationshipKind {
    if case .required = key { .toOne } else { .optionalToOne }
  }

  /// Returns the ID that a holder's key references, or `nil`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func targetID(of holder: Holder) -> Target.EntityID? {
    stored.isThere ? stored.targetID(of: holder) : computedTargetID(of: holder)
  }

  /// Returns the ID that the key references, for a holder and a relationship in memory that the
  /// caller keeps alive and unchanged. Only the loaded parts of both are retained.
  @inlinable
  @inline(__always)
  static func targetID(
    of holder: UnsafePointer<Holder>, in relationship: UnsafePointer<Self>
  ) -> Target.EntityID? {
    let stored = relationship.pointee.stored
    return stored.isThere
      ? stored.targetID(at: holder) : computedTargetID(of: holder.pointee, in: relationship)
  }

  @usableFromInline
  static func computedTargetID(
    of holder: Holder, in relationship: UnsafePointer<Self>
  ) -> Target.EntityID? {
    relationship.pointee.computedTargetID(of: holder)
  }

  @usableFromInline
  func computedTargetID(of holder: Holder) -> Target.EntityID? {
    switch key {
    case .required(let reader): reader.read(holder)
    case .optional(let reader): reader.read(holder)
    case .derived(let key): key.read(holder)
    }
  }

  /// Returns the ID that a holder's key references, as an array of at most one element.
  /// - Complexity: O(1).
  @inlinable
  public func targetIDs(of holder: Holder) -> [Target.EntityID] {
    targetID(of: holder).map { [$0] } ?? []
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

  /// Sets the key to `nil`, or to its value for no entity, if it references one of the targets.
  public func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder) {
    guard let target = targetID(of: holder), targets.contains(target) else { return }
    if let writablePath { holder[keyPath: writablePath] = nil }
    if case .derived(let key) = key { key.clear?(&holder) }
  }

  /// Updates the links for a change of a row; `nil` stands for absence.
  /// - Complexity: O(log *n*); O(1) when the key did not change.
  @inlinable
  public mutating func holderChanged(from old: Holder?, to new: Holder?) {
    let oldTarget = old.flatMap(targetID)
    let newTarget = new.flatMap(targetID)
    if let old, let new, oldTarget == newTarget, old.entityID == new.entityID { return }
    if let old, let oldTarget { links.unlink(old.entityID, from: oldTarget) }
    if let new, let newTarget { links.link(new.entityID, to: newTarget) }
  }

  /// The IDs of all entities that are referenced by a holder.
  /// - Complexity: O(*n*) in the number of those entities.
  public var linkedTargetIDs: [Target.EntityID] { links.targets }

  /// Removes all links.
  public mutating func removeAllLinks() { links = LinkMap() }
}
