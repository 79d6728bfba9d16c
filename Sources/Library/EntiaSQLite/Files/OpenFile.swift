import EntiaCollections
import EntiaDatabase
import EntiaSharing
import Foundation

/// A storage in a file while it is open. One thread at a time uses it.
final class OpenFile<Storage: NormalizedStorageType> {
  let connection: SQLiteConnection
  let parts: StorageParts<Storage>
  var header: FileHeader
  /// The tables of the parts, by their names.
  var tables: [String: PartTable] = [:]
  /// The members that rows have read or written, by part. When a table is opened again, these
  /// members are marked as claimed. The table therefore does not report them as unclaimed.
  private var claims: [String: Set<String>] = [:]
  /// Whether `claims` may contain members that are not marked as claimed in the encoders.
  private var hasNewClaims = false
  /// The encoders of parts that have no table yet.
  var newEncoders: [String: RowEncoder] = [:]
  /// The names of the program's migrations. The first save records them as applied.
  let migrations: [String]
  /// The parts with rows that have no order number in the file.
  private var unnumbered: Set<String> = []
  /// The parts with rows whose ID column has another ID than their members.
  private var otherIDs: Set<String> = []
  /// The number of each part's rows in the file, once they were loaded or saved.
  var rowCounts: [String: Int64] = [:]
  /// The version in the file, once it was loaded or saved.
  private(set) var saved: Storage?
  /// The contents of the file. They may include held IDs without entities, which `saved` does not
  /// include.
  private var contents: Storage.Contents?
  /// The held IDs that the last load left out, the version that this load read, and the result of
  /// `SQLiteConnection.dataVersion()`. Only processes that share the file use this property.
  private var leftOut: (ids: LeftOutIDs<Storage.Contents>, position: LogPosition, changes: Int64?)?
  /// The parts in which the last load skipped rows. Saves and batches protect these rows.
  private var skipped: Set<String> = []
  /// Whether another program may have changed rows since the last load.
  private var hasEdits = false
  /// The parts whose ages or answers the last load could not read completely. The next save writes
  /// these parts anew.
  private var unreadable: Set<String> = []
  /// The parts whose rows another program may have changed since they were loaded or saved. If a
  /// save changes a part in `edited`, the save first restores the rows that another program
  /// removed.
  private var edited: Set<String> = []
  /// The parts whose tables will match `saved` if the save under way is committed.
  private var restored: Set<String> = []
  /// Whether the save under way may change more in the file than the changes in the log describe,
  /// for one of two reasons:
  /// - It has written or deleted rows that are not among its differences.
  /// - Another program has changed the file since the last load, and the differences include
  ///   changes of held IDs or of an ordered table, or new rows that can be held.
  private(set) var differsFromLog = false
  /// The header before the save under way.
  var headerBeforeSave: FileHeader?
  /// The changes of the last versions.
  let log: ChangeLog
  /// The sums of the rows of the tables.
  let sums: RowSums
  /// The state of the file when the header was read.
  var known: KnownState?
  /// The result of `SQLiteConnection.dataVersion()` at the last `noteEdits()`.
  var changesByOthers: Int64?
  /// The identity of this object as the author of versions. `mutation` is the number of its last
  /// version.
  let client = ClientID()
  var mutation: Int64 = 0
  /// The statement that finds the records about a table.
  var findingRecords: SQLiteStatement?
  /// The codings by which changes of the parts are encoded for the log; `nil` before the first use.
  var logParts: SpaceParts<Storage>?

  /// The state of a file that other connections may change.
  struct KnownState: Equatable {
    /// The version in the file.
    let position: LogPosition
    /// SQLite's schema version.
    let schema: Int64
    /// The result of `SQLiteConnection.dataVersion()`.
    let changes: Int64
  }

  init(
    _ connection: SQLiteConnection, _ parts: StorageParts<Storage>, named name: String = "",
    migrations: [String] = []
  ) throws {
    self.connection = connection
    self.parts = parts
    self.migrations = migrations
    header = try FileHeader(connection, storage: name)
    log = ChangeLog(connection, storage: name)
    sums = RowSums(connection)
  }

  /// The name of a part in messages.
  private func label(of part: String) -> String {
    header.storage.isEmpty ? part : "\(header.storage).\(part)"
  }

  /// Whether the file has a part. The part's table is created with its first row.
  func isStored(_ part: String) -> Bool { header.tables[part] != nil }

  /// Returns the table of a part, or `nil` if the file does not have the part.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func table(of part: String) throws -> PartTable? {
    if let table = tables[part] { return table }
    guard let name = header.tables[part] else { return nil }
    let table = try PartTable(
      part: label(of: part), name: name, on: connection, newEncoder: newEncoders[part])
    newEncoders[part] = nil
    table.hasUnnumberedRows = unnumbered.contains(part)
    table.hasOtherIDs = otherIDs.contains(part)
    table.rowCount = rowCounts[part] ?? 0
    for member in claims[part] ?? [] { table.encoder.claim(member) }
    tables[part] = table
    return table
  }

  /// Whether any part has rows in the file.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func hasRows() throws -> Bool {
    for part in parts.codings.keys {
      guard let table = try table(of: part), table.exists else { continue }
      if try hasRows(inTable: table.name) { return true }
    }
    return false
  }

  /// Whether a table in the file, which need not exist, has rows.
  /// - Throws: `SQLiteFailure`.
  func hasRows(inTable name: String) throws(SQLiteFailure) -> Bool {
    let table = try connection.value(
      "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=? COLLATE NOCASE", [.text(name)])
    if table == nil { return false }
    return try connection.value("SELECT EXISTS(SELECT 1 FROM \(SQLName.quoted(name)))")
      == .integer(1)
  }

  /// Releases the version in memory, because the file has been closed.
  func releaseVersion() {
    saved = nil
    contents = nil
    leftOut = nil
  }

  /// Marks the members in `claims` as claimed in the encoders of the tables.
  func claimMembers() {
    if !hasNewClaims { return }
    hasNewClaims = false
    for (part, table) in tables {
      for member in claims[part] ?? [] { table.encoder.claim(member) }
    }
  }

  /// Releases all statements.
  func releaseTables() {
    newEncoders = [:]
    for (part, table) in tables { claims[part, default: []].formUnion(table.claimedMembers) }
    tables = [:]
    findingRecords = nil
    log.releaseStatements()
    sums.releaseStatements()
  }
}

// Loading.
extension OpenFile {
  /// Stores the findings of a load. The keys are the names of the parts.
  func note(_ findings: [String: PartFindings]) {
    // `claimMembers()` updates the encoders later, because another thread may be using them now.
    hasNewClaims = true
    for (part, findings) in findings {
      claims[part, default: []].formUnion(findings.members)
      if findings.hasUnnumberedRows { unnumbered.insert(part) } else { unnumbered.remove(part) }
      tables[part]?.hasUnnumberedRows = findings.hasUnnumberedRows
      if findings.hasOtherIDs { otherIDs.insert(part) } else { otherIDs.remove(part) }
      tables[part]?.hasOtherIDs = findings.hasOtherIDs
      rowCounts[part] = findings.rowCount
      tables[part]?.rowCount = findings.rowCount
    }
  }

  /// Sets the version that was loaded. The next save is compared with it.
  /// - Parameters:
  ///   - storage: The version.
  ///   - contents: The contents of the file.
  ///   - leftOut: The held IDs that the load left out.
  ///   - skipped: The parts in which the load skipped rows.
  ///   - unreadable: The parts whose ages or answers the load could not read completely.
  func setLoaded(
    _ storage: Storage, _ contents: Storage.Contents, _ leftOut: LeftOutIDs<Storage.Contents>,
    skipped: Set<String>, unreadable: Set<String>
  ) {
    saved = storage
    self.unreadable = unreadable
    edited = []
    hasEdits = false
    self.skipped = skipped
    // A save deletes the held IDs, ages and answers that are in `self.contents` but not in the
    // saved version. Those of skipped rows are not in `self.contents`.
    self.contents = hasSkippedRows ? leftOut.added(to: storage.snapshot.contents) : contents
  }

  /// Stores the findings of a load of a file that other processes may change.
  /// - Parameters:
  ///   - leftOut: The held IDs that the load left out. The next batch deletes them.
  ///   - position: The version that was loaded.
  ///   - changes: The result of `SQLiteConnection.dataVersion()` at the load.
  ///   - skipped: The parts in which the load skipped rows.
  func noteLoaded(
    _ leftOut: LeftOutIDs<Storage.Contents>, at position: LogPosition, _ changes: Int64?,
    skipped: Set<String>
  ) {
    self.leftOut = (leftOut, position, changes)
    self.skipped = skipped
  }

  /// Returns the contents of the file at a version that is in memory. The contents include the held
  /// IDs that the load of the version left out. A later version does not have these IDs: the
  /// process that wrote the later version has loaded the same rows, and has deleted the IDs.
  /// - Throws: `SQLiteFailure`.
  func contents(of version: Storage, at position: LogPosition) throws -> Storage.Contents {
    let contents = version.snapshot.contents
    guard let leftOut, leftOut.position == position else { return contents }
    // If other programs have triggers in the file, a push may follow edits that were not loaded.
    if try connection.dataVersion() != leftOut.changes, connection.runsTriggers,
      try connection.hasForeignTriggers
    {
      return contents
    }
    return leftOut.ids.added(to: contents)
  }

  /// Whether the file has rows that the last load skipped.
  var hasSkippedRows: Bool { !skipped.isEmpty }

  func noteTables() {
    for (part, table) in tables {
      rowCounts[part] = table.rowCount
      if table.hasUnnumberedRows { unnumbered.insert(part) } else { unnumbered.remove(part) }
      if !table.hasOtherIDs { otherIDs.remove(part) }
    }
  }
}

// Saving.
extension OpenFile {
  /// Returns whether the next save replaces rows in the file that were not loaded.
  /// - Parameter isPermitted: Whether the caller permits the replacement. If not, the result is
  ///   `false`.
  func isReplacing(ifPermitted isPermitted: Bool) -> Bool {
    isPermitted && (saved == nil || hasSkippedRows || hasEdits)
  }

  /// Returns whether the file differs from a version.
  func differs(from version: Storage) -> Bool {
    guard let saved, hasAllParts else { return true }
    return !version.snapshot.isIdentical(to: saved.snapshot)
  }

  /// Prepares a save of a version.
  /// - Parameters:
  ///   - version: The version.
  ///   - isReplacing: Whether rows in the file that were not loaded are removed.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func prepare(_ version: Storage, isReplacing: Bool) throws -> StorageSaving<Storage> {
    // Another program may have dropped tables, or changed their columns.
    if let schema = sums.schema, try connection.schemaVersion() != schema { releaseTables() }
    return try prepare(version, since: contents, isReplacing: isReplacing)
  }

  /// Prepares a save of a version.
  /// - Parameters:
  ///   - version: The version.
  ///   - old: The contents of the file; `nil` if they were not loaded.
  ///   - isReplacing: Whether rows in the file that were not loaded are removed.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func prepare(
    _ version: Storage, since old: Storage.Contents?, isReplacing: Bool = false
  ) throws -> StorageSaving<Storage> {
    claimMembers()
    var parts: [String: StorageSaving<Storage>.Part] = [:]
    for part in self.parts.codings.keys {
      let encoder: RowEncoder
      if let table = try table(of: part) {
        encoder = table.encoder
      } else {
        encoder = newEncoders[part] ?? RowEncoder()
        newEncoders[part] = encoder
      }
      parts[part] = .init(
        isStored: isStored(part) && !unreadable.contains(part), encoder: encoder,
        label: label(of: part))
    }
    return StorageSaving(
      self.parts, parts, old: old, new: version.snapshot.contents, writesAll: isReplacing)
  }

  /// Writes a version in a transaction. Call `finish(_:isReplacing:isCommitted:)` after it.
  /// - Parameters:
  ///   - saving: The differences.
  ///   - isReplacing: Whether rows in the file that were not loaded are removed.
  ///   - isLogged: Whether the version is added to the log.
  /// - Throws: `SQLiteFailure`, `RowFailure`.
  func write(
    _ saving: StorageSaving<Storage>, isReplacing: Bool, isLogged: Bool
  ) throws {
    headerBeforeSave = header
    let (tables, names) = (header.tables, header.migrations)
    try header.create(on: connection)
    try sums.begin()
    // The log is created before `sums.end`, after which the schema must not change.
    if isLogged { try log.create() }
    try header.setSchema(parts.fingerprint, migrations: migrations, on: connection)
    try connection.addFreshnessParts(
      parts.storesFreshness ? parts.freshness : [], of: header.storage)
    // Loaded rows of entities are not deleted but overwritten in place, because they may have
    // members that this program does not have.
    let emptied = isReplacing && saved == nil ? Set(parts.codings.keys) : unreadable
    for part in emptied.sorted() { try table(of: part)?.deleteAll() }
    restored = []
    differsFromLog = hasEdits && saving.dependsOnFile
    for (part, write) in saving.writes {
      if !isStored(part) { _ = try header.addTable(of: part, on: connection) }
      guard let table = try table(of: part) else { continue }
      table.isEdited = edited.contains(part)
      table.isReplaced = isReplacing && !emptied.contains(part)
      table.hasSkippedRows = skipped.contains(part) && !isReplacing
      table.hasRestoredRows = false
      try write(table)
      // If `isEdited` is still set, no row differed, and `write` has written and restored nothing.
      if !table.isEdited { restored.insert(part) }
      if table.hasRestoredRows { differsFromLog = true }
    }
    for part in parts.codings.keys.sorted() {
      guard let table = try table(of: part) else { continue }
      try header.setRowCount(table.rowCount, of: part, on: connection)
    }
    try sums.end(
      self.tables.values.sorted { $0.name < $1.name },
      headerIsChanged: header.tables != tables || header.migrations != names)
  }

  /// Records whether other programs have changed the file since the last call. Only a sole writer
  /// needs this record, because processes that share a file read each other's changes.
  /// - Throws: `SQLiteFailure`.
  func noteEdits() throws(SQLiteFailure) {
    let former = changesByOthers
    changesByOthers = try connection.dataVersion()
    if former == nil || former == changesByOthers { return }
    edited.formUnion(parts.codings.keys)
    hasEdits = true
    log.isBehind = true
  }

  /// Ends a save after its transaction.
  func finish(_ version: Storage, isReplacing: Bool, isCommitted: Bool) {
    discardRows()
    if isCommitted {
      noteTables()
      if isReplacing {
        skipped = []
        hasEdits = false
      }
      unreadable = []
      edited.subtract(restored)
      saved = version
      contents = version.snapshot.contents
    } else {
      // The rollback may have removed columns that the tables in memory still have.
      if let headerBeforeSave { header = headerBeforeSave }
      releaseTables()
      log.noteRollback()
      sums.reset()
      known = nil
    }
    headerBeforeSave = nil
  }

  /// Whether the file has every part of the storage. The rows of a part that the file lacks are
  /// those of `init()`, and exist only in memory.
  private var hasAllParts: Bool { header.isSaved && parts.codings.keys.allSatisfy(isStored) }
}
