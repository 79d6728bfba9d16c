public import EntiaCollections

extension Indexes {
  /// Entities in groups by a key: a field, or the ID of a parent.
  ///
  /// ```swift
  /// @Index var booksByAuthor: Indexes.GroupBy<Book, Author.EntityID> = .init(\.authorID)
  ///
  /// library.booksByAuthor.count(in: "a1")
  /// library.booksByAuthor.ids(in: "a1")
  /// ```
  ///
  /// An entity whose key is `nil` is in no group. Groups without entities do not exist.
  public struct GroupBy<Entity: EntityType, Key: Hashable & Sendable>: Sendable {
    @usableFromInline var hash: Hash<Entity, Key>

    /// Creates an index without rows.
    @inlinable
    public init(keyReader: IndexKeyReader<Entity, Key>) { hash = Hash(keyReader: keyReader) }

    /// Reads the key of an entity.
    @inlinable
    public var keyReader: IndexKeyReader<Entity, Key> { hash.keyReader }

    /// Returns the keys of the groups, in the order in which the groups were created.
    /// - Complexity: O(*g*) in the number of groups.
    @inlinable
    public func groups() -> [Key] { hash.keys() }

    /// Returns the number of entities in a group.
    /// - Complexity: O(1) expected.
    @inlinable
    public func count(in group: Key) -> Int { hash.table[HashedKey(group)]?.value.count ?? 0 }

    /// Returns the IDs of the entities in a group, in the order in which they were added to it.
    /// - Complexity: O(*k*) in the number of those entities.
    @inlinable
    public func ids(in group: Key) -> [Entity.EntityID] { hash.ids(for: group) }
  }
}

extension Indexes.GroupBy: KeyedIndexType, RebuildableIndex {
  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*); no update when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    hash.rowChanged(from: old, to: new)
  }

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    hash.rebuild(visitRows)
  }

  /// Returns the differences between this index and the same index built from every row.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    hash.mismatches(from: rebuilt.hash)
  }
}
