public import EntiaCollections

extension Indexes {
  /// An index from a key to the entities that have it.
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
    ///   - key: The field.
    ///   - condition: Returns whether to index an entity; `nil` to index all.
    public init(
      _ key: any KeyPath<Entity, Key> & Sendable,
      where condition: (@Sendable (Entity) -> Bool)? = nil
    ) { reader = IndexKeyReader(key, condition) }

    /// Creates an index by an optional field; entities whose field is `nil` are left out.
    /// - Parameters:
    ///   - key: The field.
    ///   - condition: Returns whether to index an entity; `nil` to index all.
    public init(
      _ key: any KeyPath<Entity, Key?> & Sendable,
      where condition: (@Sendable (Entity) -> Bool)? = nil
    ) { reader = IndexKeyReader(key, condition) }

    /// Creates an index by a key that a closure computes. Entities for which it returns `nil` are
    /// left out. It must return equal keys for equal entities.
    @_disfavoredOverload
    public init(_ key: @escaping @Sendable (Entity) -> Key?) {
      reader = IndexKeyReader(closure: key)
    }

    /// The number of keys.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { table.count }

    /// Whether no entity is indexed.
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { table.isEmpty }

    /// Returns the key of an entity, or `nil` when the entity is left out.
    @inlinable
    public func key(of entity: Entity) -> Key? { reader.key(of: entity) }

    /// Returns the IDs of the entities with a key, in the order in which they got it.
    /// - Complexity: O(*k*) in the number of those entities.
    @inlinable
    public func ids(for key: Key) -> [Entity.EntityID] { table[HashedKey(key)]?.value.ids ?? [] }

    /// Whether an entity has a key.
    /// - Complexity: O(1) expected.
    @inlinable
    public func contains(_ key: Key) -> Bool { table.contains(HashedKey(key)) }

    /// Returns every key, in the order of its first use.
    /// - Complexity: O(*n*) in the number of keys.
    @inlinable
    public func keys() -> [Key] { table.map(\.key.key) }
  }
}

extension Indexes.Hash: IndexType {
  /// The fields of the key, the most significant first.
  public var fields: [IndexField<Entity>] { reader.fields }

  /// The rows that the index contains.
  public var coverage: IndexCoverage { reader.coverage }

  /// Updates the index for a change of a row; `nil` stands for absence.
  /// - Complexity: O(log *n*); no update when the key did not change.
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

  /// Removes every row.
  @inlinable
  public mutating func removeAll() { table.removeAll() }

  /// Returns the differences between this index and the same index built from every row.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(
      table.lazy.map { ($0.key, $0.value.ids) },
      rebuilt.table.lazy.map { ($0.key, $0.value.ids) })
  }
}
