import EntiaCollections

/// A key of several IDs that is not simply a list of them: how it is read, compared and written.
@usableFromInline
struct DerivedKey<Holder: EntityType, Target: EntityType>: Sendable {
  let kind: RelationshipKind
  /// The field that is the key; `nil` where the IDs are derived from its elements by a closure.
  let path: (any PartialKeyPath<Holder> & Sendable)?
  let read: @Sendable (Holder) -> [Target.EntityID]
  /// Whether two versions of a holder surely have one and the same key.
  let isSame: @Sendable (Holder, Holder) -> Bool
  /// Takes targets out, or is `nil` where the key cannot be written.
  var remove: (@Sendable (inout Holder, Set<Target.EntityID>) -> Void)?

  /// A key of any type from which IDs can be read.
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

  /// The same key, from which targets can be taken.
  func removing(
    _ remove: @escaping @Sendable (inout Holder, Set<Target.EntityID>) -> Void
  ) -> Self {
    var result = self
    result.remove = remove
    return result
  }
}
