/// The IDs of a table as the file spells them.
///
/// They are read when the first ID is not found as memory spells it, and serve for the rest of a
/// save: rows that the save writes have the spelling of memory.
final class StoredSpellings<Element> {
  private let table: PartTable
  private let coding: any ElementCoding<Element>
  private var ids: [AnyHashable: StoredValue]?

  /// Creates the spellings of a table.
  init(table: PartTable, coding: any ElementCoding<Element>) {
    self.table = table
    self.coding = coding
  }

  /// Returns the ID of an element as the file spells it, or `nil` when the file does not have it.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(1), the first time O(*n*).
  func storedID(of element: Element) throws(SQLiteFailure) -> StoredValue? {
    if let ids { return ids[coding.key(of: element)] }
    var ids: [AnyHashable: StoredValue] = [:]
    try table.forEachID { id in
      if let key = coding.storedKey(of: id) { ids[key] = id }
    }
    self.ids = ids
    return ids[coding.key(of: element)]
  }
}
