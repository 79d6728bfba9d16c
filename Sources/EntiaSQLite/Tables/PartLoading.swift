/// Reads the elements of one part from its table.
struct PartLoading<Element> {
  let table: PartTable
  let coding: any ElementCoding<Element>

  /// Returns the elements in their order.
  /// - Parameter onBrokenRow: Called with the failure of each row that cannot be decoded, which is
  ///   left out unless it throws.
  /// - Throws: `SQLiteFailure`; the error of the closure.
  /// - Complexity: O(*n*).
  func load(onBrokenRow: (RowFailure) throws -> Void) throws -> LoadedElements<Element> {
    let elements = LoadedElements<Element>()
    guard table.exists else { return elements }
    let (statement, idColumn, orderColumn) = try table.reading()
    let rows = RowChunk()
    let row = RowDecoder(members: table.encoder.members)
    var numbers: [Int64] = []
    var hasMore = true
    while hasMore {
      hasMore = try rows.fill(from: statement)
      for index in 0..<rows.count {
        let current = rows[index]
        row.begin(current)
        do {
          elements.append(try coding.decode(row, idColumn: idColumn))
        } catch {
          try onBrokenRow(
            RowFailure(
              .decoding, table: table.part, row: "\(current.value(at: idColumn))", error))
          continue
        }
        // A row that something else inserted without a number is the last.
        let isNumbered = current.kind(at: orderColumn) == .integer
        if !isNumbered { table.hasUnnumberedRows = true }
        numbers.append(isNumbered ? current.integer(at: orderColumn) : .max)
      }
    }
    for (member, isClaimed) in zip(table.encoder.members, row.isClaimed) where isClaimed {
      table.encoder.claim(member)
    }
    if let order = OrderNumbers.ascendingIndices(of: numbers) {
      elements.arrange(by: order)
    }
    return elements
  }
}
