public import EntiaCollections

extension Indexes {
  /// From a key to the entities that have it.
  ///
  /// ```swift
  /// @Index var booksByTag: Indexes.Hash<Book, String> = .init(\.tag)
  ///
  /// library.booksByTag.ids(for: "logic")
  /// ```
  ///
  /// An entity whose key is `nil` is left out.
  public struct Hash<Entity: EntityType, Key: Hashable & Sendable>: Sendable {
    @usableFromInline let reader: IndexKeyReader<Entity, Key>
    @usableFromInline
    var table = PersistentTable<EntryKeyed<HashedKey<Key>, LinkList<Entity.EntityID>>>()

    /// Creates an index by a field.
    /// - Parameters:
    ///   - key: the field.
    ///   - condition: which entities are indexed; all, when there is none.
    public init(
      _ key: any KeyPath<Entity, Key> & Sendable,
      where condition: (@Sendable (Entity) -> Bool)? = nil
    ) { reader = IndexKeyReader(key, condition) }

    /// Creates an index by an optional field; entities that have none are left out.
    /// - Parameters:
    ///   - key: the field.
    ///   - condition: which entities are indexed; all, when there is none.
    public init(
      _ key: any KeyPath<Entity, Key?> & Sendable,
      where condition: (@Sendable (Entity) -> Bool)? = nil
    ) { reader = IndexKeyReader(key, condition) }

    /// Creates an index by a key that a closure works out; entities for which it gives `nil` are
    /// left out. It must give equal keys for equal entities.
    @_disfavoredOverload
    public init(_ key: @escaping @Sendable (Entity) -> Key?) {
      reader = IndexKeyReader(closure: key)
    }

    /// How many keys there are.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { table.count }

    /// Whether no entity is indexed.
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { table.isEmpty }

    /// Returns the key of an entity, or `nil` for one that is left out.
    @inlinable
    public func key(of entity: Entity) -> Key? { reader.key(of: entity) }

    /// Returns the IDs of the entities with a key, in the order in which they came to have it.
    /// - Complexity: O(*k*) in the number of those entities.
    @inlinable
    public func ids(for key: Key) -> [Entity.EntityID] { table[HashedKey(key)]?.value.ids ?? [] }

    /// Whether there is an entity with a key.
    /// - Complexity: O(1) expected.
    @inlinable
    public func contains(_ key: Key) -> Bool { table.contains(HashedKey(key)) }

    /// Returns every key, in the order in which they came.
    /// - Complexity: O(*n*) in the number of keys.
    @inlinable
    public func keys() -> [Key] { table.map(\.key.key) }
  }
}

extension Indexes.Hash: IndexType {
  /// The fields that the key is made of, in order of weight.
  public var fields: [IndexField<Entity>] { reader.fields }

  /// Which rows the index has.
  public var coverage: IndexCoverage { reader.coverage }

  /// Takes note of a row's change: `nil` stands for absence.
  /// - Complexity: O(log *n*), nothing when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    let oldKey = old.flatMap { reader.key(of: $0) }
    let newKey = new.flatMap { reader.key(of: $0) }
    if haveSameValue(oldKey, newKey) { return }
    if let old, let oldKey {
      let key = HashedKey(oldKey)
      let isEmpty = table.update(key) { entry in
        entry.value.remove(old.entityID)
        return entry.value.isEmpty
      }
      if isEmpty == true { table.remove(key) }
    }
    if let new, let newKey {
      let key = HashedKey(newKey)
      if table.update(key, { $0.value.insert(new.entityID) }) == nil {
        table.updateOrInsert(KeyValueEntry(key: key, value: LinkList(new.entityID)))
      }
    }
  }

  /// Forgets every row.
  @inlinable
  public mutating func removeAll() { table.removeAll() }

  /// Returns where this index is not what it should be, given the same index built from every row.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(
      table.lazy.map { ($0.key, $0.value.ids) },
      rebuilt.table.lazy.map { ($0.key, $0.value.ids) })
  }
}
