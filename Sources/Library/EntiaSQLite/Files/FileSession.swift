import EntiaDatabase
import EntiaStore

/// An open file, with the storages in it. Calls on the file take turns.
final class FileSession: @unchecked Sendable {
  let path: String
  let configuration: DatabaseFileConfiguration

  private let turn = TurnLock()
  /// A save holds this lock from start to end, even while it encodes rows and other calls have the
  /// turn. A call that needs both locks acquires this one before `turn`.
  private let saving = TurnLock()
  // The class is `@unchecked Sendable` because of the connection. Only the call that has the turn
  // uses the connection.
  /// The connection; `nil` once the file has been closed.
  private var connection: SQLiteConnection?
  /// The lock, which keeps other processes from writing the file. It is released with the
  /// connection. Only a save uses this property.
  private weak var lock: FileLock?
  /// The statements of readings under way.
  private var activeStatements: [ActiveStatement] = []
  /// The number of changes of the file by this process.
  private var changes = 0
  /// The statements of readings that have ended early. The next call that takes the turn releases
  /// these statements.
  private let abandoned = Mutex<[ActiveStatement]>([])
  private let contents = Mutex(Contents())

  /// A weak reference to a storage in the file, because the storage retains the session.
  private struct WeakStorage: Sendable {
    weak var storage: (any SessionStorage)?
  }

  private struct Contents: Sendable {
    /// The objects of the storages, by name, including released ones.
    var storages: [String: WeakStorage] = [:]
    /// The keepers of the file, by the identities of their stores, including released ones.
    var keepers: [ObjectIdentifier: WeakFileKeeper] = [:]
    /// Whether the first storage has been added.
    var isOpen = false
  }

  init(path: String, configuration: DatabaseFileConfiguration, _ connection: SQLiteConnection) {
    self.path = path
    self.configuration = configuration
    self.connection = connection
    lock = connection.lock
  }

  /// Whether this thread has the turn, or is inside a save.
  var isInUseByThisThread: Bool { turn.isHeldByThisThread || saving.isHeldByThisThread }

  /// Whether all `DatabaseFile` objects of this session have been released. The session is then
  /// closing the file. The value is `false` before the first of these objects is added.
  var isReleased: Bool {
    contents.withLock { contents in
      contents.isOpen && contents.storages.values.allSatisfy { $0.storage == nil }
    }
  }

  /// Waits for exclusive use of the connection (the turn), and runs a body with the connection.
  /// - Throws: `DatabaseFileError`: `isBusy` if this thread is inside another call on the file, or
  ///   if the call that has the turn waits for this thread; `isClosed`; the errors of the body.
  func withTurn<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try takingTurn { connection in
      guard let connection else { throw DatabaseFileError.isClosed(file: path) }
      if connection.isOutdated {
        throw DatabaseFileError.cannotOpen(
          file: path,
          reason: """
            another process has written it since it was opened in a folder that cannot be written: \
            open it again
            """)
      }
      return try body(connection)
    }
  }

  /// Runs a body when no other save is under way. The body takes its own turns.
  /// - Throws: `DatabaseFileError`: `isBusy` if this thread is inside a save or a turn, or if the
  ///   save under way waits for this thread; the errors of the body.
  func withSaving<Result>(_ body: () throws -> Result) throws -> Result {
    if isInUseByThisThread { throw DatabaseFileError.isBusy(file: path) }
    guard saving.lock() else { throw DatabaseFileError.isBusy(file: path) }
    defer { saving.unlock() }
    return try DatabaseFileError.describing(path, body)
  }

  /// Runs a body that writes the file. The body has the turn, and no other process can write the
  /// file while the body runs.
  /// - Throws: The errors of `withTurn(_:)`; `isLocked` if another process writes for too long.
  func withExclusiveTurn<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    if configuration.access == .sole {
      return try withTurn { connection in
        try requireLock(connection)
        return try body(connection)
      }
    }
    return try withSaving { try withLock { try withTurn(body) } }
  }

  /// Runs a body while no other process can write the file. A sharing process waits for the lock
  /// first; a sole writer has it. The caller is inside a save.
  /// - Throws: `FileLock.Held`, `FileLock.Failure`; the errors of the body.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    if let lock, lock.isShared { return try lock.withLock(body) }
    return try body()
  }

  /// Keeps other processes from writing the file, until the end of the next transaction or
  /// `endHolding()`.
  /// - Throws: `DatabaseFileError`: `isLocked` if another process writes for too long; `isBusy` in
  ///   the cases of `withSaving(_:)`.
  func hold() throws {
    try withSaving { if let lock, lock.isShared { try lock.hold() } }
  }

  /// Lets other processes write the file again.
  func endHolding() {
    do {
      try withSaving { lock?.releaseIfShared() }
    } catch {
      // A save of this thread is under way, and releases the lock at its end.
    }
  }

  private func takingTurn<Result>(_ body: (inout SQLiteConnection?) throws -> Result) throws
    -> Result
  {
    if turn.isHeldByThisThread { throw DatabaseFileError.isBusy(file: path) }
    guard turn.lock() else { throw DatabaseFileError.isBusy(file: path) }
    defer { turn.unlock() }
    for statement in abandoned.withLock({ $0.removeAllIfAny() }) { end(statement) }
    return try DatabaseFileError.describing(path) { try body(&connection) }
  }
}

// Reading rows. The caller of each member must have the turn, except for `abandon(_:)`.
extension FileSession {
  /// Returns the version of the file's contents.
  /// - Throws: `SQLiteFailure`.
  func version(on connection: SQLiteConnection) throws -> FileVersion {
    FileVersion(changes: changes, changesElsewhere: try connection.dataVersion())
  }

  /// Registers a statement whose rows a `FileReading` reads.
  func activate(_ statement: SQLiteStatement) -> ActiveStatement {
    let active = ActiveStatement(statement)
    activeStatements.append(active)
    return active
  }

  /// Ends the reading of a statement.
  func end(_ statement: ActiveStatement) {
    statement.end()
    activeStatements.removeAll { $0 === statement }
  }

  /// Whether a `FileReading` is reading rows.
  var isReading: Bool { !activeStatements.isEmpty }

  /// Ends all readings, because the file is about to change or to be closed.
  func endReadings() {
    changes += 1
    for statement in activeStatements { statement.end() }
    activeStatements = []
  }

  /// Ends the reading of a statement. If this call cannot use the connection, the next call that
  /// uses the connection ends the reading.
  func abandon(_ statement: ActiveStatement) {
    abandoned.withLock { $0.append(statement) }
    do {
      try takingTurn { _ in }
    } catch {
      // This thread already uses the connection, or the call that uses it waits for this thread.
      // The statement stays in `abandoned`, and the next call of `takingTurn(_:)` ends the reading.
    }
  }
}

extension Array {
  /// Removes all elements.
  /// - Returns: The elements.
  fileprivate mutating func removeAllIfAny() -> [Element] {
    if isEmpty { return [] }
    defer { self = [] }
    return self
  }
}

/// An object through which a program uses one storage in a file: a `DatabaseFile`.
protocol SessionStorage: AnyObject, Sendable {
  /// Waits until an ending keeper has ended.
  /// - Throws: The failure of its last save.
  func waitForEndingKeeper() throws

  /// Releases all statements, and the version in memory if the file has been closed. The caller has
  /// the turn.
  func release(isClosed: Bool)
}

// Storages.
extension FileSession {
  /// The names of the storages that `DatabaseFile` objects use.
  var storageNames: Set<String> {
    contents.withLock { contents in
      Set(contents.storages.filter { $0.value.storage != nil }.keys)
    }
  }

  /// Adds the `DatabaseFile` object of a storage. If an ending keeper still uses an earlier object
  /// of the storage, waits until the keeper has ended.
  /// - Throws: `DatabaseFileError.nameIsInUse` when another object has the storage; the failure of
  ///   the last save of the ending keeper.
  func add(_ storage: any SessionStorage, named name: String) throws {
    if try addUnlessKept(storage, name) || addUnlessKept(storage, name) { return }
    throw DatabaseFileError.nameIsInUse(file: path, name: name)
  }

  private func addUnlessKept(_ storage: any SessionStorage, _ name: String) throws -> Bool {
    let former = contents.withLock { contents -> (any SessionStorage)? in
      if let former = contents.storages[name]?.storage { return former }
      contents.storages[name] = WeakStorage(storage: storage)
      contents.isOpen = true
      return nil
    }
    try former?.waitForEndingKeeper()
    return former == nil
  }
}

// Keepers.
extension FileSession {
  /// Returns the keeper of a store. Creates and adds one if there is none.
  func keeper<Keeper: FileKeeper>(
    of store: ObjectIdentifier, create: () -> Keeper
  ) -> Keeper {
    let new = create()
    return contents.withLock { contents in
      if let keeper = contents.keepers[store]?.keeper as? Keeper, keeper.phase == .active {
        return keeper
      }
      contents.keepers = contents.keepers.filter { $0.value.keeper != nil }
      contents.keepers[store] = WeakFileKeeper(keeper: new)
      return new
    }
  }

  private var keepers: [any FileKeeper] {
    contents.withLock { $0.keepers.values.compactMap(\.keeper) }
  }

  /// Waits until all ending keepers have ended.
  func waitForEndingKeepers(timeout: Duration) throws {
    for keeper in keepers where keeper.phase == .ending { try keeper.flush(timeout: timeout) }
  }

  /// Closes the file, after its keepers have saved all commits so far.
  /// - Throws: `DatabaseFileError`. After an error other than `isReplaced`, the file stays open,
  ///   and its keepers save further commits.
  func close() throws {
    if try takingTurn({ $0 == nil }) { return }
    let replacements = try keepers.compactMap { try Self.replacement(flushing: $0) }
    try withSaving { try takingTurn { try close(&$0) } }
    if let replacement = replacements.first { throw replacement }
  }

  /// Saves the pending commits of a keeper.
  /// - Returns: The error `isReplaced` if the file was replaced, and otherwise `nil`. The error
  ///   does not prevent the closing, because no later save can succeed, and a file that is never
  ///   closed cannot be opened again.
  private static func replacement(flushing keeper: any FileKeeper) throws -> DatabaseFileError? {
    do {
      try keeper.flush(timeout: nil)
    } catch let error as DatabaseFileError {
      guard case .isReplaced = error else { throw error }
      return error
    }
    return nil
  }

  private func close(_ connection: inout SQLiteConnection?) throws {
    guard let open = connection else { return }
    if !configuration.isReadOnly, open.hasMoved { open.emptyLog() }
    let storages = contents.withLock { $0.storages.values.compactMap(\.storage) }
    endReadings()
    for storage in storages { storage.release(isClosed: false) }
    try open.close()
    connection = nil
    for storage in storages { storage.release(isClosed: true) }
  }
}

// Saving.
extension FileSession {
  /// Writes versions of several storages in one transaction.
  /// - Throws: `DatabaseFileError`; the file is then unchanged.
  func save(_ saves: [StorageSave]) throws {
    try withSaving {
      let pending = try withTurn { connection in
        try requireUnmoved(connection)
        try requireLock(connection)
        return try saves.filter { try $0.prepare() }
      }
      if pending.isEmpty { return }
      do {
        for save in pending { try save.encode() }
      } catch {
        try withTurn { _ in for save in pending { save.finish(false) } }
        throw error
      }
      try withTurn { connection in
        endReadings()
        do {
          try connection.transaction {
            for save in pending { try save.write() }
          }
          // A save into a file that was removed or replaced is not acknowledged.
          try requireUnmoved(connection)
        } catch {
          for save in pending { save.finish(false) }
          throw error
        }
        for save in pending { save.finish(true) }
        connection.lock?.announceVersion()
        connection.truncateLargeLog()
      }
    }
  }

  /// Checks that the file and its log are those that were opened.
  /// - Throws: `DatabaseFileError.isReplaced`.
  func requireUnmoved(_ connection: SQLiteConnection) throws {
    guard !configuration.isReadOnly, connection.hasMoved || connection.hasLostLog else { return }
    connection.emptyLog()
    throw DatabaseFileError.isReplaced(file: path)
  }

  /// Acquires the lock of a sole writer again if the lock file was removed.
  /// - Throws: `DatabaseFileError.isOpenElsewhere` if another process has acquired the lock.
  private func requireLock(_ connection: SQLiteConnection) throws {
    do {
      try connection.lock?.renew()
    } catch is FileLock.Held {
      throw DatabaseFileError.isOpenElsewhere(file: path)
    }
  }
}

/// The save of one storage, in a transaction that may save several storages of the file.
struct StorageSave {
  /// Prepares the save, and returns whether there is something to write. The caller has the turn.
  /// - Throws: `DatabaseFileError` when the storage may not be written.
  let prepare: () throws -> Bool
  /// Compares the version with the file, and encodes the rows that differ. The caller does not have
  /// the turn.
  /// - Throws: `RowFailure`.
  let encode: () throws -> Void
  /// Writes the version, in the transaction.
  let write: () throws -> Void
  /// Ends the save, after the transaction or after a failed `encode`. The caller has the turn.
  let finish: (_ isCommitted: Bool) -> Void
}

/// An object that saves a file at each change.
protocol FileKeeper: AnyObject, Sendable {
  /// Whether the keeper is active, ending or ended.
  var phase: FileKeeperPhase { get }

  /// Waits until everything committed so far is saved.
  /// - Throws: `DatabaseFileError`: the failure of the save, `timedOut`, `isBusy`.
  func flush(timeout: Duration?) throws
}

/// The phases of a keeper.
enum FileKeeperPhase {
  /// The keeper saves each commit.
  case active
  /// The keeper saves its last commits, and then ends.
  case ending
  /// The keeper saves nothing more.
  case ended
}

/// A weak reference to a keeper.
struct WeakFileKeeper: Sendable {
  weak var keeper: (any FileKeeper)?
}
