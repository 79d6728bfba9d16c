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
  /// `find(at:)` and `remove(at:)` return `nil` for them.
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

    /// Creates a table of the entities in their order. Of several entities with the same ID, the
    /// last one is stored, at the position of the first.
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
    public func find(by id: Entity.EntityID) -> Entity? { rows[id] }

    /// Whether the table contains an entity with an ID.
    /// - Complexity: O(1) expected.
    @inlinable
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
  public func makeIterator() -> some IteratorProtocol<Entity> & Sendable {
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

extension Tables.Ordered {
  /// Inserts an entity after all others, or replaces in place the entity with the same ID.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: consuming Entity) -> InsertionResult<Entity> {
    insert(entity, at: count)
  }

  /// Inserts an entity after all others, or replaces in place the entity with the same ID. This
  /// method is equivalent to `insert(_:)`.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func append(_ entity: Entity) -> InsertionResult<Entity> { insert(entity) }

  /// Inserts entities after all others, in their order. An entity whose ID is in the table replaces
  /// the stored entity in place.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func append(
    contentsOf entities: some Sequence<Entity>
  ) -> [InsertionResult<Entity>] { insert(entities) }

  /// Inserts an entity at a position, or replaces in place the entity with the same ID. Positions
  /// out of bounds are clamped.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func insert(_ entity: Entity, at position: Int) -> InsertionResult<Entity> {
    guard let known = rows.insert(entity, at: position.clamped(to: count)) else {
      return InsertionResult(entity: entity, outcome: .inserted)
    }
    let old = rows[position: known]
    if haveSameValue(old, entity) {
      EqualityAudit.check(old, entity)
      return InsertionResult(entity: entity, outcome: .unchanged)
    }
    rows[position: known] = entity
    return InsertionResult(entity: entity, outcome: .replaced(old))
  }

  /// Inserts entities at a position, one after another. An entity whose ID is in the table replaces
  /// the stored entity in place. Positions out of bounds are clamped.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) expected in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, at position: Int
  ) -> [InsertionResult<Entity>] {
    var position = position.clamped(to: count)
    return entities.map { entity in
      let result = insert(entity, at: position)
      if result.outcome == .inserted { position += 1 }
      return result
    }
  }

  /// Replaces the entity that has the same ID, in place.
  /// - Returns: The replaced entity, or `nil` when no entity had the ID; nothing is stored then.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func replace(_ entity: Entity) -> Entity? {
    contains(entity.entityID) ? rows.updateOrAppend(entity) : nil
  }

  /// Changes the entity with an ID.
  /// - Returns: The updated entity.
  /// - Throws: `TableError.notFound` if no entity has the ID, `TableError.changedID` if the closure
  ///   changes the ID, and the error that the closure throws. An error leaves the table unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func updateExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) throws -> Entity {
    switch try stageUpdate(id: id, body) {
    case .missing: throw TableError.notFound(EntityLabel(id))
    case .changedID(let new): throw TableError.changedID(EntityLabel(id), to: EntityLabel(new))
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      rows.updateOrAppend(entity)
      return entity
    }
  }

  /// Changes the entity with an ID, if the table contains one.
  /// - Returns: The updated entity. If no entity has the ID or the closure changes the ID, the
  ///   table stays unchanged and the result is `nil`.
  /// - Throws: The error that the closure throws. An error leaves the table unchanged.
  /// - Complexity: O(1) expected; O(log *n*) to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity? {
    switch try stageUpdate(id: id, body) {
    case .missing, .changedID: return nil
    case .unchanged(let entity): return entity
    case .changed(_, let entity):
      rows.updateOrAppend(entity)
      return entity
    }
  }
}

extension Tables.Ordered {
  /// The range of valid positions.
  @inlinable
  package var positions: Range<Int> { 0..<count }

  /// Returns the position of the entity with an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func index(of id: Entity.EntityID) -> Int? { rows.position(of: id) }

  /// Accesses the entity at an existing position. Unlike every other operation on positions, this
  /// one stops the process when the position is out of bounds. For a position that may be stale,
  /// use `find(at:)`.
  /// - Precondition: The position is at least 0 and less than `count`.
  /// - Complexity: O(log *n*).
  @inlinable
  package subscript(position position: Int) -> Entity { rows[position: position] }

  /// Returns the entity at a position, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public func find(at position: Int) -> Entity? {
    positions.contains(position) ? rows[position: position] : nil
  }

  /// Returns the entities at the positions of a range, in order. Positions out of bounds are
  /// skipped, so that a page after the end is empty.
  /// - Complexity: O(*k* · log *n*) in the length of the range within the table.
  @inlinable
  public func find(at range: Range<Int>) -> [Entity] {
    range.clamped(to: positions).map { rows[position: $0] }
  }

  /// The first entity, or `nil`.
  /// - Complexity: O(log *n*).
  @inlinable
  public var first: Entity? { find(at: 0) }

  /// The last entity, or `nil`.
  /// - Complexity: O(log *n*).
  @inlinable
  public var last: Entity? { find(at: count - 1) }
}

extension Int {
  /// Returns this position, limited to the range from 0 to `last`.
  @inlinable
  @inline(__always)
  func clamped(to last: Int) -> Int { Swift.min(Swift.max(0, self), last) }
}

extension Range<Int> {
  /// Returns the first position for which a condition does not hold, or the upper bound. All
  /// positions for which the condition holds must precede the positions for which it does not hold.
  @inlinable
  @inline(__always)
  func partition(_ isBefore: (Int) -> Bool) -> Int {
    var (lower, upper) = (lowerBound, upperBound)
    while lower < upper {
      let middle = lower &+ (upper &- lower) / 2
      if isBefore(middle) { lower = middle &+ 1 } else { upper = middle }
    }
    return lower
  }
}

extension Tables.Ordered {
  /// Returns a description of each row whose position by lookup differs from its position in
  /// iteration.
  /// - Complexity: O(*n* · log *n*).
  func positionMismatches() -> [String] {
    var mismatches: [String] = []
    for (position, entity) in enumerated() {
      let id = entity.entityID
      for found in [index(of: id), rows.countedPosition(of: id)] {
        guard let found, found != position else { continue }
        mismatches.append("\(EntityLabel(id)) is row \(position) and found at \(found)")
        break
      }
    }
    if !mismatches.isEmpty { return mismatches }
    // A lookup by position is safe now, because the lookup of every ID found the right position.
    for (position, entity) in enumerated() where position < count {
      let found = rows[position: position].entityID
      if found == entity.entityID { continue }
      mismatches.append("row \(position) is \(EntityLabel(entity.entityID)), and \(found) is found")
    }
    return mismatches
  }
}

extension Tables.Ordered {
  /// Removes the entity with an ID.
  /// - Returns: The removed entity, or `nil` when no entity has the ID.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Entity? { rows.remove(id) }

  /// Removes the entity at a position.
  /// - Returns: The removed entity, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*), including the copy of a path that an older version shares.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Entity? {
    positions.contains(position) ? rows.remove(at: position) : nil
  }

  /// Removes every entity.
  /// - Complexity: O(1) if an older version retains the entities, otherwise O(*n*) to release them.
  @inlinable
  public mutating func removeAll() { rows.removeAll() }
}
