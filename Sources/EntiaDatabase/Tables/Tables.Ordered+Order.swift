public import EntiaCollections

extension Tables.Ordered {
  /// Moves the entity with an ID, so that it is at a position afterwards. Positions out of bounds are
  /// clamped.
  /// - Returns: Whether there is such an entity; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, also to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func move(_ id: Entity.EntityID, to position: Int) -> Bool {
    guard let present = rows.position(of: id) else { return false }
    rows.move(from: present, to: position.clamped(to: count - 1))
    return true
  }

  /// Moves the entity with an ID, so that it stands directly before another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, also to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func move(_ id: Entity.EntityID, before other: Entity.EntityID) -> Bool {
    guard let present = rows.position(of: id), let target = rows.position(of: other)
    else { return false }
    rows.move(from: present, to: present < target ? target - 1 : target)
    return true
  }

  /// Moves the entity with an ID, so that it stands directly behind another one.
  /// - Returns: Whether the table contains both entities; otherwise nothing is moved.
  /// - Complexity: O(log *n*) expected, also to copy the path if an older version shares it.
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
  /// - Complexity: O(log *n*) expected, also to copy the path if an older version shares it.
  @inlinable
  @discardableResult
  public mutating func swap(_ first: Entity.EntityID, _ second: Entity.EntityID) -> Bool {
    guard let a = rows.position(of: first), let b = rows.position(of: second) else { return false }
    rows.swapAt(a, b)
    return true
  }

  /// Sorts the entities; equal ones keep their order.
  ///
  /// Only what has to move is moved, so that a sorted table that was hardly out of order still shares
  /// nearly everything with its older version.
  /// - Throws: what the predicate throws; the table is then as it was.
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public mutating func sort(
    by areInIncreasingOrder: (Entity, Entity) throws -> Bool
  ) rethrows {
    let sorted = try rows.enumerated().sorted {
      try areInIncreasingOrder($0.element, $1.element)
    }
    let staying = longestAscent(of: sorted.map(\.offset))
    let moved = sorted.count - staying.count
    if moved == 0 { return }
    if moved > sorted.count / 8 {
      rows = PersistentOrderedTable(sorted.lazy.map(\.element))
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

  /// Takes entities out and puts them in again at positions that ascend; an entity that is not there
  /// is passed over, and a position that there is not becomes the nearest.
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

extension Tables.Ordered: TableType {
  /// `true`: the order is the user's.
  @inlinable
  public static var isOrdered: Bool { true }

  /// Places the entities that a change set places beside the neighbors that they have in its newer
  /// version: directly before the next one, or directly behind the previous one where the next one is
  /// missing. Without either, and in changes without neighbors, the position counts; positions out of
  /// bounds are clamped. Entities that stand between both neighbors already stay.
  /// - Complexity: O(changes · log *n*).
  public mutating func arrange(_ order: TableOrderChanges<Entity>) {
    if let runs = order.runs {
      rows.place(runs)
      return
    }
    if order.placed.allSatisfy({ rows.position(of: $0.entityID) == $0.position }) { return }
    place(order.placed)
  }
}
