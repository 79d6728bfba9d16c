import EntiaCollections

// Rows are passed by address, without a copy. An address is valid while the table that it belongs
// to is retained and unchanged, which the caller of a fetch ensures.

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
