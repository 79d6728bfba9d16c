public import EntiaCollections

/// A relationship by a key that references one entity, or at most one entity if the key is
/// optional.
///
/// ```swift
/// @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
/// ```
///
/// If a key is an enum of IDs, declare one relationship for each target type. Each of them reads
/// one case:
///
/// ```swift
/// @Relationship var postPhoto: ToOne<Post, Photo> = .init(\.attachment, id: \.photoID)
/// @Relationship var postVideo: ToOne<Post, Video> = .init(\.attachment, id: \.videoID)
/// ```
public struct ToOne<Holder: EntityType, Target: EntityType>: LinkedRelationship {
  @usableFromInline
  enum Key: Sendable {
    case required(FieldReader<Holder, Target.EntityID>)
    case optional(FieldReader<Holder, Target.EntityID?>)
    case derived(@Sendable (Holder) -> Target.EntityID?)
  }

  @usableFromInline let key: Key
  @usableFromInline let stored: StoredKey<Holder, Target>
  /// Empties the key; `nil` when the key cannot be emptied.
  let clear: (@Sendable (inout Holder) -> Void)?

  /// The kind of the key and the rules.
  public var traits: RelationshipTraits
  /// The holders of each referenced entity.
  public var links = LinkMap<Holder, Target>()

  /// Creates a relationship by a key that always references an entity.
  /// - Parameters:
  ///   - key: The key path of the ID in the holder.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.init(
      .required(FieldReader(key)), StoredKey(required: key),
      RelationshipTraits(.toOne, NullableDeleteRule(onDelete), onHolderDelete))
  }

  /// Creates a relationship by an optional key that cannot be written, and so cannot be
  /// nullified.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Target.EntityID?> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.init(
      .optional(FieldReader(key)), StoredKey(optional: key),
      RelationshipTraits(.optionalToOne, NullableDeleteRule(onDelete), onHolderDelete))
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
    self.init(
      .optional(FieldReader(key)), StoredKey(optional: key),
      RelationshipTraits(.optionalToOne, onDelete, onHolderDelete)
    ) { $0[keyPath: key] = nil }
  }

  private init(
    _ key: Key, _ stored: StoredKey<Holder, Target>, _ traits: RelationshipTraits,
    clear: (@Sendable (inout Holder) -> Void)? = nil
  ) {
    self.key = key
    self.stored = stored
    self.traits = traits
    self.clear = clear
  }

  /// Returns the ID that a holder's key references, or `nil`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  func targetID(of holder: Holder) -> Target.EntityID? {
    stored.isThere ? stored.targetID(of: holder) : computedTargetID(of: holder)
  }

  /// Returns the ID that the key of the holder at an address references. The caller must keep the
  /// holder and the relationship alive and unchanged. Only the parts that are read are retained.
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
    case .derived(let read): read(holder)
    }
  }

  /// Returns the ID that a holder's key references, as an array of at most one element.
  /// - Complexity: O(1).
  @inlinable
  public func targetIDs(of holder: Holder) -> [Target.EntityID] {
    targetID(of: holder).map { [$0] } ?? []
  }

  /// Empties the key if the key references one of the targets. A key that cannot be emptied stays
  /// unchanged.
  public func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder) {
    guard let target = targetID(of: holder), targets.contains(target) else { return }
    clear?(&holder)
  }

  /// Updates the links for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*); O(1) when the key did not change.
  @inlinable
  public mutating func holderChanged(from old: Holder?, to new: Holder?) {
    let oldTarget = old.flatMap(targetID)
    let newTarget = new.flatMap(targetID)
    if let old, let new, oldTarget == newTarget, old.entityID == new.entityID { return }
    if let old, let oldTarget { links.unlink(old.entityID, from: oldTarget) }
    // `isMissing` is `true`, because the only key of the row did not reference `newTarget` before.
    if let new, let newTarget { links.link(new.entityID, to: newTarget, isMissing: true) }
  }

  /// Adds the links for all rows of a table that was empty. The relationship has no other links.
  @inlinable
  static func linkAll(
    _ rows: PersistentTable<EntityTableLayout<Holder>>,
    in relationship: UnsafeMutablePointer<Self>
  ) {
    var builder = LinkBuilder<Holder, Target>(capacity: rows.count)
    rows.forEachRun { run in
      for row in run.indices {
        let holder = run.baseAddress.unsafelyUnwrapped + row
        if let target = targetID(of: holder, in: relationship) {
          builder.link(holder.pointee.entityID, to: target)
        }
      }
      return true
    }
    relationship.pointee.links = builder.links()
  }
}

/// A relationship that can report the name of its key field.
package protocol KeyFieldRelationship {
  /// The name of the field that is the key; `nil` when the key is derived from a field.
  var keyFieldName: String? { get }
}

extension ToOne: KeyFieldRelationship {
  package var keyFieldName: String? {
    keyPath.map(fieldName)
  }
}

extension ToMany: KeyFieldRelationship {
  package var keyFieldName: String? {
    if case .list(let reader) = key { fieldName(reader.path) } else { nil }
  }
}

/// The position of the only ID that a holder references, if the ID is a stored property.
///
/// This is a trivial type, so that following a key retains nothing of the relationship.
@frozen
@usableFromInline
struct StoredKey<Holder: EntityType, Target: EntityType>: Sendable {
  /// The byte offset of the ID in the holder; -1 when the ID is not a stored property.
  @usableFromInline let offset: Int
  /// Whether the stored ID is optional.
  @usableFromInline let isOptional: Bool

  /// The value for a key that is not a stored property.
  static var none: Self { Self(offset: nil, isOptional: false) }

  init(required path: KeyPath<Holder, Target.EntityID>) {
    self.init(offset: MemoryLayout<Holder>.offset(of: path), isOptional: false)
  }

  init(optional path: KeyPath<Holder, Target.EntityID?>) {
    self.init(offset: MemoryLayout<Holder>.offset(of: path), isOptional: true)
  }

  private init(offset: Int?, isOptional: Bool) {
    self.offset = offset ?? -1
    self.isOptional = isOptional
  }

  @inlinable
  @inline(__always)
  var isThere: Bool { offset >= 0 }

  /// Returns the ID that the holder references, or `nil`. The ID must be a stored property.
  @inlinable
  @inline(__always)
  func targetID(of holder: Holder) -> Target.EntityID? {
    withUnsafePointer(to: holder) { targetID(at: $0) }
  }

  /// Returns the ID that the holder at an address references, or `nil`. The ID must be a stored
  /// property.
  @inlinable
  @inline(__always)
  func targetID(at holder: UnsafePointer<Holder>) -> Target.EntityID? {
    // The documentation of `offset(of:)` allows this access to a stored property. Its type is
    // `Target.EntityID?` if `isOptional`, and otherwise `Target.EntityID`.
    let key = UnsafeRawPointer(holder) + offset
    return isOptional
      ? key.assumingMemoryBound(to: Target.EntityID?.self).pointee
      : key.assumingMemoryBound(to: Target.EntityID.self).pointee
  }
}

extension ToOne {
  /// Creates a relationship by a key of a custom type, such as an enum of IDs, that references an
  /// entity of the target type in some of its cases. The key cannot be nullified.
  /// - Parameters:
  ///   - key: The key path of the key in the holder.
  ///   - id: Returns the ID that the key references, or `nil` if it references no entity of the
  ///     target type.
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
      .derived { id(reader.read($0)) }, .none,
      RelationshipTraits(.optionalToOne, NullableDeleteRule(onDelete), onHolderDelete))
  }

  /// Creates a relationship by an optional key of a custom type, such as an enum of IDs, that
  /// references an entity of the target type in some of its cases.
  /// - Parameters:
  ///   - key: The key path of the key in the holder; a nullified key is `nil`.
  ///   - id: Returns the ID that the key references, or `nil` if it references no entity of the
  ///     target type.
  ///   - onDelete: The rule for holders when the referenced entity is removed.
  ///   - onHolderDelete: The rule for the referenced entity when its holder is removed.
  public init<Key>(
    _ key: any WritableKeyPath<Holder, Key?> & Sendable,
    id: @escaping @Sendable (Key) -> Target.EntityID?,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    let reader = FieldReader<Holder, Key?>(key)
    self.init(
      .derived { reader.read($0).flatMap(id) }, .none,
      RelationshipTraits(.optionalToOne, onDelete, onHolderDelete)
    ) { $0[keyPath: key] = nil }
  }

  /// Creates a relationship by a key of a custom type, one value of which stands for no entity.
  /// - Parameters:
  ///   - key: The key path of the key in the holder.
  ///   - id: Returns the ID that the key references, or `nil` if it references no entity of the
  ///     target type.
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
      .derived { id(reader.read($0)) }, .none,
      RelationshipTraits(.optionalToOne, onDelete, onHolderDelete)
    ) { $0[keyPath: key] = nothing }
  }
}

// Unavailable initializers whose messages explain how to declare a key of the other kind.

extension ToOne {
  /// Unavailable: a list references several entities, and requires a `ToMany`.
  @available(
    *, unavailable,
    message: "this key references several entities; declare the relationship as 'ToMany'"
  )
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) { unavailable() }
}

extension ToOne {
  /// Unavailable: `count` does not apply to a key that references exactly one entity.
  @available(
    *, unavailable,
    message: "a 'ToOne' references one entity; '.holders(_:)' limits how many reference it"
  )
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep, count: CountLimits
  ) { unavailable() }

  /// Unavailable: `count` does not apply to a key that references at most one entity.
  @available(
    *, unavailable,
    message:
      "a 'ToOne' references at most one entity; a key that is not optional always references one"
  )
  public init(
    _ key: any KeyPath<Holder, Target.EntityID?> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits
  ) { unavailable() }
}
