/// A relationship between two entity types, declared once in a storage: `ToOne` or `ToMany`.
///
/// The holder has the key, and the target is the entity that the key references. Both directions
/// are updated from the changes of rows. In a decoded database, the reverse direction is in the
/// order of the holders' rows. Types outside of Entia cannot conform to the protocol.
public protocol RelationshipType<Holder, Target>: Sendable {
  /// The entity that has the key.
  associatedtype Holder: EntityType
  /// The entity that the key references.
  associatedtype Target: EntityType

  /// The kind of the key and the rules.
  var traits: RelationshipTraits { get }

  /// Returns the IDs that a holder's key references, in the key's order.
  func targetIDs(of holder: Holder) -> [Target.EntityID]

  /// Returns the IDs of the target's holders, in the order in which they began to reference it.
  func holderIDs(of target: Target.EntityID) -> [Holder.EntityID]

  /// Returns the number of entities that reference the target.
  func holderCount(of target: Target.EntityID) -> Int

  /// Returns whether an entity references the target.
  func isReferenced(_ target: Target.EntityID) -> Bool

  /// Returns whether a holder references the target.
  func isReferenced(_ target: Target.EntityID, by holder: Holder.EntityID) -> Bool

  /// The IDs of all entities that are referenced by a holder.
  var linkedTargetIDs: [Target.EntityID] { get }

  /// Removes the targets from a holder's key, if the rule is `nullify`.
  func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder)

  /// Updates the links for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  mutating func holderChanged(from old: Holder?, to new: Holder?)

  /// Removes all links.
  mutating func removeAllLinks()
}

/// The kind of a relationship's key, and the rules of its declaration. Only Entia creates and reads
/// them; `schema` describes them.
@frozen
public struct RelationshipTraits: Sendable {
  /// The kind of the key.
  let kind: RelationshipKind
  /// The rule for holders when a referenced entity is removed.
  @usableFromInline let onDelete: NullableDeleteRule
  /// The rule for the referenced entities when their holder is removed.
  @usableFromInline let onHolderDelete: HolderDeleteRule
  /// The limits of the number of referenced entities, for a key that references several.
  let countLimits: CountLimits
  /// The limits of the number of holders that may reference one entity.
  var holderLimits = CountLimits.any
  /// Whether the entities that a key references must exist at the end of a batch.
  var isRequired = false

  package init(
    _ kind: RelationshipKind, _ onDelete: NullableDeleteRule, _ onHolderDelete: HolderDeleteRule,
    _ countLimits: CountLimits = .any
  ) {
    self.kind = kind
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
    self.countLimits = countLimits
  }
}

extension RelationshipType {
  /// Whether the key of a holder is a list or set of IDs, as in a `ToMany`. The value is a constant
  /// in specialized code.
  @inlinable
  @inline(__always)
  package static var isToMany: Bool { Self.self != ToOne<Holder, Target>.self }

  package var kind: RelationshipKind { traits.kind }
  @inlinable
  package var onDelete: NullableDeleteRule { traits.onDelete }
  @inlinable
  package var onHolderDelete: HolderDeleteRule { traits.onHolderDelete }
  package var countLimits: CountLimits { traits.countLimits }
  package var holderLimits: CountLimits { traits.holderLimits }
  package var isRequired: Bool { traits.isRequired }
}

/// A relationship that keeps the holders of each referenced entity: `ToOne` or `ToMany`.
public protocol LinkedRelationship: RelationshipType {
  /// The kind of the key, and the rules of the relationship.
  var traits: RelationshipTraits { get set }
  /// The holders of each referenced entity.
  var links: LinkMap<Holder, Target> { get set }
}

extension LinkedRelationship {
  /// Returns the IDs of the target's holders, in the order in which they began to reference it.
  /// - Complexity: O(*k*) in the number of those entities.
  @inlinable
  @inline(__always)
  public func holderIDs(of target: Target.EntityID) -> [Holder.EntityID] {
    links.holders(of: target)
  }

  /// Returns the number of entities that reference the target.
  /// - Complexity: O(1) expected.
  public func holderCount(of target: Target.EntityID) -> Int { links.holderCount(of: target) }

  /// Returns whether an entity references the target.
  /// - Complexity: O(1) expected.
  @inlinable
  @inline(__always)
  public func isReferenced(_ target: Target.EntityID) -> Bool { links.hasHolder(of: target) }

  /// Returns whether a holder references the target.
  /// - Complexity: O(1) expected.
  public func isReferenced(_ target: Target.EntityID, by holder: Holder.EntityID) -> Bool {
    links.isHolder(holder, of: target)
  }

  /// The IDs of all entities that are referenced by a holder.
  /// - Complexity: O(*n*) in the number of those entities.
  public var linkedTargetIDs: [Target.EntityID] { links.targets }

  /// Removes all links.
  public mutating func removeAllLinks() { links = LinkMap() }
}

/// The least and the greatest number of entities that one key may reference, or of holders that may
/// reference one entity. An ID that occurs twice in a key counts twice.
///
/// The limits are checked once, at the end of a batch, for the rows whose number of references or
/// holders the batch may have changed.
@frozen
public struct CountLimits: Hashable, Sendable, CustomStringConvertible {
  /// The least allowed number.
  @usableFromInline package let minimum: Int
  /// The greatest allowed number, or `nil` for no maximum.
  @usableFromInline package let maximum: Int?

  @inlinable
  init(minimum: Int, maximum: Int?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Any number.
  public static let any = CountLimits(minimum: 0, maximum: nil)

  /// Returns limits that allow a number and every greater one.
  public static func atLeast(_ minimum: Int) -> Self { Self(minimum: minimum, maximum: nil) }

  /// Returns limits that allow a number and every lower one.
  public static func atMost(_ maximum: Int) -> Self { Self(minimum: 0, maximum: maximum) }

  /// Returns limits that allow the numbers of a range.
  public static func between(_ range: ClosedRange<Int>) -> Self {
    Self(minimum: range.lowerBound, maximum: range.upperBound)
  }

  /// Returns limits that allow exactly one number.
  public static func exactly(_ count: Int) -> Self { Self(minimum: count, maximum: count) }

  /// Whether the limits allow a number of entities.
  package func allow(_ count: Int) -> Bool {
    count >= minimum && maximum.map { count <= $0 } ?? true
  }

  /// The limits in words, as in `at least 1`.
  public var description: String {
    switch (minimum, maximum) {
    case (let minimum, let maximum?) where minimum == maximum: "exactly \(minimum)"
    case (...0, let maximum?): "at most \(maximum)"
    case (let minimum, let maximum?): "\(minimum) to \(maximum)"
    case (...0, nil): "any number"
    case (let minimum, nil): "at least \(minimum)"
    }
  }
}

/// The rule for the holder of a key when the entity that the key references is removed.
public enum DeleteRule: Hashable, Sendable {
  /// The holder is removed too, and its delete rules apply in turn.
  case cascade
  /// A holder that references the entity when the entity is removed must no longer reference it at
  /// the end of the batch. Otherwise, the batch is refused. A reference that is written after the
  /// removal is allowed, and dangles.
  case deny
  /// The holder keeps a dangling key, which is read as missing.
  case keepDangling
}

extension DeleteRule {
  /// Unavailable: the rule requires a key that can be set to `nil` or emptied.
  @available(
    *, unavailable,
    message:
      "this key cannot be emptied; make it an optional, a list or a set declared with 'var', and write '.nullify' without 'DeleteRule'; or use '.cascade', '.deny' or '.keepDangling'"
  )
  public static var nullify: DeleteRule { .deny }
}

/// The rule for the holder of an optional or list key when an entity that the key references is
/// removed.
public enum NullableDeleteRule: Hashable, Sendable {
  /// The holder is removed too, and its delete rules apply in turn.
  case cascade
  /// The key is set to `nil`, or the ID is removed from the list.
  case nullify
  /// A holder that references the entity when the entity is removed must no longer reference it at
  /// the end of the batch. Otherwise, the batch is refused. A reference that is written after the
  /// removal is allowed, and dangles.
  case deny
  /// The holder keeps a dangling key, which is read as missing.
  case keepDangling

  @usableFromInline
  init(_ rule: DeleteRule) {
    switch rule {
    case .cascade: self = .cascade
    case .deny: self = .deny
    case .keepDangling: self = .keepDangling
    }
  }
}

/// The rule for the entities that a key references when its holder is removed.
public enum HolderDeleteRule: Hashable, Sendable {
  /// The entities stay.
  case keep
  /// The entities are removed too, and their delete rules apply in turn.
  case cascade
}

/// The kind of a relationship's key.
@usableFromInline
package enum RelationshipKind: String, Hashable, Sendable, CustomStringConvertible {
  /// The key always references one entity.
  case toOne = "to one"
  /// The key references at most one entity.
  case optionalToOne = "to one or none"
  /// The key references a list of entities, in the order of the list.
  case orderedToMany = "to many, ordered"
  /// The key is a set of IDs, or a map with IDs as keys. The IDs are read in ascending order.
  case unorderedToMany = "to many"

  /// Whether a key can reference more than one entity.
  package var isToMany: Bool { self == .orderedToMany || self == .unorderedToMany }

  /// The kind in words.
  @usableFromInline package var description: String { rawValue }
}

// These functions are for visitors that search for the relationships of one entity type. They
// compare that type with the types of both ends. In a specialized visitor, the compiler evaluates
// the comparison.
extension RelationshipType {
  /// Returns the IDs of the entities that an entity references, or `nil` if its type is not the
  /// holder type of this relationship.
  @inlinable
  @inline(__always)
  func targetIDs<Entity: EntityType>(ofAny entity: Entity) -> [Target.EntityID]? {
    Holder.self == Entity.self ? targetIDs(of: recast(entity, as: Holder.self)) : nil
  }

  /// Returns the ID of an entity, or `nil` if its type is not the target type of this relationship.
  @inlinable
  @inline(__always)
  func targetID<Entity: EntityType>(ofAny entity: Entity) -> Target.EntityID? {
    Target.self == Entity.self ? recast(entity.entityID, as: Target.EntityID.self) : nil
  }
}
