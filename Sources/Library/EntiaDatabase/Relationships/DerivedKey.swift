import EntiaCollections

/// A key of several IDs that is not a plain list of them, with closures to read, compare and
/// write it.
@usableFromInline
struct DerivedKey<Holder: EntityType, Target: EntityType>: Sendable {
  let kind: RelationshipKind
  /// The field that is the key; `nil` when a closure derives the IDs from its elements.
  let path: (any PartialKeyPath<Holder> & Sendable)?
  let read: @Sendable (Holder) -> [Target.EntityID]
  /// Whether two versions of a holder have the same key.
  let isSame: @Sendable (Holder, Holder) -> Bool
  /// Removes targets from the key; `nil` when the key cannot be written.
  var remove: (@Sendable (inout Holder, Set<Target.EntityID>) -> Void)?

  /// Creates a key of any type from which IDs can be read.
  ///
  /// - Parameter isCollectionOfIDs: Whether the key itself contains exactly the IDs.
  init<Key: Equatable & Sendable>(
    _ path: any KeyPath<Holder, Key> & Sendable, kind: RelationshipKind,
    isCollectionOfIDs: Bool = false,
    ids: @escaping @Sendable (Key) -> [Target.EntityID]
  ) {
    let reader = FieldReader(path)
    self.kind = kind
    self.path = isCollectionOfIDs ? path : nil
    read = { ids(reader.read($0)) }
    isSame = { haveSameValue(reader.read($0), reader.read($1)) }
  }

  /// Returns the same key with a closure that removes targets.
  func removing(
    _ remove: @escaping @Sendable (inout Holder, Set<Target.EntityID>) -> Void
  ) -> Self {
    var result = self
    result.remove = remove
    return result
  }
}
