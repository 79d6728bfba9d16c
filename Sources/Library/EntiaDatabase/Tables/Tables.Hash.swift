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

    /// Creates a table of the entities. Of several entities with the same ID, the last one is
    /// stored, at the position of the first.
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
    /// This is faster than successive lookups, because the processor fetches the rows of several
    /// IDs at the same time.
    /// - Complexity: O(*k*) expected in the number of IDs.
    @inlinable
    public func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] { rows.elements(of: ids) }

    @usableFromInline typealias Rows = PersistentTable<EntityTableLayout<Entity>>

    /// Returns the address of the rows of a table in memory. The static methods of `Rows` read the
    /// rows there without retaining them. The caller keeps the table alive and unchanged.
    @inlinable
    @inline(__always)
    static func rows(at table: UnsafeRawPointer) -> UnsafePointer<Rows> {
      // The rows are the only stored property of a table, so both have the same address.
      table.assumingMemoryBound(to: Rows.self)
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
  public func makeIterator() -> some IteratorProtocol<Entity> & Sendable {
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

extension Tables.Hash {
  /// Reserves space for a total number of entities, so that the table does not grow step by step.
  /// - Complexity: O(*n*) in the larger of the capacity and the count.
  @inlinable
  public mutating func reserveCapacity(_ capacity: Int) { rows.reserveCapacity(capacity) }

  /// Inserts an entity, or replaces in place the entity with the same ID.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(1) expected and amortized; O(log *n*) to copy the path if an older version
  ///   shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> InsertionResult<Entity> {
    Self.insert(entity, into: &rows)
  }

  /// Inserts entities, or replaces in place the entities with the same IDs.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(_ entities: some Sequence<Entity>) -> [InsertionResult<Entity>] {
    guard rows.isFillable else { return entities.map { insert($0) } }
    var results: [InsertionResult<Entity>] = []
    results.reserveCapacity(entities.underestimatedCount)
    rows.fill(
      entities,
      inserted: { results.append(InsertionResult(entity: $0.pointee, outcome: .inserted)) },
      replace: { results.append(Self.insert($1, into: &$0)) })
    return results
  }

  @inlinable
  @inline(__always)
  static func insert(
    _ entity: consuming Entity, into rows: inout PersistentTable<EntityTableLayout<Entity>>
  ) -> InsertionResult<Entity> {
    let (outcome, stored) = insertReturningAddress(entity, into: &rows)
    return InsertionResult(entity: stored.pointee, outcome: outcome)
  }

  /// Inserts an entity, or replaces in place the entity with the same ID.
  ///
  /// The given entity is moved into the table, because a copy would cost a retain and a release,
  /// which take as long as a third of an insertion. The stored entity is returned by its address,
  /// because a caller that does not use the stored entity needs no copy.
  /// - Returns: The outcome, and the address of the stored entity, which is valid until the next
  ///   change.
  @inlinable
  @inline(__always)
  static func insertReturningAddress(
    _ entity: consuming Entity, into rows: inout PersistentTable<EntityTableLayout<Entity>>
  ) -> (outcome: TableInsertion<Entity>, stored: UnsafePointer<Entity>) {
    #if DEBUG
      let sample = EqualityAudit.sample(rows[entity.entityID], entity)
    #endif
    let result = rows.insertReturningAddress(entity)
    #if DEBUG
      if let sample, case .unchanged = result.outcome {
        EqualityAudit.check(equal: sample.stored, sample.new)
      }
    #endif
    return result
  }

  /// Changes the entity with an ID.
  /// - Returns: The updated entity.
  /// - Throws: `TableError.notFound` if no entity has the ID, `TableError.changedID` if the closure
  ///   changes the ID, and the error that the closure throws. An error leaves the table unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    switch try applyUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .stored(let entity): return entity
    }
  }

  /// Changes the entity with an ID, if the table contains one.
  /// - Returns: The updated entity. If no entity has the ID or the closure changes the ID, the
  ///   table stays unchanged and the result is `nil`.
  /// - Throws: The error that the closure throws. An error leaves the table unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    switch try applyUpdate(id: id, body) {
    case .missing, .changedID: return nil
    case .stored(let entity): return entity
    }
  }

  /// Removes the entity with an ID.
  /// - Returns: The removed entity, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes every entity.
  /// - Complexity: O(1) if an older version retains the entities, otherwise O(*n*) to release them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}

extension Tables.Hash: TableType, Sealed {
  /// Replaces the entity that has the same ID.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @inline(__always)
  @discardableResult
  public mutating func replace(_ entity: Entity) -> Entity? { rows.replace(entity) }
}

/// The result of an update of a table.
@frozen
@usableFromInline
enum AppliedUpdate<Entity: EntityType> {
  case missing
  case changedID(Entity.EntityID)
  /// The entity that is now in the table.
  case stored(Entity)
}

extension Tables.Hash {
  /// Changes an entity in place if no other version shares the storage of the entity. Otherwise
  /// changes a copy of the entity. The copy is stored only if it differs, because storing it copies
  /// a path.
  @inlinable
  @inline(__always)
  mutating func applyUpdate(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> AppliedUpdate<Entity> {
    let (slot, owned) = rows.locate(id)
    if slot < 0 { return .missing }
    if let row = owned {
      let old = row.pointee
      do {
        try body(&row.pointee)
      } catch {
        row.pointee = old
        throw error
      }
      if row.pointee.hasID(id) { return .stored(row.pointee) }
      let newID = row.pointee.entityID
      row.pointee = old
      return .changedID(newID)
    }
    let old = rows.element(at: slot)
    var new = old
    try body(&new)
    guard new.hasID(id) else { return .changedID(new.entityID) }
    if haveSameValue(new, old) {
      EqualityAudit.check(old, new)
    } else {
      rows.replaceShared(at: slot, by: new)
    }
    return .stored(new)
  }
}
