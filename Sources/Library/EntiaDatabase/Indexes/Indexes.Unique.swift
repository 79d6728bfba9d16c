public import EntiaCollections

extension Indexes {
  /// An index from a key to the only entity that has it. A batch is refused if two entities have
  /// the same key at the end of the batch.
  ///
  /// ```swift
  /// @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
  ///
  /// library.authorEmail.find(by: "a@b.c")       // Author.EntityID?
  /// ```
  ///
  /// Within a batch, several entities may have the same key. An entity whose key is `nil` is left
  /// out.
  public struct Unique<Entity: EntityType, Key: Hashable & Sendable>: Sendable {
    /// The entities with a key, in the order in which they got the key: one, or several within a
    /// batch.
    @frozen
    @usableFromInline
    struct Owners: Sendable {
      @usableFromInline var first: Entity.EntityID
      @usableFromInline var others = Others.none

      @inlinable
      init(_ first: Entity.EntityID) { self.first = first }
    }

    /// The entities with a key, except for `first`. The list is stored indirectly, because almost
    /// every key has only one entity.
    @frozen
    @usableFromInline
    indirect enum Others: Sendable {
      case none
      case list(LinkList<Entity.EntityID>)
    }

    /// Reads the key of an entity.
    public let keyReader: IndexKeyReader<Entity, Key>
    @usableFromInline var table = PersistentTable<EntryKeyed<HashedKey<Key>, Owners>>()
    /// The number of keys that several entities have; 0 after a checked batch.
    @usableFromInline var duplicateCount = 0

    /// Creates an index without rows.
    public init(keyReader: IndexKeyReader<Entity, Key>) { self.keyReader = keyReader }

    /// The number of keys.
    /// - Complexity: O(1).
    @inlinable
    package var count: Int { table.count }

    /// Returns the ID of the entity with a key, or `nil` when no entity has it.
    ///
    /// Within a batch, several entities may have the key; the first that got it is returned.
    /// - Complexity: O(1) expected.
    @inlinable
    public func find(by key: Key) -> Entity.EntityID? { table[HashedKey(key)]?.value.first }

    /// Returns the IDs of all entities with a key, in the order in which they got the key. There is
    /// at most one, except within a batch.
    @inlinable
    package func ids(for key: Key) -> [Entity.EntityID] {
      table[HashedKey(key)].map { $0.value.ids } ?? []
    }
  }
}

extension Indexes.Unique.Owners {
  /// The entities, in the order in which they got the key.
  @inlinable
  var ids: [Entity.EntityID] {
    if case .list(let others) = others { [first] + others.ids } else { [first] }
  }

  /// Adds an entity.
  /// - Returns: Whether `first` was the only entity with the key before the call.
  /// - Complexity: O(log *n*).
  @inlinable
  mutating func add(_ id: Entity.EntityID) -> Bool {
    guard case .list(var list) = others else {
      others = .list(LinkList(id))
      return true
    }
    // `others` releases the list first, so that `list` is the only reference and changes in place.
    others = .none
    list.insert(id)
    others = .list(list)
    return false
  }

  /// Removes one of several entities.
  /// - Returns: Whether only one entity is left.
  /// - Complexity: O(log *n*).
  @inlinable
  mutating func remove(_ id: Entity.EntityID) -> Bool {
    guard case .list(var list) = others else { return false }
    others = .none
    if first == id, let next = list.first {
      first = next
      list.remove(next)
    } else {
      list.remove(id)
    }
    others = list.isEmpty ? .none : .list(list)
    return list.isEmpty
  }
}

extension Indexes.Unique: KeyedIndexType, RebuildableIndex {
  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*); no update when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    let oldKey = old.flatMap { keyReader.key(of: $0) }
    let newKey = new.flatMap { keyReader.key(of: $0) }
    if haveSameValue(oldKey, newKey) { return }
    if let old, let oldKey { unfile(old.entityID, under: HashedKey(oldKey)) }
    if let new, let newKey { file(new.entityID, under: HashedKey(newKey)) }
  }

  @inlinable
  mutating func file(_ id: Entity.EntityID, under key: HashedKey<Key>) {
    switch table.update(key, { $0.value.add(id) }) {
    case nil: table.updateOrInsert(KeyValueEntry(key: key, value: Owners(id)))
    case true?: duplicateCount += 1
    case false?: break
    }
  }

  @inlinable
  mutating func unfile(_ id: Entity.EntityID, under key: HashedKey<Key>) {
    guard let owners = table[key]?.value else { return }
    if case .none = owners.others {
      if owners.first == id { table.remove(key) }
      return
    }
    if table.update(key, { $0.value.remove(id) }) == true { duplicateCount -= 1 }
  }

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    table.removeAll()
    duplicateCount = 0
    visitRows { rowChanged(from: nil, to: $0) }
  }

  /// Returns the differences between this index and the same index built from every row.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(
      table.lazy.map { ($0.key, $0.value.ids) },
      rebuilt.table.lazy.map { ($0.key, $0.value.ids) })
  }
}
