import EntiaCollections

/// Writes single elements of one part into its table.
final class ElementWriter<Element> {
  private let table: PartTable
  private let encoder: RowEncoder
  private let coding: any ElementCoding<Element>
  private let hasIntegerID: Bool
  private let spellings: StoredSpellings<Element>
  /// The rows that are already encoded.
  private let encoded: EncodedRows<Element>?

  /// Creates the writer of a table for one save.
  /// - Parameters:
  ///   - table: The table.
  ///   - coding: The coding of the elements.
  ///   - encoded: The first rows to insert and update, already encoded, in the order of writing.
  ///     They are used only if `table.encoder` encoded them.
  init(table: PartTable, coding: any ElementCoding<Element>, _ encoded: EncodedRows<Element>) {
    self.table = table
    self.encoded = encoded.encoder === table.encoder ? encoded : nil
    encoder = table.encoder
    self.coding = coding
    hasIntegerID = coding.hasIntegerID
    spellings = StoredSpellings(table: table, coding: coding)
  }

  /// Inserts an element. Creates the table first if it does not exist.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the element cannot be encoded, or has the ID of a
  ///   skipped row.
  func insert(_ element: Element, order: Int64) throws {
    try insert(try encode(element), order: order) { element }
  }

  /// Inserts all elements of a version into the empty table, with new order numbers.
  /// - Parameters:
  ///   - version: The version.
  ///   - first: The rows at the start of the version that are already encoded. Rows that another
  ///     encoder encoded are encoded again.
  /// - Throws: As `insert(_:order:)`.
  func insertAll(_ version: some Sequence<Element>, _ first: EncodedRows<Element>) throws {
    defer { encoder.removeRows() }
    var rows = first
    var rest = version.makeIterator()
    if first.encoder !== encoder {
      rows = EncodedRows(encoder, coding, of: table.part)
      try rows.replace(by: &rest, limit: RowEncoder.sizeLimit)
    }
    var start = 0
    while true {
      let order = rows.storedOrder(ofFirst: rows.count)
      if try !insertAtOnce(rows, order, start, of: version) {
        for index in order {
          let place = start + index
          try insert(rows.take(index), order: OrderNumbers.gap * Int64(place)) {
            version.dropFirst(place).first { _ in true }
          }
        }
      }
      if rows.isComplete { return }
      if start == 0, rows === first {
        for _ in 0..<rows.count { _ = rest.next() }
      }
      start += rows.count
      try rows.replace(by: &rest, limit: RowEncoder.sizeLimit)
    }
  }

  /// Inserts encoded rows by one statement, if that is possible.
  /// - Returns: Whether it was possible.
  private func insertAtOnce(
    _ rows: EncodedRows<Element>, _ order: [Int], _ start: Int, of version: some Sequence<Element>
  ) throws -> Bool {
    guard let first = order.first else { return true }
    if !table.exists { try createTable(id: rows.take(first)) }
    guard let idIndex = table.idIndex, rows.haveIDs(at: idIndex),
      hasIntegerID || !table.hasIntegerID
    else { return false }
    do {
      return try table.insertAll(order, firstOrder: OrderNumbers.gap * Int64(start))
    } catch {
      let place = try table.connection.rowSource().place
      guard error.isRepeatedID, place < order.count,
        let element = version.dropFirst(start + order[place]).first(where: { _ in true })
      else { throw error }
      throw skipped(element)
    }
  }

  private func createTable(id: StoredValue) throws(SQLiteFailure) {
    try table.create(id: id, hasIntegerID: hasIntegerID, isIdentifiable: coding.isIdentifiable)
  }

  private func insert(
    _ id: StoredValue, order: Int64, _ element: () -> Element?
  ) throws {
    if !table.exists { try createTable(id: id) }
    let isInserted: Bool
    do {
      isInserted = try table.insert(id: id, order: order)
    } catch {
      guard error.isRepeatedID else { throw error }
      // Another program has inserted a row with the ID.
      guard !table.hasSkippedRows, try table.delete(id) else {
        guard let element = element() else { throw error }
        throw skipped(element)
      }
      table.hasRestoredRows = true
      isInserted = try table.insert(id: id, order: order)
    }
    if !isInserted, let element = element() {
      throw RowFailure(
        .encoding, table: table.part, row: coding.label(of: element),
        reason: RowFailure.ignored)
    }
  }

  /// Updates elements. `updates` contains addresses instead of elements, because most elements are
  /// already encoded and need not be copied.
  /// - Throws: `SQLiteFailure`; `RowFailure` when an element cannot be encoded, when the file does
  ///   not have its row, or when a skipped row has its new ID.
  func update(_ updates: [UpdatedElement]) throws {
    var count = 0
    if let encoded {
      count = min(encoded.count, updates.count)
      let order = encoded.storedOrder(ofFirst: count)
      if try !updateAtOnce(updates, encoded, order) {
        for index in order { try update(updates[index], to: encoded.take(index)) }
      }
      encoded.next = count
    }
    for update in updates[count...] {
      try self.update(update, to: try encodeNow(update.new(Element.self).pointee))
    }
  }

  /// Updates encoded rows by one statement, if that is possible.
  /// - Returns: Whether it was possible.
  private func updateAtOnce(
    _ updates: [UpdatedElement], _ encoded: EncodedRows<Element>, _ order: [Int]
  ) throws -> Bool {
    guard hasIntegerID, let idIndex = table.idIndex, encoded.haveIDs(at: idIndex) else {
      return false
    }
    switch try table.updateAll(order) {
    case .isDone: return true
    case .isNotPossible: return false
    case .isMissing(let index): throw missing(updates[index].new(Element.self).pointee)
    }
  }

  private func update(_ element: UpdatedElement, to newID: StoredValue) throws {
    let (old, new) = (element.old(Element.self), element.new(Element.self))
    // Equal integers have the same stored form. If the IDs are integers, the ID in the file
    // therefore equals `newID`.
    let oldID = hasIntegerID ? newID : try id(of: old.pointee)
    do {
      if try table.update(id: newID, storedID: oldID) { return }
      let stored = try storedID(of: old.pointee)
      guard try table.update(id: newID, storedID: stored) else { throw missing(new.pointee) }
    } catch let failure as SQLiteFailure where failure.isRepeatedID {
      throw skipped(new.pointee)
    }
  }

  /// Deletes an element.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the file does not have the row.
  func delete(_ element: Element) throws {
    if try table.delete(try id(of: element)) { return }
    guard try table.delete(try storedID(of: element)) else { throw missing(element) }
  }

  /// Inserts an element, unless the file has it. The caller numbers the rows anew later.
  /// - Returns: Whether it was inserted.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the element cannot be encoded.
  /// - Complexity: O(1), the first time O(*n*).
  func restore(_ element: Element) throws -> Bool {
    if table.exists, try spellings.storedID(of: element) != nil { return false }
    try insert(try encodeNow(element), order: 0) { element }
    table.hasRestoredRows = true
    return true
  }

  /// Deletes all rows except those of some elements.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func removeOthers(than elements: some Sequence<Element>) throws {
    guard table.exists else { return }
    var kept = Set(elements.map(coding.key))
    var others: [StoredValue] = []
    try table.forEachID { id in
      // If the file has two spellings of an ID, the first row stays.
      if let key = coding.storedKey(of: id), kept.remove(key) != nil { return }
      others.append(id)
    }
    for id in others { _ = try table.delete(id) }
  }

  /// Updates the row of an element, or inserts it if the file does not have it.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the element cannot be encoded.
  func rewrite(_ element: Element, order: Int64) throws {
    let id = try encodeNow(element)
    if table.exists, let stored = try spellings.idOfColumn(of: element),
      try table.update(id: id, storedID: stored)
    {
      _ = try table.setOrder(of: id, to: order)
    } else {
      try insert(id, order: order) { element }
    }
  }

  /// Deletes an existing row with the ID of a new element. Only another program can have inserted
  /// such a row.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(1), the first time O(*n*).
  func makeRoom(for element: Element) throws {
    guard table.exists else { return }
    if let id = try spellings.idOfColumn(of: element), try table.delete(id) {
      table.hasRestoredRows = true
    }
  }

  /// Returns the order number of an element.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the file does not have the row.
  func order(of element: Element) throws -> Int64 {
    let order = try table.order(of: try id(of: element))
    switch try order ?? table.order(of: try storedID(of: element)) {
    case .integer(let order): return order
    default: throw missing(element)
    }
  }

  /// Sets the order number of an element.
  /// - Throws: `SQLiteFailure`; `RowFailure` when the file does not have the row.
  func setOrder(of element: Element, to order: Int64) throws {
    if try table.setOrder(of: try id(of: element), to: order) { return }
    guard try table.setOrder(of: try storedID(of: element), to: order) else {
      throw missing(element)
    }
  }

  /// Selects the row of an element as the current row of the table's encoder: the next row of
  /// `encoded`, or else a row that is encoded now.
  /// - Returns: The form of the element's ID.
  private func encode(_ element: Element) throws -> StoredValue {
    if let id = encoded?.takeNext() { return id }
    return try encodeNow(element)
  }

  private func encodeNow(_ element: Element) throws -> StoredValue {
    do {
      try coding.encode(element, to: encoder)
      return try coding.idForm(of: element, encoder)
    } catch {
      throw RowFailure(.encoding, table: table.part, row: coding.label(of: element), error)
    }
  }

  private func id(of element: Element) throws -> StoredValue {
    do {
      return try coding.idForm(of: element, encoder)
    } catch {
      throw RowFailure(.encoding, table: table.part, row: coding.label(of: element), error)
    }
  }

  /// Returns the ID of an element in the file's spelling. The spelling in memory may differ,
  /// because a row can be replaced by a row with an equal ID in another spelling.
  private func storedID(of element: Element) throws -> StoredValue {
    guard let id = try spellings.storedID(of: element) else { throw missing(element) }
    return id
  }

  /// Returns the failure of an element with the ID of a skipped row.
  private func skipped(_ element: Element) -> RowFailure {
    RowFailure(
      .encoding, table: table.part, row: coding.label(of: element),
      reason: """
        the file has a row with this ID that could not be read: pass replacing: true to remove all \
        such rows
        """)
  }

  private func missing(_ element: Element) -> RowFailure {
    RowFailure(
      .encoding, table: table.part, row: coding.label(of: element),
      reason: "the file no longer has the row: something else changed it")
  }
}

/// A row that is encoded before it is written.
///
/// The type is not nested in `EncodedRows`. The metadata of a type that is nested in a generic type
/// is looked up for each access.
private struct EncodedRow {
  /// The index of the row among the encoder's rows; out of range for an element without members.
  let index: Int
  let id: StoredValue
}

/// The rows of one part that are encoded before they are written. A save encodes its first rows
/// before it takes the turn.
final class EncodedRows<Element> {
  let encoder: RowEncoder
  private let coding: any ElementCoding<Element>
  /// The name of the table in messages.
  private let table: String
  // Exclusivity is unchecked, because no code of `Element` runs while `rows` is accessed.
  @exclusivity(unchecked) private var rows: [EncodedRow] = []
  /// Whether `replace(by:limit:)` has reached the end of the version.
  @exclusivity(unchecked) private(set) var isComplete = false
  /// The index of the row that `takeNext()` takes.
  @exclusivity(unchecked) var next = 0

  /// The number of rows.
  var count: Int { rows.count }

  /// Creates an empty list.
  init(_ encoder: RowEncoder, _ coding: any ElementCoding<Element>, of table: String) {
    self.encoder = encoder
    self.coding = coding
    self.table = table
  }

  /// Encodes a row.
  /// - Throws: `RowFailure`.
  func append(_ element: Element) throws {
    let index = encoder.rowCount
    do {
      try coding.encode(element, to: encoder)
      let id = try coding.idForm(of: element, encoder)
      rows.append(EncodedRow(index: encoder.rowCount > index ? index : .max, id: id))
    } catch {
      throw RowFailure(.encoding, table: table, row: coding.label(of: element), error)
    }
  }

  /// Removes all encoded rows. `ElementWriter` then encodes each row just before it writes the row.
  func removeAll() {
    rows = []
    isComplete = false
    next = 0
    encoder.removeRows()
  }

  /// Replaces the rows by rows that are encoded from the next elements of a version.
  /// - Parameters:
  ///   - elements: The elements of the version that are not yet encoded.
  ///   - limit: The number of bytes after which no further row is encoded.
  /// - Throws: `RowFailure`.
  func replace(by elements: inout some IteratorProtocol<Element>, limit: Int) throws {
    rows.removeAll(keepingCapacity: true)
    encoder.keepRows()
    defer { encoder.stopKeepingRows() }
    while encoder.size < limit {
      guard let element = elements.next() else {
        isComplete = true
        return
      }
      try append(element)
    }
  }

  /// Returns the indices of the first `count` rows, in the order of the rows in the file. SQLite
  /// then visits each page once. Rows with integer IDs are in the order of the IDs. Other rows are
  /// in the order of their insertion.
  func storedOrder(ofFirst count: Int) -> [Int] {
    let order =
      coding.hasIntegerID
      ? OrderNumbers.ascendingIndices(
        of: rows[..<count].map { if case .integer(let id) = $0.id { id } else { 0 } }) : nil
    return order ?? Array(0..<count)
  }

  /// Returns whether the value of each row in a column is the ID of the row.
  func haveIDs(at column: Int) -> Bool {
    encoder.rowCount == rows.count
      && rows.allSatisfy { encoder.rows[$0.index].has($0.id, at: column) }
  }

  /// Selects a row as the current row of the encoder.
  /// - Returns: The form of its ID.
  func take(_ index: Int) -> StoredValue {
    encoder.select(rows[index].index)
    return rows[index].id
  }

  /// Selects the next row as the current row of the encoder.
  /// - Returns: The form of its ID, or `nil` when all have been taken.
  func takeNext() -> StoredValue? {
    if next == rows.count { return nil }
    defer { next += 1 }
    return take(next)
  }
}
