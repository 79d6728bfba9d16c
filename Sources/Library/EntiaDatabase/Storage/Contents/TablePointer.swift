public import EntiaCollections

/// The address of a table of either type, for code that depends only on the entity type.
@frozen
@usableFromInline
enum TablePointer<Entity: EntityType> {
  case hash(UnsafeMutablePointer<Tables.Hash<Entity>>)
  case ordered(UnsafeMutablePointer<Tables.Ordered<Entity>>)

  @usableFromInline typealias Rows = Tables.Hash<Entity>.Rows

  @inlinable
  @inline(__always)
  init(_ address: UnsafeMutableRawPointer, isOrdered: Bool) {
    // The flag distinguishes the only two types of tables.
    self =
      isOrdered
      ? .ordered(address.assumingMemoryBound(to: Tables.Ordered<Entity>.self))
      : .hash(address.assumingMemoryBound(to: Tables.Hash<Entity>.self))
  }

  @inlinable
  @inline(__always)
  func find(by id: Entity.EntityID) -> Entity? {
    switch self {
    case .hash(let table): Rows.element(id, in: Tables.Hash<Entity>.rows(at: table))
    case .ordered(let table): table.pointee.find(by: id)
    }
  }

  /// Returns the address of the entity with an ID, or `nil`. The address is valid until the table
  /// is changed or released.
  @inlinable
  @inline(__always)
  func row(of id: Entity.EntityID) -> UnsafePointer<Entity>? {
    switch self {
    case .hash(let table): Rows.address(of: id, in: Tables.Hash<Entity>.rows(at: table))
    case .ordered(let table): table.pointee.rows.elementAddress(of: id)
    }
  }

  /// Returns the addresses of the entities with the next few IDs of a list, from `start` on; `nil`
  /// for missing entities. `start` must be less than the number of IDs.
  @inlinable
  @inline(__always)
  func nextRows(of ids: [Entity.EntityID], from start: Int) -> NextElements<Entity> {
    switch self {
    case .hash(let table):
      ids.withUnsafeBufferPointer {
        Rows.nextElements($0, from: start, in: Tables.Hash<Entity>.rows(at: table))
      }
    case .ordered(let table):
      NextElements(
        table.pointee.rows.elementAddress(of: ids[start]), row(after: start, 1, of: ids, in: table),
        row(after: start, 2, of: ids, in: table), row(after: start, 3, of: ids, in: table))
    }
  }

  @inlinable
  func row(
    after start: Int, _ distance: Int, of ids: [Entity.EntityID],
    in table: UnsafeMutablePointer<Tables.Ordered<Entity>>
  ) -> UnsafePointer<Entity>? {
    let position = start &+ distance
    return position < ids.count ? table.pointee.rows.elementAddress(of: ids[position]) : nil
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

  /// A copy of the table.
  var copy: AnyTable<Entity> {
    switch self {
    case .hash(let table): .hash(table.pointee)
    case .ordered(let table): .ordered(table.pointee)
    }
  }
}

/// A table of either type, for code that depends only on the entity type.
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

/// Finds the table of an entity type. Specialized code selects the table at compile time, and reads
/// only its offset at run time.
@frozen
@usableFromInline
struct TableOffsetSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  @usableFromInline let contents: UnsafeMutableRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0
  @usableFromInline var result: TablePointer<Wanted>?

  @inlinable
  init(contents: UnsafeMutableRawPointer, offsets: UnsafeMutablePointer<Int>) {
    self.contents = contents
    self.offsets = offsets
  }

  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if Table.Entity.self == Wanted.self {
      result = TablePointer(contents + offsets[index], isOrdered: Table.isOrdered)
    }
    index &+= 1
  }
}
