public import EntiaCollections

extension Indexes {
  /// The IDs of entities in the order of a key; equal keys are in the order of the IDs.
  ///
  /// ```swift
  /// @Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\.year)
  /// @Index var booksByTitle: Indexes.Sorted<Book, String> = .init { $0.title.lowercased() }
  ///
  /// library.booksByYear.ids(in: 1960..<1970)
  /// library.booksByYear.last
  /// ```
  ///
  /// An entity whose key is `nil` is left out: an index by an optional field has the key of the
  /// wrapped type. `SortKeys` combines several fields in a key.
  public struct Sorted<Entity: EntityType, Key: Comparable & Sendable>: Sendable
  where Entity.EntityIDRawType: Comparable {
    /// The order of the entries.
    public typealias Order = IndexOrder<Key, Entity.EntityID>

    /// Reads the key of an entity.
    public let keyReader: IndexKeyReader<Entity, Key>
    @usableFromInline package var tree = SortedTree<IndexOrder<Key, Entity.EntityID>>()

    /// Creates an index without rows.
    public init(keyReader: IndexKeyReader<Entity, Key>) { self.keyReader = keyReader }

    /// The number of indexed entities.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { tree.count }

    /// Whether no entity is indexed.
    /// - Complexity: O(1).
    @inlinable
    public var isEmpty: Bool { tree.isEmpty }
  }
}

extension Indexes.Sorted: KeyedIndexType {
  /// Updates the index for a change of a row; `nil` stands for absence.
  /// - Complexity: O(log *n*); no update when the key did not change.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    let oldKey = old.flatMap { keyReader.key(of: $0) }
    let newKey = new.flatMap { keyReader.key(of: $0) }
    if haveSameValue(oldKey, newKey) { return }
    if let old, let oldKey { tree.remove(SortedEntry(key: oldKey, id: old.entityID)) }
    if let new, let newKey { tree.insert(SortedEntry(key: newKey, id: new.entityID)) }
  }

  /// Removes every row.
  @inlinable
  public mutating func removeAll() { tree.removeAll() }

  /// Rebuilds the index from rows, regardless of its contents: the entries are sorted once, and the
  /// tree is built from them.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*); O(*n*) when the rows are in the order of the index.
  @inlinable
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var entries: [SortedEntry<Key, Entity.EntityID>] = []
    visitRows { row in
      if let key = keyReader.key(of: row) {
        entries.append(SortedEntry(key: key, id: row.entityID))
      }
    }
    entries.sort(by: Order.precedes)
    tree = SortedTree(entries)
  }

  /// Returns the differences between this index and the same index built from every row.
  /// - Complexity: O(*n*).
  public func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    tree.differences(from: rebuilt.tree).map { difference in
      let entry =
        switch difference {
        case .inserted(let entry), .removed(let entry): entry
        }
      return IndexMismatch(entity: EntityLabel(entry.id), key: String(describing: entry.key))
    }
  }
}
