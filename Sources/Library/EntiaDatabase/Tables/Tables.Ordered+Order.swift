public import EntiaCollections

extension Tables.Ordered {
  /// Moves the entity with an ID to a position. Positions out of bounds are clamped.
  /// - Returns: Whether the table contains the entity; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func move(_ id: Entity.EntityID, to position: Int) -> Bool {
    guard let present = rows.position(of: id) else { return false }
    rows.move(from: present, to: position.clamped(to: count - 1))
    return true
  }

  /// Moves the entity with an ID directly before another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func move(_ id: Entity.EntityID, before other: Entity.EntityID) -> Bool {
    guard let present = rows.position(of: id), let target = rows.position(of: other)
    else { return false }
    rows.move(from: present, to: present < target ? target - 1 : target)
    return true
  }

  /// Moves the entity with an ID directly after another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func move(_ id: Entity.EntityID, after other: Entity.EntityID) -> Bool {
    guard let present = rows.position(of: id), let target = rows.position(of: other)
    else { return false }
    rows.move(from: present, to: present <= target ? target : target + 1)
    return true
  }

  /// Exchanges the places of the entities with two IDs.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, including the copy of a path that an older version
  ///   shares.
  @inlinable
  @discardableResult
  public mutating func swap(_ first: Entity.EntityID, _ second: Entity.EntityID) -> Bool {
    guard let a = rows.position(of: first), let b = rows.position(of: second) else { return false }
    rows.swapAt(a, b)
    return true
  }

  /// Sorts the entities. The sort is stable.
  ///
  /// If at most one entity in eight must move, only these entities are moved, so that the table
  /// still shares most of its storage with the older version. Otherwise the table is built anew.
  /// - Throws: The error that the predicate throws; the table is then unchanged.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows {
    let sorted = try rows.enumerated().sorted {
      try areInIncreasingOrder($0.element, $1.element)
    }
    let staying = longestIncreasingSubsequence(of: sorted.map { $0.offset })
    let moved = sorted.count - staying.count
    if moved == 0 { return }
    if moved > sorted.count / 8 {
      rows = PersistentOrderedTable(sorted.lazy.map { $0.element })
      return
    }
    var placed: [TableOrderChanges<Entity>.Place] = []
    placed.reserveCapacity(moved)
    var next = staying.startIndex
    for (position, row) in sorted.enumerated() {
      if next < staying.endIndex, staying[next] == row.offset {
        next += 1
      } else {
        placed.append(.init(entityID: row.element.entityID, position: position))
      }
    }
    place(placed)
  }

  /// Removes entities and inserts them again at ascending positions. Missing entities are
  /// ignored, and positions after the end are clamped.
  @inlinable
  mutating func place(_ places: [TableOrderChanges<Entity>.Place]) {
    var entities: [(entity: Entity, position: Int)] = []
    entities.reserveCapacity(places.count)
    for place in places {
      guard let entity = rows.remove(place.entityID) else { continue }
      entities.append((entity, place.position))
    }
    for (entity, position) in entities { rows.insert(entity, at: Swift.min(position, count)) }
  }
}

extension Tables.Ordered: TableType, Sealed {
  /// Moves the entities that a change set places, each next to its neighbors in the newer version
  /// of the change set. An entity is moved directly before its next neighbor, or directly after the
  /// previous one if the next one is missing. If both are missing, or if the changes have no
  /// neighbors, an entity is moved to its position in the newer version; positions out of bounds
  /// are clamped. Entities that are already between both neighbors stay.
  /// - Complexity: O(changes · log *n*).
  mutating func arrangeRows(_ order: TableOrderChanges<Entity>) {
    if let runs = order.runs {
      rows.place(runs)
      return
    }
    if order.placed.allSatisfy({ rows.position(of: $0.entityID) == $0.position }) { return }
    place(order.placed)
  }
}
