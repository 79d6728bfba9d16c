/// A relationship by a key that names a list of entities, in order.
///
/// ```swift
/// @Relationship var shelfBooks: ToMany<Shelf, Book> = .init(\.bookIDs, onDelete: .nullify)
/// ```
public struct ToMany<Holder: EntityType, Target: EntityType>: RelationshipType {
  @usableFromInline let key: FieldReader<Holder, [Target.EntityID]>
  let writablePath: (any WritableKeyPath<Holder, [Target.EntityID]> & Sendable)?
  @usableFromInline package var links = LinkMap<Holder, Target>()

  /// `true`: a key names a list of entities.
  @inlinable
  public static var isToMany: Bool { true }

  /// What happens to a holder when an entity it names is removed.
  public let onDelete: NullableDeleteRule
  /// What happens to the named entities when their holder is removed.
  public let onHolderDelete: HolderDeleteRule
  /// Whether whatever a key names must be there at the end of a batch: see `required()`.
  public internal(set) var isRequired = false

  /// Creates a relationship by a list that cannot be written, and so not nullified.
  /// - Parameters:
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable, onDelete: DeleteRule = .deny,
    onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.key = FieldReader(key)
    writablePath = nil
    self.onDelete = NullableDeleteRule(onDelete)
    self.onHolderDelete = onHolderDelete
  }

  /// Creates a relationship by a list.
  /// - Parameters:
  ///   - key: where the holder keeps the IDs.
  ///   - onDelete: what happens to a holder when an entity it names is removed.
  ///   - onHolderDelete: what happens to the named entities when their holder is removed.
  public init(
    _ key: any WritableKeyPath<Holder, [Target.EntityID]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    self.key = FieldReader(key)
    writablePath = key
    self.onDelete = onDelete
    self.onHolderDelete = onHolderDelete
  }

  /// Returns the IDs that a holder's key names, in the key's order.
  /// - Complexity: O(1).
  @inlinable
  public func targetIDs(of holder: Holder) -> [Target.EntityID] { key.read(holder) }

  /// Returns the IDs of the entities that name the target, in the order in which they came to.
  /// - Complexity: O(*k*) in the number of those entities.
  @inlinable
  public func holderIDs(of target: Target.EntityID) -> [Holder.EntityID] {
    links.holders(of: target)
  }

  /// Takes every mention of the targets out of the list.
  /// - Complexity: O(*k*) in the length of the list.
  public func nullify(_ targets: Set<Target.EntityID>, in holder: inout Holder) {
    guard let writablePath else { return }
    holder[keyPath: writablePath].removeAll { targets.contains($0) }
  }

  /// Takes note of a row's change: `nil` stands for absence.
  /// - Complexity: O(*k*) in the length of both lists, nothing when the list did not change.
  @inlinable
  public mutating func holderChanged(from old: Holder?, to new: Holder?) {
    let oldTargets = old.map(targetIDs) ?? []
    let newTargets = new.map(targetIDs) ?? []
    if oldTargets == newTargets, old?.entityID == new?.entityID { return }
    let kept =
      oldTargets.isEmpty || newTargets.isEmpty ? [] : Set(oldTargets).intersection(newTargets)
    if let old {
      for target in oldTargets where !kept.contains(target) {
        links.unlink(old.entityID, from: target)
      }
    }
    if let new {
      for target in newTargets where !kept.contains(target) {
        links.link(new.entityID, to: target)
      }
    }
  }

  /// The IDs of every entity that some holder names.
  /// - Complexity: O(*n*) in the number of those entities.
  public var linkedTargetIDs: [Target.EntityID] { links.targets }

  /// Forgets every link.
  public mutating func removeAllLinks() { links = LinkMap() }
}
