public import EntiaCollections

extension Tables {
  /// Entities of one type in an order that the user decides, each stored once and found by its ID
  /// or its position.
  ///
  /// ```swift
  /// var playlist = Tables.Ordered(songs)
  /// playlist.move("s7", to: 0)
  /// playlist.move("s3", before: "s9")
  /// playlist.insert(song, at: 2)
  /// ```
  ///
  /// Insertions and moves clamp positions out of bounds, such as stale ones of a user interface.
  /// `find(at:)` and `remove(at:)` return `nil` for them. Only `subscript(position:)` requires an
  /// existing position.
  ///
  /// A plain value with O(1) copies. Insertions, moves and removals take O(log *n*) at any
  /// position and copy only the paths to the change. A replaced entity keeps its place; a new one
  /// is appended unless a position is given. Order is part of equality and of `changes(since:)`.
  @frozen
  public struct Ordered<Entity: EntityType>: Sendable {
    @usableFromInline package var rows: PersistentOrderedTable<EntityTableLayout<Entity>>

    /// Creates an empty table.
    /// - Complexity: O(1); nothing is allocated.
    @inlinable
    public init() { rows = PersistentOrderedTable() }

    /// Creates a table of the entities in their order. Of several with the same ID, the last one
    /// is stored in the place of the first.
    /// - Complexity: O(*n*) expected.
    @inlinable
    public init(_ entities: some Sequence<Entity>) { rows = PersistentOrderedTable(entities) }

    /// The number of entities.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { rows.count }

    /// Returns the entity with an ID, or `nil`.
    /// - Complexity: O(1) expected.
    @inlinable
    @inline(__always)
    public func find(by id: Entity.EntityID) -> Entity? { rows[id] }

    /// Whether the table contains an entity with an ID.
    /// - Complexity: O(1) expected.
    @inlinable
    @inline(__always)
    public func contains(_ id: Entity.EntityID) -> Bool { rows.contains(id) }

    /// Returns all entities, in order.
    /// - Complexity: O(*n*).
    @inlinable
    public func allEntities() -> [Entity] { Array(rows) }

    /// Whether two tables are the same version and share all storage; `true` implies that they
    /// are equal.
    /// - Complexity: O(1).
    @inlinable
    public func isIdentical(to other: Self) -> Bool { rows.isIdentical(to: other.rows) }
  }
}

extension Tables.Ordered: Equatable {
  /// Whether two tables contain equal entities in the same order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   tables.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.rows == b.rows }
}

extension Tables.Ordered: Sequence {
  /// Returns an iterator over the entities, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> PersistentOrderedTable<EntityTableLayout<Entity>>.Iterator {
    rows.makeIterator()
  }

  /// Calls the closure with every entity, in order. It is the fastest way to visit all entities.
  /// - Throws: The error that the closure throws.
  /// - Complexity: O(*n*), without overhead for an entity except the call.
  @inlinable
  @inline(__always)
  public func forEach(_ body: (Entity) throws -> Void) rethrows {
    try rows.forEach(body)
  }
}
