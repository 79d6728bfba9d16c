import EntiaCollections

/// Writes the differences between two versions of one part into its table.
struct PartSaving<Rows: PlacedElements & Sequence> {
  typealias Element = Rows.Element

  let table: PartTable
  let rows: Rows
  private let writer: RowWriter<Element>

  /// Creates the saving of one version.
  init(table: PartTable, coding: any ElementCoding<Element>, rows: Rows) {
    self.table = table
    self.rows = rows
    writer = RowWriter(table: table, coding: coding)
  }

  /// Writes the differences from an older version, which the table contains.
  /// - Throws: `SQLiteFailure`; `RowFailure` for a row that cannot be encoded.
  /// - Complexity: O(changes · log *n*).
  func save(since old: Rows) throws {
    var elements = old.makeIterator()
    if elements.next() == nil { return try saveAll() }
    let differences = rows.placements(from: old)
    if differences.isEmpty { return }
    if table.hasUnnumberedRows {
      for (index, element) in old.enumerated() {
        try writer.setOrder(of: element, to: OrderNumbers.gap * Int64(index))
      }
      table.hasUnnumberedRows = false
    }
    for element in differences.removed { try writer.delete(element) }
    try differences.updated.withUnsafeBufferPointer { updated in
      guard let start = updated.baseAddress else { return }
      // By address, because an iterator copies the elements.
      for index in updated.indices {
        try writer.update(
          from: (start + index).pointee.old, to: (start + index).pointee.new)
      }
    }
    var crowded: [PlacementDifference<Element>.Run] = []
    for run in differences.runs { if try !place(run) { crowded.append(run) } }
    for run in crowded { try spread(run) }
  }

  /// Writes all rows into an empty table.
  private func saveAll() throws {
    var order: Int64 = 0
    var elements = rows.makeIterator()
    while let element = elements.next() {
      try writer.insert(element, order: order)
      order += OrderNumbers.gap
    }
  }

  /// Inserts or moves the rows of a run.
  /// - Returns: Whether there was room for them; without room, they have the number of the row
  ///   before.
  private func place(_ run: PlacementDifference<Element>.Run) throws -> Bool {
    let previous = try run.previous.map { try writer.order(of: $0) }
    let next = try run.next.map { try writer.order(of: $0) }
    let numbers = OrderNumbers.between(previous, next, count: run.elements.count)
    for (index, placed) in run.elements.enumerated() {
      let number = numbers?[index] ?? previous ?? next ?? 0
      if placed.isMoved {
        try writer.setOrder(of: placed.element, to: number)
      } else {
        try writer.insert(placed.element, order: number)
      }
    }
    return numbers != nil
  }

  /// Numbers a run anew, together with as many neighbors as are necessary to make room.
  private func spread(_ run: PlacementDifference<Element>.Run) throws {
    guard var first = run.elements.first?.element, var last = run.elements.last?.element else {
      return
    }
    var elements = run.elements.map(\.element)
    while true {
      let before = rows.element(before: first)
      let after = rows.element(after: last)
      let (low, high) = (
        try before.map { try writer.order(of: $0) }, try after.map { try writer.order(of: $0) }
      )
      if let numbers = numbers(between: low, high, count: elements.count) {
        for (index, element) in elements.enumerated() {
          try writer.setOrder(of: element, to: numbers[index])
        }
        return
      }
      // Twice as many rows, of both sides.
      let goal = elements.count
      var preceding: [Element] = []
      while preceding.count < goal, let element = rows.element(before: first) {
        preceding.append(element)
        first = element
      }
      var following: [Element] = []
      while following.count < goal, let element = rows.element(after: last) {
        following.append(element)
        last = element
      }
      elements = preceding.reversed() + elements + following
      if preceding.isEmpty, following.isEmpty {
        // The whole table.
        for (index, element) in elements.enumerated() {
          try writer.setOrder(of: element, to: OrderNumbers.gap * Int64(index))
        }
        return
      }
    }
  }

  private func numbers(between low: Int64?, _ high: Int64?, count: Int) -> StrideNumbers? {
    guard let numbers = OrderNumbers.between(low, high, count: count),
      numbers.step >= OrderNumbers.leastStep(forCount: count)
    else { return nil }
    return numbers
  }
}
