import EntiaDatabase

extension OpenFile {
  /// Returns the tables that the storage and the file do not have in common, or `nil` unless both
  /// have such tables.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*t*) in the number of tables.
  func unmatchedTables() throws -> UnmatchedTables? {
    if parts.codings.keys.allSatisfy(isStored) { return nil }
    let former = header.schema.map(StorageParts<Storage>.heldParts)
    var result: (missing: [String], unclaimed: [String]) = ([], [])
    for isHeld in [false, true] {
      let missing = StorageParts<Storage>.heldParts(in: parts.fingerprint)
        .filter { $0.value == isHeld && !isStored($0.key) }.map(\.key)
      if missing.isEmpty { continue }
      let unclaimed = try header.tables.filter { part, table in
        // The tool, which saves no schema, writes no held IDs.
        let kind = former == nil ? false : former?[part]
        return try parts.codings[part] == nil && kind == isHeld && hasRows(inTable: table)
      }.map(\.key)
      if unclaimed.isEmpty { continue }
      result.missing += missing
      result.unclaimed += unclaimed
    }
    if result.missing.isEmpty { return nil }
    return UnmatchedTables(missing: result.missing.sorted(), unclaimed: result.unclaimed.sorted())
  }

  /// Checks that a save writes no table beside one with rows that may be the same table.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.tablesAreUnmatched`.
  func requireMatchingTables(_ path: String) throws {
    guard let tables = try unmatchedTables() else { return }
    throw DatabaseFileError.tablesAreUnmatched(
      file: path, missing: tables.missing, unclaimed: tables.unclaimed)
  }
}
