import EntiaDatabase

/// Tables of a storage that its file lacks, and tables in the file that the storage lacks: perhaps
/// the same ones, whose names have changed without a migration.
///
/// A table in the file counts if it has rows and the program that saved the file last had it. Held
/// IDs are compared with held IDs.
public struct UnmatchedTables: Equatable, Sendable {
  /// The names of the tables that the file lacks, sorted.
  public let missing: [String]
  /// The names of the tables that the storage lacks, sorted.
  public let unclaimed: [String]
}

extension UnmatchedTables: CustomStringConvertible {
  /// A sentence with the names.
  public var description: String {
    """
    the file lacks \(missing.joined(separator: ", ")), and has \
    \(unclaimed.joined(separator: ", ")), which the storage lacks
    """
  }
}

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
