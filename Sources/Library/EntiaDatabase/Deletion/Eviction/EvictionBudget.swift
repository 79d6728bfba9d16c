import EntiaCollections

/// The size to which an eviction reduces a database.
///
/// ```swift
/// let plan = feed.plan(evictingDownTo: .rows(50_000), keeping: [.entity(me)])
/// ```
public struct EvictionBudget: Sendable {
  /// How much one row adds to the size.
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
  ///   - cost: Returns the number of bytes of a row. A number below 0 counts as 0, and one above 4
  ///     GiB as 4 GiB. The default returns the size of the row in its table plus the approximate
  ///     size of its strings and lists.
  public static func bytes(
    _ limit: Int, cost: @escaping @Sendable (any EntityType) -> Int = EvictionBudget.estimatedBytes
  ) -> Self {
    // The number of bytes of each row is limited, so that the sum cannot overflow.
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

/// A collection whose elements are stored in memory outside of the row.
private protocol SizedList: Collection {}

extension SizedList {
  fileprivate var elementBytes: Int { count * MemoryLayout<Element>.stride }
}

extension Array: SizedList {}
extension Set: SizedList {}
extension Dictionary: SizedList {}

extension EvictionBudget {
  /// The entity type whose rows are evicted; `nil` for all.
  var entity: ObjectIdentifier? { if case .rowOf(let entity) = measure { entity } else { nil } }

  /// Returns how much a row adds to the size.
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

/// A plan to remove the oldest rows that nothing keeps.
///
/// ```swift
/// let plan = feed.plan(
///   evictingDownTo: .rows(50_000), keeping: [.responses(newerThan: now - 3600), .entity(me)])
/// print(plan)
/// try feed.performBatchUpdates { try $0.remove(plan) }
/// ```
public struct EvictionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The removal of the rows, with the effects of the delete rules.
  let deletion: DeletionPlan<Storage>
  /// The removals, in an order in which no rule denies one of them.
  package let steps: [EvictionStep]
  let base: Snapshot<Storage.Contents>
  /// The size of the database, in the unit of the budget, before the eviction.
  public let size: Int
  /// The size after the eviction.
  package let remainingSize: Int
  /// Whether the size is within the budget after the eviction. `false` if too many rows are kept.
  package let isWithinBudget: Bool

  /// The entities that would be removed, in the order of their removal. They are the rows that are
  /// evicted for their age, and the rows that the delete rules remove with them.
  public var removals: [DeletionRemoval] { deletion.removals }
  /// The keys that would lose references to removed entities, by relationship.
  package var nullifications: [DeletionNullification] { deletion.nullifications }
  /// The changes that the removal would make, with the removed and the updated rows.
  public var changes: StorageChangeSet<Storage> { deletion.changes }
  /// Whether the plan removes nothing.
  public var isEmpty: Bool { removals.isEmpty }

  /// Whether two plans have the same effects on equal databases.
  public static func == (a: Self, b: Self) -> Bool { a.deletion == b.deletion }
}

extension EvictionPlan: CustomStringConvertible {
  /// The sizes, and all effects, one on each line.
  public var description: String {
    "evicts from \(size) to \(remainingSize)\(isWithinBudget ? "" : ", because the rest is kept")"
      + (isEmpty ? "" : "\n\(deletion)")
  }
}

extension BatchContext {
  /// Removes the entities that a plan lists, with the effects of the delete rules. The answers that
  /// contained a removed entity are invalidated.
  /// - Parameter plan: The plan to carry out.
  /// - Throws: `EvictionError.stale` if the database has changed since the plan was created.
  ///   Nothing is removed then.
  /// - Complexity: That of the removal.
  public mutating func remove(_ plan: EvictionPlan<Storage>) throws(EvictionError) {
    let base = plan.base.box
    guard UnsafePointer(transaction.contents).hasIdenticalTables(base.address, base.layout),
      transaction.contents.pointee.hasIdenticalFreshness(base.address.pointee)
    else { throw .stale(storage: String(describing: Storage.self)) }
    _ = plan.deletion.perform(transaction)
  }
}

extension BatchContext {
  /// Carries out a part of a plan that was created for the current version.
  package mutating func evict(_ steps: some Sequence<EvictionStep>) {
    for step in steps { step.perform(in: transaction) }
  }
}

/// The reason why an eviction was refused.
public enum EvictionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was created for another version of the database.
  case stale(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the eviction was planned for another version of \(storage), in which other rows may be kept; "
        + "create a new plan"
    }
  }
}
