import EntiaDatabase

/// The tables and members in a file that the storage lacks.
///
/// They are kept, because no save changes them.
public struct UnclaimedParts: Equatable, Sendable {
  /// The names of the tables, sorted.
  public internal(set) var tables: [String]
  /// The sorted names of unclaimed members in tables of the storage, by the names of the tables.
  public internal(set) var members: [String: [String]]

  /// Whether the storage has all tables and members that are in the file.
  public var isEmpty: Bool { tables.isEmpty && members.isEmpty }
}

extension UnclaimedParts: CustomStringConvertible {
  /// One line for each table.
  public var description: String {
    if isEmpty { return "the storage has everything in the file" }
    let lines =
      tables.map { "table \($0)" }
      + members.sorted { $0.key < $1.key }.map {
        "members of \($0.key): \($0.value.joined(separator: ", "))"
      }
    return lines.joined(separator: "\n")
  }
}

extension DatabaseFile {
  /// The tables and members in the file that the storage lacks, such as tables of an older version
  /// of the program. They are kept. Tables of storages that are not open are included.
  ///
  /// A member belongs to the storage once decoding or encoding a row has used the member. Before
  /// the first `load()`, this property therefore reads the rows.
  /// - Throws: As `load()`.
  /// - Complexity: O(*c*) in the number of columns, O(*n*) before the first `load()`.
  public var unclaimed: UnclaimedParts {
    get throws {
      // Decoding the rows shows which members their types read.
      if try withTurn({ $0.saved == nil }) { _ = try load(.throw, isCompared: false) }
      let storages = session.storageNames
      return try session.withSaving { try withTurn { try $0.unclaimed(besides: storages) } }
    }
  }
}

extension OpenFile {
  /// Returns the tables and columns in the file that do not belong to the storage. A column belongs
  /// to the storage once a row has read or written the member of the column.
  /// - Parameter others: The names of the storages in the file that are open.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func unclaimed(besides others: Set<String>) throws -> UnclaimedParts {
    claimMembers()
    var result = UnclaimedParts(tables: [], members: [:])
    var known = try tables(of: others)
    for (part, name) in header.tables {
      known.insert(SQLName.lowercased(name))
      guard parts.codings[part] != nil else {
        if !parts.freshness.contains(where: { $0.name == part }) { result.tables.append(part) }
        continue
      }
      guard let table = try table(of: part), table.exists else { continue }
      let members = table.unclaimedMembers
      if !members.isEmpty { result.members[part] = members.sorted() }
    }
    let others = try connection.prepare("SELECT name FROM sqlite_schema WHERE type='table'")
    while try others.step() {
      let name = others.text(at: 0)
      let lowered = SQLName.lowercased(name)
      let isOurs = FileHeader.ownTables.contains(lowered) || lowered.hasPrefix("sqlite_")
      if !isOurs, !known.contains(lowered) { result.tables.append(name) }
    }
    result.tables.sort()
    return result
  }

  /// Returns the names of the tables of some storages, in lower case.
  private func tables(of storages: Set<String>) throws -> Set<String> {
    var result: Set<String> = []
    guard header.isDescribed else { return result }
    let names = try connection.prepare("SELECT storage, name FROM entia_parts")
    while try names.step() {
      let storage = names.text(at: 0)
      if storage != header.storage, storages.contains(storage) {
        result.insert(SQLName.lowercased(names.text(at: 1)))
      }
    }
    return result
  }

  /// Returns the tables of the storage that the file lacks, and the tables of the file that the
  /// storage lacks. Returns `nil` if one of these lists is empty.
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
        // A file by the tool `entia` has no fingerprint, and its tables contain rows, not held IDs.
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

  /// Checks that a save creates no table for a part whose rows may be in a table with another name.
  /// - Throws: `SQLiteFailure`, `DatabaseFileError.tablesAreUnmatched`.
  func requireMatchingTables(_ path: String) throws {
    guard let tables = try unmatchedTables() else { return }
    throw DatabaseFileError.tablesAreUnmatched(
      file: path, missing: tables.missing, unclaimed: tables.unclaimed)
  }
}
