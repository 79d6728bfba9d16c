public import EntiaCollections

extension Indexes {
  /// From a key to the one entity that has it; a batch after which two have it is refused.
  ///
  /// ```swift
  /// @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
  ///
  /// library.authorEmail.find(by: "a@b.c")       // Author.EntityID?
  /// ```
  ///
  /// While a batch runs, several entities may have one key. An entity whose key is `nil` is left
  /// out.
  public struct Unique<Entity: EntityType, Key: Hashable & Sendable>: Sendable {
    /// Who has a key: one, and while a batch runs perhaps more, in the order in which they came.
    @frozen
    @usableFromInline
    struct Owners: Sendable {
      @usableFromInline var first: Entity.EntityID
      @usableFromInline var others: [Entity.EntityID] = []

      @inlinable
      init(_ first: Entity.EntityID) { self.first = first }
    }

    @usableFromInline let reader: IndexKeyReader<Entity, Key>
    @usableFromInline var table = PersistentTable<EntryKeyed<HashedKey<Key>, Owners>>()
    /// How many keys several entities have: none between batches.
    @usableFromInline var clashCount = 0

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

    /// Returns the ID of the entity with a key, or `nil`.
    ///
    /// Inside a batch several may have the key, and then this is the one that came to have it first.
    /// - Complexity: O(1) expected.
    @inlinable
    public func find(by key: Key) -> Entity.EntityID? { table[HashedKey(key)]?.value.first }

    /// Whether there is an entity with a key.
    /// - Complexity: O(1) expected.
    @inlinable
    public func contains(_ key: Key) -> Bool { table.contains(HashedKey(key)) }

    /// Returns the IDs of all entities with a key, in the order in which they came to have it: none
    /// or one, and inside of a batch perhaps more.
    @inlinable
    public func ids(for key: Key) -> [Entity.EntityID] {
      table[HashedKey(key)].map { [$0.value.first] + $0.value.others } ?? []
    }
  }
}

extension Indexes.Unique: IndexType {
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
    if let old, let oldKey { unfile(old.entityID, under: HashedKey(oldKey)) }
    if let new, let newKey { file(new.entityID, under: HashedKey(newKey)) }
  }

  @inlinable
  mutating func file(_ id: Entity.EntityID, under key: HashedKey<Key>) {
    let others = table.update(key) { entry in
      entry.value.others.append(id)
      return entry.value.others.count
    }
    if others == nil {
      table.updateOrInsert(KeyValueEntry(key: key, value: Owners(id)))
    } else if others == 1 {
      clashCount += 1
    }
  }

  @inlinable
  mutating func unfile(_ id: Entity.EntityID, under key: HashedKey<Key>) {
    guard let owners = table[key]?.value else { return }
    if owners.others.isEmpty {
      if owners.first == id { table.remove(key) }
      return
    }
    let rest = ([owners.first] + owners.others).filter { $0 != id }
    table.update(key) { entry in
      entry.value.first = rest[0]
      entry.value.others = Array(rest.dropFirst())
    }
    if rest.count == 1 { clashCount -= 1 }
  }

  /// Forgets every row.
  @inlinable
  public mutating func removeAll() {
    table.removeAll()
    clashCount = 0
  }

  /// Returns where this index is not what it should be, given the same index built from every row.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(
      table.lazy.map { ($0.key, [$0.value.first] + $0.value.others) },
      rebuilt.table.lazy.map { ($0.key, [$0.value.first] + $0.value.others) })
  }
}
