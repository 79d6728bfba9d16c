import EntiaDatabase

/// An error of a database file. Each names the file and the reason, and, where there is one, the
/// table, the row and the column.
public enum DatabaseFileError: Error, Equatable, Sendable {
  /// Another connection, in this process or in another one, has the file open for writing.
  case isOpenElsewhere(file: String)
  /// The file has rows that this object has not loaded, and a save would remove them. Call `load()`
  /// first, or pass `replacing: true`.
  case notLoaded(file: String)
  /// The file lacks tables of the storage, and has others with rows that the program before had and
  /// this one does not: a save would put empty tables beside them. If tables were renamed, pass a
  /// migration; otherwise pass `replacing: true` to the first save.
  case tablesAreUnmatched(file: String, missing: [String], unclaimed: [String])
  /// A keeper saves the storage, which therefore cannot be saved directly or kept again. Commit to
  /// the store, or release the keeper first.
  case isKept(file: String)
  /// Another object has the storage with this name in the file.
  case nameIsInUse(file: String, name: String)
  /// Another keeper of the store saves the same part of its state.
  case partIsKept(file: String)
  /// What was committed was not saved within the given time. It is still pending.
  case timedOut(file: String)
  /// The file has been closed.
  case isClosed(file: String)
  /// The file was opened read-only, or the system permits no writing.
  case isReadOnly(file: String)
  /// The call would wait for itself: it began inside another call on the file, such as a save in
  /// the `encode(to:)` of a row, or in a commit for which another call on the file waits.
  case isBusy(file: String)
  /// The open file is not at its path any more: another program, such as one that restores a
  /// backup, has removed or replaced it. Nothing is saved. Close the file; to save what is in
  /// memory to the path, open it again and save with `replacing: true`.
  case isReplaced(file: String)
  /// The file or its folder cannot be opened.
  case cannotOpen(file: String, reason: String)
  /// Another connection has locked the file. The same call may succeed later.
  case isLocked(file: String)
  /// The disk is full. Nothing was changed.
  case isFull(file: String)
  /// The file is a SQLite database of another program. `entia import` reads it.
  case isForeign(file: String)
  /// The file was written by a newer version of the program or of Entia.
  case isNewer(file: String, reason: String)
  /// The file is not a SQLite database.
  case isNoDatabase(file: String)
  /// The file is a database of which a part is unreadable, or a table of which has lost rows.
  case isDamaged(file: String, reason: String)
  /// The entities of a table, or their IDs, are not `Codable`.
  case notCodable(file: String, table: String, type: String)
  /// A row cannot be stored.
  case cannotEncode(file: String, table: String, row: String, column: String?, reason: String)
  /// A row cannot be read.
  case cannotDecode(file: String, table: String, row: String, column: String?, reason: String)
  /// A migration failed, and none was applied.
  case cannotMigrate(
    file: String, migration: String, table: String?, row: String?, reason: String)
  /// The file needs migrations and was opened read-only.
  case needsMigration(file: String, migrations: [String])
  /// The rows in the file violate rules of the storage.
  case refused(file: String, reasons: [String])
  /// SQLite reported another error, with its extended result code.
  case failed(file: String, code: Int32, reason: String)
}

extension DatabaseFileError: CustomStringConvertible {
  /// A sentence that names the file, the place in it and the reason.
  public var description: String {
    switch self {
    case .isOpenElsewhere(let file):
      """
      \(file) is open for writing elsewhere, in this process or another one: close it there, or \
      copy it with backup(to:)
      """
    case .notLoaded(let file):
      """
      \(file) has rows that have not been loaded, and saving would remove them: call load() first, \
      or pass replacing: true
      """
    case .tablesAreUnmatched(let file, let missing, let unclaimed):
      """
      \(file): \(UnmatchedTables(missing: missing, unclaimed: unclaimed)): if tables were renamed, \
      open it with the migration renamingTable(_:to:); if not, pass replacing: true to the first save
      """
    case .isKept(let file):
      """
      \(file) is saved by a keeper: commit to its store, or release the keeper first
      """
    case .nameIsInUse(let file, let name):
      """
      \(file) has an open object of the storage \"\(name)\": use that one, or another name
      """
    case .partIsKept(let file):
      """
      \(file) cannot keep this part of the state, because another keeper of the store saves it: \
      release that keeper first
      """
    case .timedOut(let file): "\(file) was not saved in time: what was committed is still pending"
    case .isClosed(let file): "\(file) has been closed"
    case .isReadOnly(let file): "\(file) is open for reading only"
    case .isBusy(let file):
      """
      \(file) is in use by a call in which this one was made, or which waits for it: make it later
      """
    case .isReplaced(let file):
      """
      \(file) has been removed or replaced by another program, and nothing was saved: close it, and \
      open it again to load what is there now, or to save with replacing: true
      """
    case .cannotOpen(let file, let reason): "\(file) cannot be opened: \(reason)"
    case .isLocked(let file): "\(file) is locked by another connection: try again later"
    case .isFull(let file): "the disk of \(file) is full: nothing was changed"
    case .isForeign(let file):
      """
      \(file) is a SQLite database of another program, and was not changed: `entia import` reads it
      """
    case .isNoDatabase(let file): "\(file) is not a SQLite database, and was not changed"
    case .isNewer(let file, let reason): "\(file) was written by a newer program: \(reason)"
    case .isDamaged(let file, let reason): "\(file) is damaged: \(reason)"
    case .notCodable(let file, let table, let type):
      "\(file): \(type), in table \(table), is not Codable"
    case .cannotEncode(let file, let table, let row, let column, let reason):
      "\(file): \(Self.place(table, row, column)) cannot be stored: \(reason)"
    case .cannotDecode(let file, let table, let row, let column, let reason):
      "\(file): \(Self.place(table, row, column)) cannot be read: \(reason)"
    case .cannotMigrate(let file, let migration, let table, let row, let reason):
      """
      \(file) cannot be migrated, and is unchanged: migration \"\(migration)\"\
      \(row.map { ", row \($0)" } ?? "")\(table.map { ", table \($0)" } ?? ""): \(reason)
      """
    case .needsMigration(let file, let migrations):
      """
      \(file) needs migrations, and is open for reading only: open it for writing once \
      (\(migrations.joined(separator: ", ")))
      """
    case .refused(let file, let reasons):
      "\(file): the rows violate rules: \(reasons.joined(separator: "; "))"
    case .failed(let file, let code, let reason): "\(file): \(reason) (SQLite's code \(code))"
    }
  }

  private static func place(_ table: String, _ row: String, _ column: String?) -> String {
    "row \(row) of \(table)" + (column.map { ", column \($0)," } ?? "")
  }
}
