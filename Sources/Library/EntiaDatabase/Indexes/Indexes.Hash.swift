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
    /// Reads the key of an entity.
    public let keyReader: IndexKeyReader<Entity, Key>
    @usableFromInline
    var table = PersistentTable<EntryKeyed<HashedKey<Key>, LinkList<Entity.EntityID>>>()

    /// Creates an index without rows.
    public init(keyReader: IndexKeyReader<Entity, Key>) { self.keyReader = keyReader }

    /// The number of keys.
    /// - Complexity: O(1).
    @inlinable
    package var count: Int { table.count }

    /// Returns the IDs of the entities with a key, in the order in which they got the key.
    /// - Complexity: O(*k*) in the number of those entities.
    @inlinable
    public func ids(for key: Key) -> [Entity.EntityID] { table[HashedKey(key)]?.value.ids ?? [] }

    /// Returns every key, in the order of its first use.
    /// - Complexity: O(*n*) in the number of keys.
    @inlinable
    public func keys() -> [Key] { table.map { $0.key.key } }
  }
}

extension Indexes.Hash: KeyedIndexType, RebuildableIndex {
  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(log *n*); no update when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    let oldKey = old.flatMap { keyReader.key(of: $0) }
    let newKey = new.flatMap { keyReader.key(of: $0) }
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

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    table.removeAll()
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

/// The kinds of indexes that a database maintains. A storage declares any number of them in
/// addition to its tables:
///
/// ```swift
/// @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
/// @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
/// ```
///
/// An index is derived from the rows. It matches the rows at all times, even within a batch. It is
/// not part of equality, of change sets or of the encoded form. There are four exceptions:
/// `OrderedID` and `Set` store held IDs, which the app chooses, and `Age` and `Responses` store how
/// rows were received.
public enum Indexes {}
