import EntiaCollections

/// Writes the differences between two versions of one part into its table.
struct PartSaving<Rows: PlacedElements & Sequence> {
  typealias Element = Rows.Element

  let table: PartTable
  let coding: ElementCoding<Element>
  let rows: Rows
  private let spellings: StoredSpellings<Element>

  /// Creates the saving of one version.
  init(table: PartTable, coding: ElementCoding<Element>, rows: Rows) {
    self.table = table
    self.coding = coding
    self.rows = rows
    spellings = StoredSpellings(table: table, coding: coding)
  }

  /// Writes the differences from an older version, which the table contains.
  /// - Throws: `SQLiteFailure`; `RowFailure` for a row that cannot be encoded.
  /// - Complexity: O(changes · log *n*).
  func save(since old: Rows) throws {
    let differences = rows.placements(from: old)
    if differences.isEmpty { return }
    if table.hasUnnumberedRows {
      for (index, element) in old.enumerated() {
        try setOrder(of: element, to: OrderNumbers.gap * Int64(index))
      }
      table.hasUnnumberedRows = false
    }
    for element in differences.removed { try delete(element) }
    for (old, new) in differences.updated { try update(from: old, to: new) }
    var crowded: [PlacementDifference<Element>.Run] = []
    for run in differences.runs { if try !place(run) { crowded.append(run) } }
    for run in crowded { try spread(run) }
  }

  private func delete(_ element: Element) throws {
    let id = try id(of: element)
    if try table.delete(id) { return }
    guard try table.delete(try storedID(of: element)) else { throw missing(element) }
  }

  private func update(from old: Element, to new: Element) throws {
    try encode(new)
    let (oldID, newID) = (try id(of: old), try id(of: new))
    if try table.update(id: newID, storedID: oldID) { return }
    let stored = try storedID(of: old)
    guard try table.update(id: newID, storedID: stored) else { throw missing(new) }
  }

  /// Inserts or moves the rows of a run.
  /// - Returns: Whether there was room for them; without room, they have the number of the row
  ///   before.
  private func place(_ run: PlacementDifference<Element>.Run) throws -> Bool {
    let previous = try run.previous.map(order)
    let next = try run.next.map(order)
    let numbers = OrderNumbers.between(previous, next, count: run.elements.count)
    for (index, placed) in run.elements.enumerated() {
      let number = numbers?[index] ?? previous ?? next ?? 0
      if placed.isMoved {
        try setOrder(of: placed.element, to: number)
      } else {
        try insert(placed.element, order: number)
      }
    }
    return numbers != nil
  }

  private func insert(_ element: Element, order: Int64) throws {
    try encode(element)
    let id = try id(of: element)
    if !table.exists {
      try table.create(
        id: id, hasIntegerID: coding.hasIntegerID, isIdentifiable: coding.isIdentifiable)
    }
    try table.insert(id: id, order: order)
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
      let (low, high) = (try before.map(order), try after.map(order))
      if let numbers = numbers(between: low, high, count: elements.count) {
        for (index, element) in elements.enumerated() {
          try setOrder(of: element, to: numbers[index])
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
          try setOrder(of: element, to: OrderNumbers.gap * Int64(index))
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

// IDs in the file.
extension PartSaving {
  private func id(of element: Element) throws -> StoredValue {
    do {
      return try coding.idForm(element, table.encoder.values)
    } catch {
      throw RowFailure(.encoding, table: table.part, row: coding.label(element), error)
    }
  }

  private func encode(_ element: Element) throws {
    guard let encode = coding.encode else { return }
    do {
      try encode(element, table.encoder)
    } catch {
      throw RowFailure(.encoding, table: table.part, row: coding.label(element), error)
    }
  }

  private func order(of element: Element) throws -> Int64 {
    let order = try table.order(of: try id(of: element))
    switch try order ?? table.order(of: try storedID(of: element)) {
    case .integer(let order): return order
    default: throw missing(element)
    }
  }

  private func setOrder(of element: Element, to order: Int64) throws {
    if try table.setOrder(of: try id(of: element), to: order) { return }
    guard try table.setOrder(of: try storedID(of: element), to: order) else {
      throw missing(element)
    }
  }

  /// Returns the ID of an element as the file spells it: a row that was replaced by an equal one
  /// may have another spelling of the same ID.
  private func storedID(of element: Element) throws -> StoredValue {
    guard let id = try spellings.storedID(of: element) else { throw missing(element) }
    return id
  }

  private func missing(_ element: Element) -> RowFailure {
    RowFailure(
      .encoding, table: table.part, row: coding.label(element),
      reason: "the file no longer has the row: something else changed it")
  }
}
