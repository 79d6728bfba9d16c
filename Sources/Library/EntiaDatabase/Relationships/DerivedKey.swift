import EntiaCollections

/// A key that references several entities and is not a plain array of IDs. Closures read and
/// compare the key.
@usableFromInline
struct DerivedKey<Holder: EntityType, Target: EntityType>: Sendable {
  /// The field that is the key; `nil` when a closure derives the IDs from the elements of the
  /// field.
  let path: (any PartialKeyPath<Holder> & Sendable)?
  let read: @Sendable (Holder) -> [Target.EntityID]
  /// Whether two versions of a holder have the same key.
  let isSame: @Sendable (Holder, Holder) -> Bool

  /// Creates a key of any type from which IDs can be read.
  ///
  /// - Parameter isCollectionOfIDs: Whether the elements of the key are the IDs themselves.
  init<Key: Equatable & Sendable>(
    _ path: any KeyPath<Holder, Key> & Sendable, isCollectionOfIDs: Bool = false,
    ids: @escaping @Sendable (Key) -> [Target.EntityID]
  ) {
    let reader = FieldReader(path)
    self.path = isCollectionOfIDs ? path : nil
    read = { ids(reader.read($0)) }
    isSame = { haveSameValue(reader.read($0), reader.read($1)) }
  }
}

/// Reads the field of an entity at a key path, as fast as the path allows.
///
/// A stored property is read at its offset, which costs a load. Any other property is read by the
/// key path, which costs about 25 ns. The offset is determined once, when the reader is created.
@frozen
@usableFromInline
struct FieldReader<Root: Sendable, Value>: Sendable {
  @usableFromInline let path: any KeyPath<Root, Value> & Sendable
  @usableFromInline let offset: Int?

  @usableFromInline
  init(_ path: any KeyPath<Root, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<Root>.offset(of: path)
  }

  @inlinable
  @inline(__always)
  func read(_ root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    // The documentation of `offset(of:)` allows this access, because a stored property with the
    // type `Value` is at the offset in `root`.
    return withUnsafePointer(to: root) {
      (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}
