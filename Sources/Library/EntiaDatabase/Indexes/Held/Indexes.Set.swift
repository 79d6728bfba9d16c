package import EntiaCollections

extension Indexes {
  /// A set of *held IDs*: IDs that the app chooses, such as the IDs of unread books. When an entity
  /// is removed, its ID is removed from the set, too.
  ///
  /// ```swift
  /// @Index var unread: Indexes.Set<Book> = .init()
  /// ```
  ///
  /// A set is a part of the database's value, unlike an index that is derived from the rows. `==`
  /// compares the set, change sets contain its changes, and the encoded form contains its IDs.
  /// Iteration follows insertion order, which `==` ignores.
  public struct Set<Entity: EntityType>: Sendable {
    package var table = PersistentTable<SelfKeyed<Entity.EntityID>>()

    /// Creates an empty set.
    public init() {}

    /// The number of IDs.
    /// - Complexity: O(1).
    public var count: Int { table.count }

    /// Whether the set is empty.
    /// - Complexity: O(1).
    public var isEmpty: Bool { table.isEmpty }

    /// Returns all IDs, in insertion order.
    /// - Complexity: O(*n*).
    public func ids() -> [Entity.EntityID] { Array(table) }

    /// Whether an ID is in the set.
    /// - Complexity: O(1) expected.
    public func contains(_ id: Entity.EntityID) -> Bool { table.contains(id) }
  }
}

extension Indexes.Set: HeldIDs, RebuildableIndex, Sealed {
  /// Whether two sets have the same IDs.
  public static func == (a: Self, b: Self) -> Bool { a.table == b.table }

  /// Whether this set and another are one version and share all storage; `true` implies that they
  /// are equal.
  /// - Complexity: O(1).
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }

  /// Inserts an ID into the set, unless it is held.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ id: Entity.EntityID) {
    table.updateOrInsert(id)
  }

  /// Removes an ID from the set.
  /// - Returns: Whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Bool { table.remove(id) != nil }

  /// Returns the IDs that only one of two versions has. The IDs in `inserted` are only in this
  /// version, and the IDs in `removed` only in `old`. Each list is in the order of its version.
  /// - Complexity: O(changes · log *n*) for versions of one history, O(*n*) for others.
  public func differences(
    from old: Self
  ) -> (inserted: [Entity.EntityID], removed: [Entity.EntityID]) {
    var changes: (inserted: [Entity.EntityID], removed: [Entity.EntityID]) = ([], [])
    for difference in table.differences(from: old.table) {
      switch difference {
      case .inserted(let id): changes.inserted.append(id)
      case .removed(let id): changes.removed.append(id)
      case .updated: break
      }
    }
    return changes
  }

  /// Returns an iterator over the IDs, in insertion order.
  /// - Complexity: O(1).
  public func makeIterator() -> AnyIterator<Entity.EntityID> { AnyIterator(table.makeIterator()) }
}

extension Indexes.Set: Encodable where Entity.EntityIDRawType: Encodable {}
extension Indexes.Set: Decodable where Entity.EntityIDRawType: Decodable {}
