import EntiaCollections

/// Writes the differences between two versions of one part into its table.
struct PartSaving<Rows: PlacedElements & Sequence> {
  typealias Element = Rows.Element

  private let coding: any ElementCoding<Element>
  private let rows: Rows
  private let old: Rows
  /// The differences; `nil` when all rows are written into an empty table.
  private let differences: PlacementDifference<Element>?
  private let encoded: EncodedRows<Element>

  /// Creates the differences between a version and an older version.
  /// - Parameters:
  ///   - rows: The newer version.
  ///   - old: The older version, which the table contains.
  ///   - coding: The coding of the elements.
  ///   - encoder: The encoder of the table.
  ///   - table: The name of the table in messages.
  /// - Complexity: O(changes · log *n*).
  init(
    _ rows: Rows, since old: Rows, _ coding: any ElementCoding<Element>, _ encoder: RowEncoder,
    table: String
  ) {
    self.coding = coding
    self.rows = rows
    self.old = old
    encoded = EncodedRows(encoder, coding, of: table)
    var elements = old.makeIterator()
    differences = elements.next() == nil ? nil : rows.placements(from: old)
  }

  /// Returns the number of the elements that differ; the limit if there are more.
  func changeCount(limit: Int) -> Int {
    guard let differences else { return rows.prefix(limit).reduce(0) { count, _ in count + 1 } }
    let placed = differences.runs.reduce(0) { $0 + $1.elements.count }
    return min(limit, differences.removed.count + differences.updated.count + placed)
  }

  /// Whether rows are inserted or moved.
  var insertsRows: Bool {
    differences.map { !$0.runs.isEmpty } ?? (changeCount(limit: 1) > 0)
  }

  /// Encodes rows before they are written. Does not use the file, and can therefore be called
  /// outside `FileSession.withTurn(_:)`. Rows beyond a limit are encoded when they are written.
  /// - Parameter limit: The number of bytes of encoded rows after which no further row is encoded.
  /// - Throws: `RowFailure` for a row that cannot be encoded.
  func encodeRows(limit: Int) throws {
    guard let differences else {
      var elements = rows.makeIterator()
      return try encoded.replace(by: &elements, limit: limit)
    }
    let encoder = encoded.encoder
    encoder.keepRows()
    defer { encoder.stopKeepingRows() }
    for update in differences.updated where encoder.size < limit {
      try encoded.append(update.new(Element.self).pointee)
    }
    for run in differences.runs {
      for placed in run.elements where !placed.isMoved && encoder.size < limit {
        try encoded.append(placed.element)
      }
    }
  }

  /// Writes the differences into the table.
  /// - Throws: `SQLiteFailure`; `RowFailure` for a row that cannot be encoded.
  /// - Complexity: O(changes · log *n*).
  func write(to table: PartTable) throws {
    let writer = ElementWriter(table: table, coding: coding, encoded)
    if table.hasOtherIDs, table.isReplaced || differences?.isEmpty == false {
      try table.correctIDs(coding)
    }
    if table.isReplaced { try replaceRows(of: table, writer) }
    guard let differences else {
      if table.isEdited { try restoreRows(of: table, writer) }
      if table.rowCount > 0, !table.hasSkippedRows {
        for element in rows { try writer.makeRoom(for: element) }
      }
      table.isEdited = false
      return try writer.insertAll(rows, encoded)
    }
    if differences.isEmpty { return }
    let isEdited = table.isEdited
    if isEdited { try restoreRows(of: table, writer) }
    table.isEdited = false
    if table.hasUnnumberedRows {
      for (index, element) in old.enumerated() {
        try writer.setOrder(of: element, to: OrderNumbers.gap * Int64(index))
      }
      table.hasUnnumberedRows = false
    }
    for element in differences.removed { try writer.delete(element) }
    if isEdited, !table.hasSkippedRows {
      for run in differences.runs {
        for placed in run.elements where !placed.isMoved {
          try writer.makeRoom(for: placed.element)
        }
      }
    }
    try writer.update(differences.updated)
    var crowded: [PlacementDifference<Element>.Run] = []
    for run in differences.runs { if try !place(run, writer) { crowded.append(run) } }
    for run in crowded { try spread(run, writer) }
  }

  /// Inserts the rows of the older version that are no longer in the table, because another program
  /// has removed them.
  /// - Complexity: O(*n*).
  private func restoreRows(of table: PartTable, _ writer: ElementWriter<Element>) throws {
    // The encoded rows are discarded, because `restore(_:)` overwrites them in the encoder.
    encoded.removeAll()
    if table.exists {
      table.rowCount = try table.connection.countRows(of: table.name)
      if try table.lacksNumbers { table.hasUnnumberedRows = true }
    } else {
      table.rowCount = 0
    }
    for element in old where try writer.restore(element) { table.hasUnnumberedRows = true }
  }

  /// Replaces the rows in the table by the rows of the older version, before the differences are
  /// written. A row that is already in the table keeps the members that this program does not have.
  /// - Complexity: O(*n*).
  private func replaceRows(of table: PartTable, _ writer: ElementWriter<Element>) throws {
    // The encoded rows are discarded, because `rewrite(_:order:)` overwrites them in the encoder.
    encoded.removeAll()
    table.isReplaced = false
    table.isEdited = false
    table.hasRestoredRows = true
    table.rowCount = table.exists ? try table.connection.countRows(of: table.name) : 0
    try writer.removeOthers(than: old)
    for (index, element) in old.enumerated() {
      try writer.rewrite(element, order: OrderNumbers.gap * Int64(index))
    }
    table.hasUnnumberedRows = false
    if table.exists { table.sumChange = SumChange(base: .unknown, isWritten: true) }
  }

  /// Inserts or moves the rows of a run.
  /// - Returns: Whether there were enough free order numbers between the neighbors of the run. If
  ///   not, each row of the run first gets the number of one neighbor. The caller then calls
  ///   `spread(_:_:)`.
  private func place(
    _ run: PlacementDifference<Element>.Run, _ writer: ElementWriter<Element>
  ) throws -> Bool {
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

  /// Sets new order numbers for the rows of a run, and for the neighbors that have to make room.
  private func spread(
    _ run: PlacementDifference<Element>.Run, _ writer: ElementWriter<Element>
  ) throws {
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
      // Adds neighbors on each side, at most as many as `elements` contains.
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
        // `elements` are now all rows of the table.
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

// The order of the rows.
extension PartTable {
  /// Returns the order number of the row with an ID, or `nil` without such a row. The order number
  /// is NULL for a row that another program inserted.
  /// - Throws: `SQLiteFailure`.
  func order(of id: StoredValue) throws(SQLiteFailure) -> StoredValue? {
    let statement = try prepared(
      &findingOrder,
      "SELECT \(Self.orderColumn) FROM \(quotedName) WHERE \(quotedID) IS ?")
    try statement.bind(id, at: 0)
    defer { statement.reset() }
    return try statement.step() ? statement.value(at: 0) : nil
  }

  /// Sets the order number of the row with an ID, or removes it if `order` is `nil`.
  /// - Returns: Whether there is such a row.
  /// - Throws: `SQLiteFailure`.
  func setOrder(of id: StoredValue, to order: Int64?) throws(SQLiteFailure) -> Bool {
    let removed = try removedColumns([], hasOrder: true)
    let statement = try prepared(
      &settingOrder,
      """
      UPDATE \(quotedName) SET \(Self.orderColumn)=? WHERE \(quotedID) IS ?\(removed.condition)
      """)
    try statement.bind(order.map(StoredValue.integer) ?? .null, at: 0)
    try statement.bind(id, at: 1)
    try removing(removed) { () throws(SQLiteFailure) in try statement.run() }
    guard connection.changedRows == 1 else { return false }
    id.withColumn {
      requireStoredKey($0)
      addCells(of: .none, [], order: order, id: $0, hasID: false)
    }
    return true
  }

  /// Whether the file has rows without an order number.
  /// - Complexity: O(*n*).
  var lacksNumbers: Bool {
    get throws(SQLiteFailure) {
      try connection.value(
        "SELECT EXISTS(SELECT 1 FROM \(quotedName) WHERE \(Self.orderColumn) IS NULL)")
        == .integer(1)
    }
  }

  /// Calls the closure with every ID in the file.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func forEachID(_ body: (StoredValue) -> Void) throws(SQLiteFailure) {
    readingsOfIDs += 1
    let statement = try connection.prepare("SELECT \(quotedID) FROM \(quotedName)")
    while try statement.step() { body(statement.value(at: 0)) }
  }
}
