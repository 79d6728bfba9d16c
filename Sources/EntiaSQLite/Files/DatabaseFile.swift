public import EntiaDatabase
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
/// The file remembers the version that it contains, so that a save compares two versions and writes
/// what differs, in one transaction. `load()` returns what was saved, in the same order.
///
/// Each table is a table in the file with the same name, with one column for each member of its
/// rows. Entities must be `Codable`. Relationships and indexes follow from the rows and are not
/// stored; IDs that the user holds are.
///
/// Calls from several threads take turns. The `encode(to:)` and `init(from:)` of rows run while
/// the file is in use: they must not wait for another thread that uses it, such as by committing to a
/// store whose commits are saved. While the file is open for writing, no other connection,
/// in this process or another one, can open it.
public final class DatabaseFile<Storage: NormalizedStorageType>: @unchecked Sendable {
  /// The path of the file; `:memory:` for a database in memory.
  public let path: String
  /// The settings of the file.
  public let configuration: DatabaseFileConfiguration

  // Unchecked because of the open file, which is used only by the call whose turn it is.
  private let turn = CommitLock()
  /// The open file; `nil` once it has been closed.
  private var open: OpenFile<Storage>?
  /// The keeper that saves the file.
  let keeper = Mutex(WeakFileKeeper())

  /// Opens a file, or creates it.
  ///
  /// A file that is created is readable by its owner only.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - configuration: The settings.
  ///   - migrations: All migrations of the program; those that the file does not have are applied,
  ///     in one transaction. A new file needs none.
  /// - Throws: `DatabaseFileError`: `notCodable` for entities that are not `Codable`,
  ///   `isOpenElsewhere` when another connection has the file open, `isForeign`, `isNewer` or
  ///   `isDamaged` for a file that is not such a database, `cannotMigrate` and `isFull` when a
  ///   migration fails, `needsMigration` when it may only be read, and `cannotOpen`. The file is
  ///   then unchanged.
  public convenience init(
    path: String, configuration: DatabaseFileConfiguration = DatabaseFileConfiguration(),
    migrations: [Migration] = []
  ) throws {
    try self.init(file: path, configuration: configuration, migrations: migrations)
  }

  private init(
    file path: String?, configuration: DatabaseFileConfiguration, migrations: [Migration] = []
  ) throws {
    let name = path ?? ":memory:"
    self.path = name
    self.configuration = configuration
    let parts = StorageParts<Storage>()
    if let failure = parts.failure {
      throw DatabaseFileError.notCodable(file: name, table: failure.part, type: failure.type)
    }
    open = try DatabaseFileError.describing(name) {
      let connection = try SQLiteConnection.opening(path, configuration)
      let file = try OpenFile(connection, parts, migrations: migrations.map(\.name))
      // A file that is refused is not written.
      _ = try file.header.pending(migrations)
      if let path, !configuration.isReadOnly {
        try connection.startWriting(configuration.durability, to: path)
      }
      try file.migrate(migrations, file: name, isReadOnly: configuration.isReadOnly)
      return file
    }
  }

  /// Creates a database in memory, for tests and previews.
  /// - Returns: A file that nothing else can open, and that ends with its object.
  /// - Throws: `DatabaseFileError.notCodable` for entities that are not `Codable`.
  public static func inMemory() throws -> DatabaseFile {
    try DatabaseFile(file: nil, configuration: DatabaseFileConfiguration())
  }

  /// Returns the database in the file, or an initial one when nothing was saved.
  ///
  /// A table that the storage has and the file does not keeps the rows of `init()` of the storage.
  /// Values nested in members are stored as JSON and come back as `JSONEncoder` and `JSONDecoder` keep
  /// them: the sign and the bits of NaN and the base of a URL, for example, only members keep.
  /// - Returns: A database equal to the one that was saved, with its rows in the same order.
  /// - Throws: `DatabaseFileError`: `cannotDecode` for a row that cannot be read, `refused` when the
  ///   rows violate rules of the storage, `isDamaged`, `isClosed`.
  /// - Complexity: O(*n*).
  public func load() throws -> Storage {
    try withTurn { try $0.load() }
  }

  /// Saves a version of the database: all or nothing.
  /// - Parameters:
  ///   - version: The version.
  ///   - replacing: Whether to remove rows in the file that this object has not loaded.
  /// - Throws: `DatabaseFileError`: `notLoaded` when the file has rows that this object has not
  ///   loaded, `cannotEncode` for a row that cannot be stored, `isKept` when a keeper saves the
  ///   file, `isReadOnly`, `isFull`, `isClosed`. The file is then unchanged.
  /// - Complexity: O(changes · log *n*) in the changes since the last version that was loaded or
  ///   saved.
  public func save(_ version: Storage, replacing: Bool = false) throws {
    try waitForEndingKeeper()
    try write(version, replacing: replacing, isKeeper: false)
  }

  /// Saves a version, for a caller or for the keeper of the file.
  func write(_ version: Storage, replacing: Bool, isKeeper: Bool) throws {
    try withTurn { file in
      if !isKeeper, isKept { throw DatabaseFileError.isKept(file: path) }
      if configuration.isReadOnly { throw DatabaseFileError.isReadOnly(file: path) }
      let isFirst = file.saved == nil
      if isFirst, !replacing, try file.hasRows() {
        throw DatabaseFileError.notLoaded(file: path)
      }
      try file.save(version, isReplacing: isFirst && replacing)
    }
  }

  /// Closes the file, once the calls under way have ended and its keeper has saved what was committed
  /// so far. Closing it again does nothing.
  ///
  /// Later commits to the store of a keeper are not saved; the keeper reports them as failed.
  /// - Throws: `DatabaseFileError` when SQLite cannot close it, or when the keeper cannot save; it
  ///   then stays open and kept.
  public func close() throws {
    if try takingTurn({ open == nil }) { return }
    try keeper.withLock { $0.keeper }?.flush(timeout: nil)
    try takingTurn {
      guard let file = open else { return }
      file.releaseStatements()
      try file.connection.close()
      open = nil
    }
  }

  /// Runs a body with the open file when it is its turn.
  func withTurn<Result>(_ body: (OpenFile<Storage>) throws -> Result) throws -> Result {
    try takingTurn {
      guard let file = open else { throw DatabaseFileError.isClosed(file: path) }
      return try body(file)
    }
  }

  /// Whether this thread is inside a call on the file.
  var isInUseByThisThread: Bool { turn.isHeldByThisThread }

  private func takingTurn<Result>(_ body: () throws -> Result) throws -> Result {
    if turn.isHeldByThisThread { throw DatabaseFileError.isBusy(file: path) }
    turn.lock()
    defer { turn.unlock() }
    return try DatabaseFileError.describing(path, body)
  }
}
