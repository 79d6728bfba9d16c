/// An index by a key of its rows, such as a field.
///
/// An entity whose key is `nil` is left out.
public protocol KeyedIndexType<Entity, Key>: IndexType {
  /// The type of the keys.
  associatedtype Key: Sendable

  /// Reads the key of an entity.
  var keyReader: IndexKeyReader<Entity, Key> { get }

  /// Creates an index without rows.
  init(keyReader: IndexKeyReader<Entity, Key>)
}

extension KeyedIndexType {
  /// Creates an index by a field.
  /// - Parameters:
  ///   - key: The field.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    _ key: any KeyPath<Entity, Key> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(keyReader: IndexKeyReader(key, where: condition)) }

  /// Creates an index by an optional field; entities whose field is `nil` are left out.
  /// - Parameters:
  ///   - key: The field.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    _ key: any KeyPath<Entity, Key?> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(keyReader: IndexKeyReader(key, where: condition)) }

  /// Creates an index by a key that a closure computes. Entities for which it returns `nil` are
  /// left out. It must return equal keys for equal entities.
  @_disfavoredOverload
  public init(_ key: @escaping @Sendable (Entity) -> Key?) {
    self.init(keyReader: IndexKeyReader(closure: key))
  }

  /// Returns the key of an entity, or `nil` when the entity is left out.
  @inlinable
  public func key(of entity: Entity) -> Key? { keyReader.key(of: entity) }

  /// The fields of the key, the most significant first.
  public var fields: [IndexField<Entity>] { keyReader.fields }

  /// The rows that the index contains.
  public var coverage: IndexCoverage { keyReader.coverage }
}
