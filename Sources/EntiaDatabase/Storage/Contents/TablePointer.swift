public import EntiaCollections

/// The place of a table of one of the two types, where only the entity type is known.
@frozen
@usableFromInline
enum TablePointer<Entity: EntityType> {
  case hash(UnsafeMutablePointer<Tables.Hash<Entity>>)
  case ordered(UnsafeMutablePointer<Tables.Ordered<Entity>>)

  @inlinable
  @inline(__always)
  init(_ place: UnsafeMutableRawPointer, isOrdered: Bool) {
    // There are two types of tables, and this tells them apart.
    self =
      isOrdered
      ? .ordered(place.assumingMemoryBound(to: Tables.Ordered<Entity>.self))
      : .hash(place.assumingMemoryBound(to: Tables.Hash<Entity>.self))
  }

  @inlinable
  @inline(__always)
  func find(by id: Entity.EntityID) -> Entity? {
    switch self {
    case .hash(let table): Tables.Hash.find(by: id, in: table)
    case .ordered(let table): table.pointee.find(by: id)
    }
  }

  /// Where the entity with an ID lies while the table is neither changed nor released, or `nil`.
  @inlinable
  @inline(__always)
  func row(of id: Entity.EntityID) -> UnsafePointer<Entity>? {
    switch self {
    case .hash(let table): Tables.Hash.row(of: id, in: table)
    case .ordered(let table): table.pointee.rows.elementAddress(of: id)
    }
  }

  @inlinable
  var count: Int {
    switch self {
    case .hash(let table): table.pointee.count
    case .ordered(let table): table.pointee.count
    }
  }

  @inlinable
  func contains(_ id: Entity.EntityID) -> Bool {
    switch self {
    case .hash(let table): table.pointee.contains(id)
    case .ordered(let table): table.pointee.contains(id)
    }
  }

  func remove(_ id: Entity.EntityID) -> Entity? {
    switch self {
    case .hash(let table): table.pointee.remove(id)
    case .ordered(let table): table.pointee.remove(id)
    }
  }

  func replace(_ entity: Entity) {
    switch self {
    case .hash(let table): table.pointee.replace(entity)
    case .ordered(let table): table.pointee.replace(entity)
    }
  }

  /// The table as it is now.
  var copy: AnyTable<Entity> {
    switch self {
    case .hash(let table): .hash(table.pointee)
    case .ordered(let table): .ordered(table.pointee)
    }
  }
}

/// A table of one of the two types, where only the entity type is known.
enum AnyTable<Entity: EntityType> {
  case hash(Tables.Hash<Entity>)
  case ordered(Tables.Ordered<Entity>)

  func contains(_ id: Entity.EntityID) -> Bool {
    switch self {
    case .hash(let table): table.contains(id)
    case .ordered(let table): table.contains(id)
    }
  }

  /// Calls the closure with every entity, in the table's order.
  func visitRows(_ body: (Entity) -> Void) {
    switch self {
    case .hash(let table): table.forEach(body)
    case .ordered(let table): table.forEach(body)
    }
  }
}
