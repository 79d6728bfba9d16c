import EntiaCollections

/// A matching row, and its position among the rows of the table.
struct RankedRow {
  let row: UnsafeRawPointer
  let position: Int
}

/// Collects offered rows in an order: all of them, or only the first `limit`.
struct RankedRows {
  private var first: FirstElements<RankedRow>
  private(set) var comparisons = 0
  private let compare: RowComparison

  init(limit: Int?, _ compare: @escaping RowComparison) {
    first = FirstElements(limit: limit ?? .max)
    self.compare = compare
  }

  mutating func offer(_ row: RankedRow) {
    first.offer(row) { Self.precedes($0, $1, compare, &comparisons) }
  }

  /// Returns the collected rows, sorted.
  mutating func sorted() -> [RankedRow] {
    first.elements.sorted { Self.precedes($0, $1, compare, &comparisons) }
  }

  private static func precedes(
    _ a: RankedRow, _ b: RankedRow, _ compare: RowComparison, _ comparisons: inout Int
  ) -> Bool {
    comparisons += 1
    let result = compare(a.row, b.row)
    return result == 0 ? a.position < b.position : result < 0
  }
}

// Rows are passed by address, without a copy. An address is valid while its table is retained and
// unchanged, which the caller of a fetch ensures.

extension AnyTable {
  var count: Int {
    switch self {
    case .hash(let table): table.count
    case .ordered(let table): table.count
    }
  }

  /// Calls the closure with runs of adjacent rows, in the table's order, until it returns
  /// `false`.
  func forEachRun(_ body: (UnsafeRawPointer, _ count: Int) -> Bool) {
    func visit(_ run: UnsafeBufferPointer<Entity>) -> Bool {
      guard let start = run.baseAddress else { return true }
      return body(UnsafeRawPointer(start), run.count)
    }
    switch self {
    case .hash(let table): table.rows.forEachRun(visit)
    case .ordered(let table): table.rows.forEachRun(visit)
    }
  }

  /// Returns the row with an ID, or `nil` if no row has the ID. Its position is a number that
  /// increases in table order.
  func row(of id: Entity.EntityID) -> RankedRow? {
    let found =
      switch self {
      case .hash(let table): table.rows.address(of: id)
      case .ordered(let table): table.rows.address(of: id)
      }
    return found.map { RankedRow(row: UnsafeRawPointer($0.element), position: $0.order) }
  }
}

/// Fetches all rows of a type in the order of an index, if an index has the order.
///
/// The code is inlinable, so that it is specialized in the caller's module, where the types of the
/// indexes are known. A list on a screen is fetched again after every commit, and planning would
/// take longer than reading the rows of the list.
@frozen
@usableFromInline
struct SortedFetch<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  @usableFromInline let snapshot: Snapshot<Contents>
  @usableFromInline let sort: IndexSort<Entity>
  @usableFromInline let offset: Int
  @usableFromInline let limit: Int
  /// The fetched rows; `nil` when no index has the order.
  @usableFromInline var result: [Entity]?

  @inlinable
  init(
    _ snapshot: Snapshot<Contents>, _ sort: IndexSort<Entity>, offset: Int, limit: Int
  ) {
    self.snapshot = snapshot
    self.sort = sort
    self.offset = offset
    self.limit = limit
  }

  @inlinable
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self, result == nil,
      let index = UnsafePointer(snapshot.box.address).pointer(to: path),
      let isReversed = recast(sort, as: IndexSort<Index.Entity>.self).isServed(by: index.pointee),
      let table = snapshot.tablePointer(of: Entity.self)
    else { return }
    var rows: [Entity] = []
    var skipped = 0
    let isOrdered = index.pointee.visitInOrder(isReversed: isReversed) { id in
      if skipped < offset {
        skipped += 1
        return true
      }
      if let row = table.row(of: recast(id, as: Entity.EntityID.self)) {
        if rows.isEmpty { rows.reserveCapacity(Swift.min(limit, table.count - offset)) }
        rows.append(row.pointee)
      }
      return rows.count < limit
    }
    if isOrdered { result = rows }
    withExtendedLifetime(snapshot) {}
  }
}
