public import EntiaDatabase
import EntiaSharing
import EntiaStore

/// A database kept in a SQLite file.
///
/// ```swift
/// let file = try DatabaseFile<Library>(path: "library.sqlite")
/// var library = try file.load()
/// try library.performBatchUpdates { … }
/// try file.save(library)
/// ```
///
/// The object retains the version that is in the file. A save compares the new version with the
/// retained one, and writes the differences in one transaction. `load()` returns the rows in the
/// order in which they were saved.
///
/// Each table of the storage is stored in a table of the file with the same name, with one column
/// for each member of the rows. Entities must be `Codable`. Relationships and indexes follow from
/// the rows and are not stored. Held IDs are stored. Ages and answers of received rows are stored
/// and loaded only by the sole writer of a file. A load leaves out an age or an answer that it
/// cannot read, for example because the request has another type now.
///
/// A file can have further storages, each with a name; see ``init(named:in:migrations:)``.
///
/// Calls from several threads take turns. While the file is open for writing, no other process can
/// write the file, but any process can read the file with `isReadOnly: true`. With
/// `access: .shared`, several processes write the file.
///
/// Only one call at a time uses the connection to the file: the call that has the *turn*. While a
/// load decodes rows or a save encodes rows, another call can take the turn. `init(from:)` and
/// `encode(to:)` may therefore use the file. A call that would wait for itself throws `isBusy`:
///
/// - In `init(from:)`, a load of the row's own storage, which would decode the row again.
/// - In `encode(to:)`, a call that waits for the save under way: another save, `keep`, `close()` or
///   `unclaimed`. This includes such a call in a commit, if `encode(to:)` waits for that commit.
/// - In both functions, any call on the file while the load or the save keeps the turn. A load
///   keeps the turn if the file has changed during each of three attempts. A save keeps the turn
///   while it writes. Meanwhile, the save encodes IDs, and the rows after the first 16 megabytes.
public final class DatabaseFile<Storage: NormalizedStorageType>: @unchecked Sendable {
  /// The name of the storage in the file; empty for the storage that the file was opened with.
  public let name: String
  /// The file, and the storages in it.
  let session: FileSession
  // The class is `@unchecked Sendable`, because calls take turns, and only the call that has the
  // turn uses `open`.
  let open: OpenFile<Storage>
  /// The keeper that saves the storage.
  let keeper = Mutex(WeakFileKeeper())
  /// The version that was loaded last, if other processes may write the file.
  let loaded = Mutex<SharedVersion<Storage>?>(nil)
  /// The edits by other programs that the file had recorded at the last load. A sole writer does
  /// not use them.
  let loadedEdits = Mutex(RecordedEdits())
  /// The threads that load the storage.
  let loadingThreads = Mutex<[ThreadIdentity]>([])

  /// The path of the file; `:memory:` for a database in memory.
  public var path: String { session.path }
  /// The settings of the file.
  public var configuration: DatabaseFileConfiguration { session.configuration }

  /// Opens a file, or creates one.
  ///
  /// Only its owner can read a created file. If this process is still closing the file, the call
  /// waits until the file is closed.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - configuration: The settings.
  ///   - migrations: All migrations of the program. The pending ones are applied in one
  ///     transaction. If no program has saved the storage, it is new or was written by the tool
  ///     `entia`. Then only ``Migration/renamingTable(_:to:named:)`` is applied, to tables that
  ///     the storage lacks.
  /// - Throws: `DatabaseFileError`: `notCodable` for entities that are not `Codable`;
  ///   `isOpenElsewhere` when another connection has the file open; `isDamaged` for a file that is
  ///   damaged or has 0 bytes; `isForeign` for a SQLite file of another program; `isNoDatabase` for
  ///   another kind of file; `isNewer` for a file of a newer program; `cannotMigrate` or `isFull`
  ///   when a migration fails; `needsMigration` when migrations are pending and the file may only
  ///   be read; `cannotOpen`. The file is then unchanged.
  public convenience init(
    path: String, configuration: DatabaseFileConfiguration = DatabaseFileConfiguration(),
    migrations: [Migration] = []
  ) throws {
    try self.init(file: path, configuration: configuration, migrations: migrations)
  }

  /// Opens another storage, with a name, in a file that is already open.
  ///
  /// ```swift
  /// let file = try DatabaseFile<Library>(path: "app.sqlite")
  /// let drafts = try DatabaseFile<Drafts>(named: "drafts", in: file)
  /// let store = Store<AppState, Never>(
  ///   initialState: AppState(library: try file.load(), drafts: try drafts.load()))
  /// let keepers = [
  ///   try store.keep(\.library, in: file),
  ///   try store.keep(\.drafts, in: drafts),
  /// ]
  /// ```
  ///
  /// A commit to the store that changes several kept storages of one file is saved in one
  /// transaction. Each storage has its own tables, whose names begin with its name, such as
  /// `drafts_notes`, and its own migrations. Load each storage before it is saved. Closing one of
  /// the objects closes the file for all of them.
  /// - Parameters:
  ///   - name: The name of the storage, which must never change. The storage of
  ///     ``init(path:configuration:migrations:)`` has an empty name.
  ///   - file: The file.
  ///   - migrations: All migrations of the storage.
  /// - Throws: `DatabaseFileError`: `nameIsInUse` when another object has the storage;
  ///   `notCodable`, `isNewer`, `isDamaged`, `cannotMigrate`, `needsMigration`, `isFull`,
  ///   `isClosed`, `isBusy`. The file is then unchanged.
  public init<Other: NormalizedStorageType>(
    named name: String, in file: DatabaseFile<Other>, migrations: [Migration] = []
  ) throws {
    self.name = name
    let session = file.session
    self.session = session
    let parts = try Self.parts(of: session.path, session.configuration)
    open = try Self.namedFile(parts, name, migrations, in: session)
    try session.add(self, named: name)
  }

  private init(
    file path: String?, configuration: DatabaseFileConfiguration, migrations: [Migration] = []
  ) throws {
    name = ""
    let label = path ?? ":memory:"
    let parts = try Self.parts(of: label, configuration)
    (session, open) = try DatabaseFileError.describing(label) {
      let connection = try SQLiteConnection.opening(path, configuration)
      let session = FileSession(path: label, configuration: configuration, connection)
      let open = try connection.exclusively {
        try Self.openFile(connection, parts, path, migrations, in: session)
      }
      if let path { OpenFiles.add(session, at: path, until: connection) }
      return (session, open)
    }
    try session.add(self, named: name)
  }

  private static func namedFile(
    _ parts: StorageParts<Storage>, _ name: String, _ migrations: [Migration],
    in session: FileSession
  ) throws -> OpenFile<Storage> {
    try session.withExclusiveTurn { connection in
      let file = try OpenFile(connection, parts, named: name, migrations: migrations.map(\.name))
      try file.migrate(migrations, in: session)
      return file
    }
  }

  private static func openFile(
    _ connection: SQLiteConnection, _ parts: StorageParts<Storage>, _ path: String?,
    _ migrations: [Migration], in session: FileSession
  ) throws -> OpenFile<Storage> {
    let open = try OpenFile(connection, parts, migrations: migrations.map(\.name))
    // Checked before anything is written, so that a refused file stays unchanged.
    _ = try open.header.pending(migrations, declared: parts.tables)
    if let path, !session.configuration.isReadOnly {
      try connection.startWriting(session.configuration.durability, to: path)
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        try connection.protect(session.configuration.protection, path)
      #endif
    }
    try open.migrate(migrations, in: session)
    return open
  }

  private static func parts(
    of file: String, _ configuration: DatabaseFileConfiguration
  ) throws -> StorageParts<Storage> {
    let parts = StorageParts<Storage>(storesFreshness: !configuration.isChangedByOthers)
    if let failure = parts.failure {
      throw DatabaseFileError.notCodable(file: file, table: failure.part, type: failure.type)
    }
    return parts
  }

  /// Creates a database in memory, for tests and previews.
  /// - Returns: A file that no other object can open. Releasing the object removes it.
  /// - Throws: `DatabaseFileError.notCodable` for entities that are not `Codable`.
  public static func inMemory() throws -> DatabaseFile {
    try DatabaseFile(file: nil, configuration: DatabaseFileConfiguration())
  }

  /// Returns the database in the file, or an initial one when nothing was saved.
  ///
  /// If the file lacks a table of the storage, the table keeps the rows of the storage's `init()`.
  /// If the file also has a table that the storage lacks, both may be one table that was renamed.
  /// Saves are then refused; see `LoadedDatabase.unmatchedTables`. Values nested in members
  /// are stored as JSON, and lose what `JSONEncoder` and `JSONDecoder` lose, such as the sign and
  /// the bits of NaN and the base of a URL. A value that is itself a member keeps all of these.
  /// - Returns: A database equal to the saved one, with the rows in the saved order.
  /// - Throws: `DatabaseFileError`: `cannotDecode` for a row that cannot be read; `refused` when
  ///   the rows violate rules of the storage; `isDamaged` if the rows of a table are not the saved
  ///   ones, and no other program has changed the table; `isClosed`, `isBusy`.
  /// - Complexity: O(*n*).
  public func load() throws -> Storage {
    try load(.throw, isCompared: true).database
  }

  /// Returns the database in the file, and the skipped rows.
  ///
  /// ```swift
  /// let recovered = try file.load(onBrokenRow: .skip)
  /// for row in recovered.skippedRows { print(row) }
  /// try file.save(recovered.database)  // the skipped rows stay in the file
  /// ```
  ///
  /// Skipped rows, and the held IDs of these rows, stay in the file until a save with
  /// `replacing: true`. Any other save throws `cannotEncode` for a row that has the ID of a skipped
  /// row.
  /// - Parameter policy: The treatment of a row that cannot be read, or that repeats an ID.
  /// - Returns: The database with the other rows, and the rows that were skipped.
  /// - Throws: `DatabaseFileError`: the errors of `load()`; `refused` when the remaining rows
  ///   violate rules of the storage, for example because a required key references a skipped row.
  ///   The error lists the skipped rows, too.
  /// - Complexity: O(*n*).
  public func load(onBrokenRow policy: BrokenRowPolicy) throws -> LoadedDatabase<Storage> {
    try load(policy, isCompared: true)
  }

  /// Saves a version of the database: all or nothing.
  /// - Parameters:
  ///   - version: The version.
  ///   - replacing: Whether to remove rows in the file that this object has not loaded or has
  ///     skipped, and to save although tables may have been renamed. Rows that this object has
  ///     loaded keep members that the storage does not have.
  /// - Throws: `DatabaseFileError`: `notLoaded` when the file has rows that this object has not
  ///   loaded; `cannotEncode` for a row that cannot be stored or has the ID of a skipped row;
  ///   `isKept` when a keeper saves the storage; `tablesAreUnmatched`, `isReadOnly`, `isFull`,
  ///   `isReplaced`, `isClosed`, `isBusy`. The file is then unchanged.
  /// - Complexity: O(changes · log *n*) in the changes since the last version that was loaded or
  ///   saved.
  public func save(_ version: Storage, replacing: Bool = false) throws {
    try waitForEndingKeeper()
    try session.save([saving(version, replacing: replacing, isKeeper: false)])
  }

  /// Returns the save of a version, for a caller or for the keeper of the storage.
  func saving(_ version: Storage, replacing: Bool, isKeeper: Bool) -> StorageSave {
    let open = open
    var isReplacing = false
    var saving: StorageSaving<Storage>?
    var changes: String?
    var isFollowed = false
    return StorageSave(
      prepare: { [self] in
        if !isKeeper, isKept { throw DatabaseFileError.isKept(file: path) }
        try requireSoleAccess()
        if replacing { try open.noteEdits() }
        isReplacing = open.isReplacing(ifPermitted: replacing)
        if !isReplacing {
          if open.saved == nil, try open.hasRows() {
            throw DatabaseFileError.notLoaded(file: path)
          }
          if !replacing { try open.requireMatchingTables(path) }
          if !open.differs(from: version) { return false }
        }
        saving = try open.prepare(version, isReplacing: isReplacing)
        return true
      },
      encode: {
        try saving?.encode()
        isFollowed = open.connection.lock?.hasFollowers ?? false
        if isFollowed, !isReplacing, let saving {
          changes = open.loggedChanges(to: version, saving)
        }
      },
      write: {
        guard let saving else { return }
        try open.noteEdits()
        try open.write(saving, isReplacing: isReplacing, isLogged: isFollowed)
        try open.appendVersion(changes, isFollowed: isFollowed)
      },
      finish: { isCommitted in
        open.finish(version, isReplacing: isReplacing, isCommitted: isCommitted)
        saving = nil
      })
  }

  /// Closes the file, once the saves under way have ended and its keepers have saved all commits so
  /// far. Closing it again does nothing. The other storages in the file are closed with it. A load
  /// under way throws `isClosed`.
  ///
  /// Later commits to the store of a keeper are not saved; the keeper reports them as failed. Close
  /// a sharing or following of the file first. Otherwise, the sharing or following reports that the
  /// file is closed.
  /// - Throws: `DatabaseFileError` when SQLite cannot close the file, or when a keeper cannot save.
  ///   After an error other than `isReplaced`, the file stays open, and its keepers save further
  ///   commits.
  public func close() throws { try session.close() }

  /// Waits until no other call on the file has the turn, and runs a body with the open file.
  func withTurn<Result>(_ body: (OpenFile<Storage>) throws -> Result) throws -> Result {
    try session.withTurn { _ in try body(open) }
  }
}

extension DatabaseFile: SessionStorage {
  func release(isClosed: Bool) {
    open.releaseTables()
    if isClosed { open.releaseVersion() }
  }
}

extension DatabaseFile {
  /// Whether a keeper saves the storage.
  var isKept: Bool {
    guard let keeper = keeper.withLock({ $0.keeper }) else { return false }
    return keeper.phase != .ended
  }

  /// If the keeper of the storage is ending, waits until it has saved its last commits and ended.
  /// - Throws: The failure of the last save.
  func waitForEndingKeeper() throws {
    guard let keeper = keeper.withLock({ $0.keeper }), keeper.phase == .ending else { return }
    try keeper.flush(timeout: nil)
  }

  /// Sets the keeper of the storage.
  /// - Parameters:
  ///   - keeper: The new keeper.
  ///   - replacing: Whether the keeper may remove rows in the file that this object has not loaded.
  /// - Returns: The version in the file, or `nil` when this object has not loaded or saved one.
  /// - Throws: `DatabaseFileError`: `isReadOnly`, `isKept`, `notLoaded`, `tablesAreUnmatched`,
  ///   `isClosed`.
  func setKeeper(_ keeper: any FileKeeper, replacing: Bool) throws -> Storage? {
    try waitForEndingKeeper()
    // Waits for the save under way, because the file must contain the version `file.saved`.
    return try session.withSaving {
      try withTurn { file in
        try requireSoleAccess()
        if isKept { throw DatabaseFileError.isKept(file: path) }
        if file.saved == nil, !replacing, try file.hasRows() {
          throw DatabaseFileError.notLoaded(file: path)
        }
        if !replacing { try file.requireMatchingTables(path) }
        self.keeper.withLock { $0.keeper = keeper }
        return file.saved
      }
    }
  }

  /// Checks that this process may save the file as its sole writer.
  /// - Throws: `DatabaseFileError`: `isReadOnly`, `isShared`.
  private func requireSoleAccess() throws {
    if configuration.isReadOnly { throw DatabaseFileError.isReadOnly(file: path) }
    if configuration.access == .shared { throw DatabaseFileError.isShared(file: path) }
  }

  /// Removes the keeper of the storage.
  func removeKeeper() { keeper.withLock { $0.keeper = nil } }
}

extension DatabaseFile {
  /// Rebuilds the file without the space of removed rows, to make it smaller.
  ///
  /// The disk needs as much free space as the file takes.
  /// - Throws: `DatabaseFileError`: `isReadOnly`, `isFull`, `isDamaged`, `isClosed`. The file is
  ///   then unchanged.
  /// - Complexity: O(*n*).
  public func compact() throws {
    try session.withExclusiveTurn { [open] _ in
      let file = open
      if configuration.isReadOnly { throw DatabaseFileError.isReadOnly(file: path) }
      // Rebuilding would remove a damaged page, and with it the evidence of lost rows.
      if file.header.isDescribed { try file.connection.requireAllRows() }
      session.endReadings()
      try Failpoint.reach("before compaction")
      try file.connection.keepingSums(on: file.connection) {
        try file.connection.execute("VACUUM")
      }
      try Failpoint.reach("after compaction")
      // The rebuilt pages are in the log until a checkpoint writes them into the file.
      try file.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Copies the last saved version into a new file. This file stays in use.
  /// - Parameter path: The path of the copy. It must not exist.
  /// - Throws: `DatabaseFileError`: `cannotOpen` when there is a file at the path or none can be
  ///   created, `isFull`, `isClosed`. An incomplete copy is removed.
  /// - Complexity: O(*n*).
  public func backup(to path: String) throws {
    try withTurn { file in
      try DatabaseFileError.describing(path) { try file.connection.copy(to: path) }
    }
  }
}
