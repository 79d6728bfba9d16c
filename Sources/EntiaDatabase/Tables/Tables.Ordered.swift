public import EntiaCollections

extension Tables {
  /// Entities of one type in an order that the user decides, each stored once and found by its ID or
  /// by its position.
  ///
  /// ```swift
  /// var playlist = Tables.Ordered(songs)
  /// playlist.move("s7", to: 0)
  /// playlist.move("s3", before: "s9")
  /// playlist.insert(song, at: 2)
  /// ```
  ///
  /// Positions out of bounds, such as stale ones of a user interface, are clamped by insertions and
  /// moves and have no entity for `find(at:)` and `remove(at:)`; `subscript(position:)` alone requires
  /// a position that exists.
  ///
  /// A plain value with O(1) copies. Inserting, moving and removing take O(log *n*) anywhere and copy
  /// only the paths to what is changed. An entity that is replaced keeps its place, a new one goes
  /// last unless a position is given. Order is a part of equality and of what `changes(since:)` says.
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
  /// Whether two tables hold equal entities in the same order.
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

  /// Calls the closure with every entity, in order: the fastest way to go over all.
  /// - Throws: what the closure throws.
  /// - Complexity: O(*n*), with no work for an entity but the call.
  @inlinable
  @inline(__always)
  public func forEach(_ body: (Entity) throws -> Void) rethrows {
    try rows.forEach(body)
  }
}
