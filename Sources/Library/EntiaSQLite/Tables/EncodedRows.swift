/// The rows of one part that a save encodes before it is its turn, in the order in which they are
/// written.
final class EncodedRows<Element> {
  private struct Row {
    /// The index of the row that the encoder keeps; out of range for an element without members.
    let index: Int
    let id: StoredValue
  }

  let encoder: RowEncoder
  private let coding: any ElementCoding<Element>
  /// The name of the table in messages.
  private let table: String
  private var rows: [Row] = []
  /// The index of the row that is written next.
  private var next = 0

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
      rows.append(Row(index: encoder.rowCount > index ? index : .max, id: id))
    } catch {
      throw RowFailure(.encoding, table: table, row: coding.label(of: element), error)
    }
  }

  /// Selects the next row as the current one of the encoder.
  /// - Returns: The form of its ID, or `nil` when all have been written.
  func takeNext() -> StoredValue? {
    if next == rows.count { return nil }
    defer { next += 1 }
    encoder.select(rows[next].index)
    return rows[next].id
  }
}
