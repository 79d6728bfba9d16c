/// A relationship between two entity types, declared once in a storage. The holder has the key,
/// and the target is the entity that the key references. Both directions are updated from the
/// changes of rows. In a decoded database, the reverse direction is in the order of the holders'
/// rows.
public protocol RelationshipType<Holder, Target>: Sendable {
  /// The entity that has the key.
  associatedtype Holder: EntityType
  /// The entity that the key references.
  associatedtype Target: EntityType

  /// Whether a key references a list of entities instead of one.
  static var isToMany: Bool { get }

  /// The kind of the key.
  var kind: RelationshipKind { get }
  /// The limits of the number of referenced entities, for a key that references several.
  var countLimits: CountLimits { get }
  /// The limits of the number of holders that may reference one entity.
  var holderLimits: CountLimits { get }
  /// The rule for holders when a referenced entity is removed.
  var onDelete: NullableDeleteRule { get }
  /// The rule for the referenced entities when their holder is removed.
  var onHolderDelete: HolderDeleteRule { get }

  /// Returns the IDs that a holder's key references, in the key's order.
  func targetIDs(of holder: Holder) -> [Target.EntityID]

  /// Returns the IDs of the entities that reference the target, in the order in which they began
  /// to.
  func holderIDs(of target: Target.EntityID) -> [Holder.EntityID]

  /// Returns the number of entities that reference the target.
  func holderCount(of target: Target.EntityID) -> Int

  /// Returns whether an entity references the target.
  func isReferenced(_ target: Target.EntityID) -> Bool

  /// Returns whether a holder references the target.
  func isReferenced(_ target: Target.EntityID, by holder: Holder.EntityID) -> Bool

  /// The IDs of all entities that are referenced by a holder.
  var linkedTargetIDs: [Target.EntityID] { get }

  /// Whether the entities that a key references must exist at the end of a batch.
  var isRequired: Bool { get }

  /// Removes the targets from a holder's key, if the rule is `nullify`.
  func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder)

  /// Updates the links for a change of a row; `nil` stands for absence.
  mutating func holderChanged(from old: Holder?, to new: Holder?)

  /// Removes all links.
  mutating func removeAllLinks()
}

extension RelationshipType {
  /// The default kind: an ordered list, or at most one entity, depending on `isToMany`.
  public var kind: RelationshipKind { Self.isToMany ? .orderedToMany : .optionalToOne }

  /// The default limits, which allow any number.
  public var countLimits: CountLimits { .any }

  /// The default limits, which allow any number.
  public var holderLimits: CountLimits { .any }

  /// The number of the holders' IDs.
  public func holderCount(of target: Target.EntityID) -> Int { holderIDs(of: target).count }

  /// Whether the holder is among those of the target.
  public func isReferenced(_ target: Target.EntityID, by holder: Holder.EntityID) -> Bool {
    holderIDs(of: target).contains(holder)
  }

  /// Whether the target has a holder.
  public func isReferenced(_ target: Target.EntityID) -> Bool { !holderIDs(of: target).isEmpty }
}
