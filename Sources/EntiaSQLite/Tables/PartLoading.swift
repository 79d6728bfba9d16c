/// Reads the elements of one part from its table.
struct PartLoading<Element> {
  let table: PartTable
  let coding: ElementCoding<Element>

  /// Returns the elements in their order.
  /// - Throws: `SQLiteFailure`; `RowFailure` for a row that cannot be decoded.
  /// - Complexity: O(*n*), O(*n* log *n*) when the file has the rows in another order.
  func load() throws -> [Element] {
    guard table.exists else { return [] }
    let statement = try table.reading()
    let (idColumn, orderColumn) = (table.columns.count, table.columns.count + 1)
    let row = RowDecoder(statement, members: table.encoder.members)
    var elements: [Element] = []
    var numbers: [Int64] = []
    var isSorted = true
    while try statement.step() {
      do {
        elements.append(try coding.decode(row, statement.value(at: idColumn)))
      } catch {
        throw RowFailure(
          .decoding, table: table.part, row: "\(statement.value(at: idColumn))", error)
      }
      // A row that something else inserted without a number is the last.
      let isNumbered = statement.kind(at: orderColumn) == .integer
      if !isNumbered { table.hasUnnumberedRows = true }
      let number = isNumbered ? statement.integer(at: orderColumn) : .max
      if let last = numbers.last, last > number { isSorted = false }
      numbers.append(number)
    }
    for (member, isClaimed) in zip(table.encoder.members, row.isClaimed) where isClaimed {
      table.encoder.claim(member)
    }
    if isSorted { return elements }
    let order = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    return order.map { elements[$0] }
  }
}
