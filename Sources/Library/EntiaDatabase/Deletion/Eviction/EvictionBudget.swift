import EntiaCollections

/// The size to which an eviction reduces a database.
///
/// ```swift
/// let plan = feed.plan(evictingDownTo: .rows(50_000), keeping: [.entity(me)])
/// ```
public struct EvictionBudget: Sendable {
  /// The part of the size that one row takes.
  enum Measure: Sendable {
    case row
    case rowOf(ObjectIdentifier)
    case cost(@Sendable (any EntityType) -> Int)
  }

  let limit: Int
  let measure: Measure

  /// Returns a budget of a number of rows in all tables.
  public static func rows(_ limit: Int) -> Self { Self(limit: limit, measure: .row) }

  /// Returns a budget of a number of rows in the table of an entity type. Rows of other tables are
  /// removed only by delete rules.
  public static func rows<Entity: EntityType>(_ limit: Int, of entity: Entity.Type) -> Self {
    Self(limit: limit, measure: .rowOf(ObjectIdentifier(entity)))
  }

  /// Returns a budget of a number of bytes in all tables.
  /// - Parameters:
  ///   - limit: The number of bytes.
  ///   - cost: Returns the number of bytes of a row, from 0 to 4 GiB; others count as these. By
  ///     default, the size of the row in its table and, roughly, of its strings and lists.
  public static func bytes(
    _ limit: Int, cost: @escaping @Sendable (any EntityType) -> Int = EvictionBudget.estimatedBytes
  ) -> Self {
    // Sums of these cannot overflow.
    Self(limit: limit, measure: .cost { min(max(cost($0), 0), 1 << 32) })
  }

  /// Returns the approximate number of bytes of a row: its size in its table, the UTF-8 bytes of
  /// its strings, and the sizes of the elements of its lists.
  /// - Complexity: O(*m*) in the number of members and elements.
  @usableFromInline
  package static func estimatedBytes(of row: any EntityType) -> Int {
    func bytes<Row: EntityType>(_ row: Row) -> Int {
      // A row of plain bytes has neither strings nor lists.
      if _isPOD(Row.self) { return MemoryLayout<Row>.stride }
      var total = MemoryLayout<Row>.stride
      var pending: [Any] = [row]
      while let value = pending.popLast() {
        switch value {
        case let text as String: total += text.utf8.count
        case let list as any SizedList: total += list.elementBytes
        default: break
        }
        pending += Mirror(reflecting: value).children.map(\.value)
      }
      return total
    }
    return bytes(row)
  }
}

/// A list whose elements are in memory of its own.
private protocol SizedList {
  var elementBytes: Int { get }
}

extension Array: SizedList {
  fileprivate var elementBytes: Int { count * MemoryLayout<Element>.stride }
}

extension Set: SizedList {
  fileprivate var elementBytes: Int { count * MemoryLayout<Element>.stride }
}

extension Dictionary: SizedList {
  fileprivate var elementBytes: Int { count * MemoryLayout<Element>.stride }
}

extension EvictionBudget {
  /// The entity type whose rows are evicted; `nil` for all.
  var entity: ObjectIdentifier? { if case .rowOf(let entity) = measure { entity } else { nil } }

  /// Returns the part of the size that a row takes.
  func size<Entity: EntityType>(of row: Entity) -> Int {
    switch measure {
    case .row: 1
    case .rowOf(let entity): entity == ObjectIdentifier(Entity.self) ? 1 : 0
    case .cost(let cost): cost(row)
    }
  }

  /// Returns the size of a table.
  func size<Table: TableType>(of table: Table) -> Int {
    switch measure {
    case .row: table.count
    case .rowOf(let entity): entity == ObjectIdentifier(Table.Entity.self) ? table.count : 0
    case .cost(let cost): table.reduce(0) { $0 + cost($1) }
    }
  }
}
