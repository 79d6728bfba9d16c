public import EntiaCollections

extension Tables {
  /// Entities of one type, each stored once and found by its ID.
  ///
  /// A plain value with O(1) copies: a copy shares all storage with the original, and a mutation
  /// copies only the path to the change. Iteration follows insertion order; a replaced entity
  /// keeps its place. Order is not part of equality.
  @frozen
  public struct Hash<Entity: EntityType>: Sendable {
    @usableFromInline package var rows: PersistentTable<EntityTableLayout<Entity>>

    /// Creates an empty table.
    /// - Complexity: O(1); nothing is allocated.
    @inlinable
    public init() { rows = PersistentTable() }

    /// Creates a table of the entities. Of several with the same ID, the last one is stored in
    /// the place of the first.
    /// - Complexity: O(*n*) expected.
    @inlinable
    public init(_ entities: some Sequence<Entity>) { rows = PersistentTable(entities) }

    /// The number of entities.
    /// - Complexity: O(1).
    @inlinable
    public var count: Int { rows.count }

    /// Returns the entity with an ID, or `nil`.
    /// - Complexity: O(1) expected.
    @inlinable
    @inline(__always)
    public func find(by id: Entity.EntityID) -> Entity? { rows[id] }

    /// Returns the entities with the IDs, in the order of the IDs, without the missing ones.
    ///
    /// It is faster than successive lookups, because the processor fetches the rows of several IDs
    /// at the same time.
    /// - Complexity: O(*k*) expected in the number of IDs.
    @inlinable
    public func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] { rows.elements(of: ids) }

    /// Returns the entity with an ID in a table in memory that the caller keeps alive and
    /// unchanged.
    @inlinable
    @inline(__always)
    static func find(by id: Entity.EntityID, in table: UnsafeMutablePointer<Self>) -> Entity? {
      // The rows are the only stored property of a table, so both have the same address.
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      return Rows.element(id, in: UnsafeRawPointer(table).assumingMemoryBound(to: Rows.self))
    }

    /// Returns the address of the entity with an ID. The caller keeps the table alive and
    /// unchanged.
    @inlinable
    @inline(__always)
    static func row(
      of id: Entity.EntityID, in table: UnsafeMutablePointer<Self>
    ) -> UnsafePointer<Entity>? {
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      return Rows.address(of: id, in: UnsafeRawPointer(table).assumingMemoryBound(to: Rows.self))
    }

    /// Returns the addresses of the entities with the next few IDs of a list. The caller keeps the
    /// table alive and unchanged.
    @inlinable
    @inline(__always)
    static func nextRows(
      of ids: UnsafeBufferPointer<Entity.EntityID>, from start: Int,
      in table: UnsafeMutablePointer<Self>
    ) -> NextElements<Entity> {
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      return Rows.nextElements(
        ids, from: start, in: UnsafeRawPointer(table).assumingMemoryBound(to: Rows.self))
    }

    /// Whether two tables contain the same rows and share all of them. The caller keeps both
    /// alive and unchanged.
    @inlinable
    @inline(__always)
    static func isSame(_ a: UnsafePointer<Self>, _ b: UnsafePointer<Self>) -> Bool {
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      return Rows.isSame(
        UnsafeRawPointer(a).assumingMemoryBound(to: Rows.self),
        UnsafeRawPointer(b).assumingMemoryBound(to: Rows.self))
    }

    /// Calls the closure with the rows in which two tables differ, both old and new ones. The
    /// caller keeps both alive and unchanged.
    @inlinable
    @inline(__always)
    static func visitDiffering(
      _ a: UnsafePointer<Self>, _ b: UnsafePointer<Self>, _ body: (UnsafePointer<Entity>) -> Void
    ) {
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      Rows.visitDiffering(
        UnsafeRawPointer(a).assumingMemoryBound(to: Rows.self),
        UnsafeRawPointer(b).assumingMemoryBound(to: Rows.self), body)
    }

    /// Calls the closure with the ID of each row that was inserted, updated or removed between two
    /// versions. The caller keeps both alive and unchanged.
    @inlinable
    @inline(__always)
    static func visitDifferingIDs(
      _ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>, _ body: (Entity.EntityID) -> Void
    ) {
      typealias Rows = PersistentTable<EntityTableLayout<Entity>>
      Rows.visitDifferingKeys(
        UnsafeRawPointer(old).assumingMemoryBound(to: Rows.self),
        UnsafeRawPointer(new).assumingMemoryBound(to: Rows.self), body)
    }

    /// Whether the table contains an entity with an ID.
    /// - Complexity: O(1) expected.
    @inlinable
    @inline(__always)
    public func contains(_ id: Entity.EntityID) -> Bool { rows.contains(id) }

    /// Returns all entities, in insertion order.
    /// - Complexity: O(*n*).
    @inlinable
    public func allEntities() -> [Entity] { rows.elements }

    /// Whether two tables are the same version and share all storage; `true` implies that they
    /// are equal.
    /// - Complexity: O(1).
    @inlinable
    public func isIdentical(to other: Self) -> Bool { rows.isIdentical(to: other.rows) }
  }
}

extension Tables.Hash: Equatable {
  /// Whether two tables contain equal entities, in any order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   tables.
  @inlinable
  @inline(__always)
  public static func == (a: Self, b: Self) -> Bool { a.rows == b.rows }
}

extension Tables.Hash: Sequence {
  /// Returns an iterator over the entities, in insertion order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> PersistentTable<EntityTableLayout<Entity>>.Iterator {
    rows.makeIterator()
  }

  /// Calls the closure with every entity, in insertion order. It is the fastest way to visit all
  /// entities.
  /// - Throws: The error that the closure throws.
  /// - Complexity: O(*n*), without overhead for an entity except the call.
  @inlinable
  @inline(__always)
  public func forEach(_ body: (Entity) throws -> Void) rethrows {
    try rows.forEach(body)
  }
}
