import EntiaCollections

// Rows are handed out by address: looking at one copies nothing. An address is good while the table
// that it came from is held, unchanged, which whoever runs a fetch does.

extension AnyTable {
  var count: Int {
    switch self {
    case .hash(let table): table.count
    case .ordered(let table): table.count
    }
  }

  /// Calls the closure with neighbors, in the table's order, until it answers `false`.
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

  /// Returns the row with an ID and a number that is greater for rows that come later, or `nil`.
  func row(of id: Entity.EntityID) -> RankedRow? {
    let found =
      switch self {
      case .hash(let table): table.rows.address(of: id)
      case .ordered(let table): table.rows.address(of: id)
      }
    return found.map { RankedRow(row: UnsafeRawPointer($0.element), place: $0.order) }
  }
}
