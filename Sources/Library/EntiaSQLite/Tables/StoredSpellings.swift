/// The IDs of a table in the file's spelling, which may differ from the spelling in memory.
///
/// A save reads these IDs when it finds no row whose ID is spelled as in memory. It does not look
/// up rows here that it has written itself, because their IDs are spelled as in memory.
final class StoredSpellings<Element> {
  private let table: PartTable
  private let coding: any ElementCoding<Element>
  private var ids: [AnyHashable: StoredValue]?
  private var idsOfRows: [AnyHashable: StoredValue]?

  /// Creates the spellings of a table.
  init(table: PartTable, coding: any ElementCoding<Element>) {
    self.table = table
    self.coding = coding
  }

  /// Returns the ID of an element in the file's spelling, or `nil` when the file does not have it.
  ///
  /// If another member was the ID of a row when the row was saved, the ID column contains the value
  /// of that member. Such a row is found by its members, as in a load.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(1), the first time O(*n*).
  func storedID(of element: Element) throws(SQLiteFailure) -> StoredValue? {
    if let id = try idOfColumn(of: element) { return id }
    let key = coding.key(of: element)
    let others = if let idsOfRows { idsOfRows } else { try readRows() }
    return others[key]
  }

  /// Returns the ID of an element in the file's spelling, or `nil` if the ID column does not
  /// contain the ID.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(1), the first time O(*n*).
  func idOfColumn(of element: Element) throws(SQLiteFailure) -> StoredValue? {
    let ids = if let ids { ids } else { try readIDs() }
    return ids[coding.key(of: element)]
  }

  private func readIDs() throws(SQLiteFailure) -> [AnyHashable: StoredValue] {
    var ids: [AnyHashable: StoredValue] = [:]
    try table.forEachID { id in
      if let key = coding.storedKey(of: id) { ids[key] = id }
    }
    self.ids = ids
    return ids
  }

  private func readRows() throws(SQLiteFailure) -> [AnyHashable: StoredValue] {
    var ids: [AnyHashable: StoredValue] = [:]
    let decoder = RowDecoder(members: table.members)
    try table.forEachRow { row, reading in
      decoder.begin(row)
      do {
        ids[coding.key(of: try coding.decode(decoder, idColumn: reading.idColumn))] =
          row.value(at: reading.idColumn)
      } catch {
        // No element in memory is from a row that cannot be decoded.
      }
    }
    idsOfRows = ids
    return ids
  }
}
