/// A relationship between two entity types, declared once in a storage: the holder has the key, the
/// target is what the key names. Both directions are kept from the changes of rows. A database that
/// was decoded has the reverse direction in the order of the holders' rows.
public protocol RelationshipType<Holder, Target>: Sendable {
  /// The entity that has the key.
  associatedtype Holder: EntityType
  /// The entity that the key names.
  associatedtype Target: EntityType

  /// Whether a key names a list of entities rather than one.
  static var isToMany: Bool { get }

  /// What a key is like.
  var kind: RelationshipKind { get }
  /// How many entities a key may name, where it names several.
  var countLimits: CountLimits { get }
  /// What happens to a holder when the entity it names is removed.
  var onDelete: NullableDeleteRule { get }
  /// What happens to the named entities when their holder is removed.
  var onHolderDelete: HolderDeleteRule { get }

  /// Returns the IDs that a holder's key names, in the key's order.
  func targetIDs(of holder: Holder) -> [Target.EntityID]

  /// Returns the IDs of the entities that name the target, in the order in which they came to.
  func holderIDs(of target: Target.EntityID) -> [Holder.EntityID]

  /// Returns whether some entity names the target.
  func isNamed(_ target: Target.EntityID) -> Bool

  /// The IDs of every entity that some holder names.
  var linkedTargetIDs: [Target.EntityID] { get }

  /// Whether whatever a key names must be there at the end of a batch.
  var isRequired: Bool { get }

  /// Takes the targets out of a holder's key, where the rule is `nullify`.
  func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder)

  /// Takes note of a row's change: `nil` stands for absence.
  mutating func holderChanged(from old: Holder?, to new: Holder?)

  /// Forgets every link.
  mutating func removeAllLinks()
}

extension RelationshipType {
  /// To one or to a list, as the type says.
  public var kind: RelationshipKind { Self.isToMany ? .orderedToMany : .optionalToOne }

  /// Any number.
  public var countLimits: CountLimits { .any }

  /// Whether there is a holder.
  public func isNamed(_ target: Target.EntityID) -> Bool { !holderIDs(of: target).isEmpty }
}
