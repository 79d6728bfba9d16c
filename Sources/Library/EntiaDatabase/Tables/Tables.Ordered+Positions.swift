public import EntiaCollections

extension Tables.Ordered {
  /// The range of valid positions.
  @inlinable
  public var positions: Range<Int> { 0..<count }

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
  public subscript(position position: Int) -> Entity { rows[position: position] }

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
  /// Returns the nearest position from 0 to `last`.
  @inlinable
  @inline(__always)
  func clamped(to last: Int) -> Int { Swift.min(Swift.max(0, self), last) }
}

/// A table that has positions.
protocol PositionedTable {
  /// Returns a description of each row whose position by lookup differs from its position in
  /// iteration.
  func positionMismatches() -> [String]
}

extension Tables.Ordered: PositionedTable {
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
    // Every ID is found at its row, so that a lookup by position cannot miss its leaf.
    for (position, entity) in enumerated() where position < count {
      let found = rows[position: position].entityID
      if found == entity.entityID { continue }
      mismatches.append("row \(position) is \(EntityLabel(entity.entityID)), and \(found) is found")
    }
    return mismatches
  }
}
