import EntiaDatabase
import EntiaStore

/// An open file, with the storages in it. Calls on the file take turns.
final class FileSession: @unchecked Sendable {
  let path: String
  let configuration: DatabaseFileConfiguration

  private let turn = TurnLock()
  // Unchecked because of the connection, which is used only by the call whose turn it is.
  /// The connection; `nil` once the file has been closed.
  private var connection: SQLiteConnection?
  private let contents = Mutex(Contents())

  /// A storage in the file, which retains the session.
  private struct WeakStorage: Sendable {
    weak var storage: (any SessionStorage)?
  }

  private struct Contents: Sendable {
    /// The objects of the storages, by their names; those that were released, too.
    var storages: [String: WeakStorage] = [:]
    /// The keepers of the file, by the identities of their stores; those that were released, too.
    var keepers: [ObjectIdentifier: WeakFileKeeper] = [:]
    /// Whether the first storage has been added.
    var isOpen = false
  }

  init(path: String, configuration: DatabaseFileConfiguration, _ connection: SQLiteConnection) {
    self.path = path
    self.configuration = configuration
    self.connection = connection
  }

  /// Whether this thread is inside a call on the file.
  var isInUseByThisThread: Bool { turn.isHeldByThisThread }

  /// Whether everything that uses the file has been released, so that it is being closed.
  var isReleased: Bool {
    contents.withLock { contents in
      contents.isOpen && contents.storages.values.allSatisfy { $0.storage == nil }
    }
  }

  /// Runs a body with the connection when it is its turn.
  /// - Throws: `DatabaseFileError`: `isBusy` inside another call on the file, or when that call would
  ///   wait for this thread; `isClosed`; the errors of the body.
  func withTurn<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try takingTurn { connection in
      guard let connection else { throw DatabaseFileError.isClosed(file: path) }
      return try body(connection)
    }
  }

  private func takingTurn<Result>(_ body: (inout SQLiteConnection?) throws -> Result) throws
    -> Result
  {
    if turn.isHeldByThisThread { throw DatabaseFileError.isBusy(file: path) }
    guard turn.lock() else { throw DatabaseFileError.isBusy(file: path) }
    defer { turn.unlock() }
    return try DatabaseFileError.describing(path) { try body(&connection) }
  }
}

/// An object of one storage in a file.
protocol SessionStorage: AnyObject, Sendable {
  /// Waits until a keeper that is ending has ended.
  /// - Throws: The failure of its last save.
  func waitForEndingKeeper() throws

  /// Releases all statements, and the version in memory if the file has been closed. It is the turn
  /// of the caller.
  func release(isClosed: Bool)
}

// Storages.
extension FileSession {
  /// The names of the storages that have an object.
  var storageNames: Set<String> {
    contents.withLock { contents in
      Set(contents.storages.filter { $0.value.storage != nil }.keys)
    }
  }

  /// Adds the object of a storage. One that is only used by a keeper that is ending is waited for.
  /// - Throws: `DatabaseFileError.nameIsInUse` when another object has the storage; the failure of
  ///   the last save of such a keeper.
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
  /// Returns the keeper of a store, or adds one that it creates.
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

  /// Waits until keepers that are ending have ended.
  func waitForEndingKeepers(timeout: Duration) throws {
    for keeper in keepers where keeper.phase == .ending { try keeper.flush(timeout: timeout) }
  }

  /// Closes the file, once its keepers have saved what was committed so far.
  /// - Throws: `DatabaseFileError`; it then stays open and kept.
  func close() throws {
    if try takingTurn({ $0 == nil }) { return }
    for keeper in keepers { try keeper.flush(timeout: nil) }
    try takingTurn { connection in
      guard let open = connection else { return }
      let storages = contents.withLock { $0.storages.values.compactMap(\.storage) }
      for storage in storages { storage.release(isClosed: false) }
      try open.close()
      connection = nil
      for storage in storages { storage.release(isClosed: true) }
    }
  }
}

// Saving.
extension FileSession {
  /// Writes versions of several storages in one transaction.
  /// - Throws: `DatabaseFileError`; the file is then unchanged.
  func save(_ saves: [StorageSave]) throws {
    try withTurn { connection in
      let pending = try saves.filter { try $0.prepare() }
      if pending.isEmpty { return }
      do {
        try connection.transaction {
          for save in pending { try save.write() }
        }
      } catch {
        for save in pending { save.finish(false) }
        throw error
      }
      for save in pending { save.finish(true) }
    }
  }
}

/// The part that one storage has in a transaction of its file.
struct StorageSave {
  /// Returns whether there is something to write.
  /// - Throws: `DatabaseFileError` when the storage may not be written.
  let prepare: () throws -> Bool
  /// Writes the version, in the transaction.
  let write: () throws -> Void
  /// Ends the save after the transaction.
  let finish: (_ isCommitted: Bool) -> Void
}
