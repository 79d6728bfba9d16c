import EntiaDatabase
import EntiaSharing
import EntiaStore

extension DatabaseFile {
  /// Writes a batch in one transaction, if the batch starts from the version in the file.
  /// - Parameters:
  ///   - changes: The changes between the versions.
  ///   - old: The version that the batch starts from.
  ///   - new: The version after the batch.
  ///   - origin: The client, and the client's number of the batch.
  ///   - base: The position of `old`.
  ///   - isEdited: Returns whether another program may have edited rows of the older version.
  /// - Returns: `committed` with the version of the batch, if this call or an earlier one wrote it.
  ///   Otherwise `behind` with the version in the file: this version is not `base`, or another
  ///   program may have edited its rows.
  /// - Throws: `SharedDatabaseError`, `DatabaseFileError`.
  func push(
    _ changes: StorageChangeSet<Storage>, from old: Storage, to new: Storage,
    by origin: BatchOrigin, since base: LogPosition,
    unless isEdited: (OpenFile<Storage>) throws -> Bool = { _ in false }
  ) throws -> PushOutcome {
    let open = open
    // The rows are encoded outside `withTurn`, because their `encode(to:)` may use the file.
    let parts = try session.withTurn { _ in try open.partsOfLog() }
    try loaded.withLock { $0?.unreadable }?.check(changes, parts)
    let form = try ChangeEncoding.entries(of: changes, parts)
    return try session.withSaving {
      func attempt() throws -> PushOutcome? {
        try prepareAndWrite(form, from: old, to: new, by: origin, since: base, unless: isEdited)
      }
      if let outcome = try attempt() { return outcome }
      // Another process changed the file between the preparation and the transaction. The second
      // attempt therefore holds the lock during both.
      if let outcome = try withLock(attempt) { return outcome }
      throw SharedDatabaseError.unavailable(
        space: path, code: "", reason: "it changes while it is compared")
    }
  }

  /// Prepares a batch and writes it.
  /// - Returns: `nil` if the file has changed in between.
  private func prepareAndWrite(
    _ form: String, from old: Storage, to new: Storage, by origin: BatchOrigin,
    since base: LogPosition, unless isEdited: (OpenFile<Storage>) throws -> Bool
  ) throws -> PushOutcome? {
    let open = open
    let (prepared, position, isCurrent) = try session.withTurn { connection in
      // `isEdited` compares what it reads, so other processes must not write in between.
      try connection.reading {
        let position = try open.refresh()
        try requireSchema(path)
        let isCurrent = try position.isSame(as: base) && !isEdited(open)
        let contents = try open.contents(of: old, at: position)
        return (try open.prepare(new, since: contents), position, isCurrent)
      }
    }
    guard isCurrent else {
      let known = try session.withTurn { _ in try open.log.version(of: origin) }
      open.discardRows()
      return known.map { .committed(version: $0) } ?? .behind(current: position.version)
    }
    var saving = prepared
    do {
      try saving.encode()
    } catch {
      open.discardRows()
      throw error
    }
    return try withLock { try write(saving, new, form, by: origin, since: position) }
  }

  /// Writes a prepared batch, under the lock.
  /// - Returns: `nil` if the file has changed since the preparation.
  private func write(
    _ saving: StorageSaving<Storage>, _ new: Storage, _ form: String, by origin: BatchOrigin,
    since position: LogPosition
  ) throws -> PushOutcome? {
    let open = open
    return try session.withTurn { connection in
      try session.requireUnmoved(connection)
      session.endReadings()
      let version = position.version + 1
      var isWritten = false
      do {
        try connection.transaction {
          guard try open.isUnchanged else { return }
          try open.write(saving, isReplacing: false, isLogged: true)
          try open.sums.noteSave(addsVersion: true, in: open.log)
          try open.log.append(form, by: origin, as: version)
          isWritten = true
        }
        try session.requireUnmoved(connection)
      } catch {
        open.finish(new, isReplacing: false, isCommitted: false)
        throw error
      }
      open.discardRows()
      guard isWritten else { return nil }
      open.noteVersion(LogPosition(version: version, origin: origin))
      connection.lock?.announceVersion()
      connection.truncateLargeLog()
      return .committed(version: version)
    }
  }

  /// Runs a body when no other process writes the file. This process may already hold the lock.
  private func withLock(_ body: () throws -> PushOutcome?) throws -> PushOutcome? {
    do {
      return try session.withLock(body)
    } catch let held as FileLock.Held {
      open.discardRows()
      if let user = held.user, user.kind == .sole {
        throw SharedDatabaseError.isOpenElsewhere(file: path, process: user.process)
      }
      let process = held.user.map { "process \($0.process)" } ?? "another process"
      throw SharedDatabaseError.unavailable(
        space: path, code: "", reason: "\(process) is writing it")
    }
  }

  /// Checks that this program has all migrations of the file, and all tables of each program that
  /// has saved the file. The next batch adds the tables of this program to the record. After that,
  /// programs that lack any of the recorded tables are refused.
  /// - Throws: `FileHeader.Newer`, `SharedDatabaseError.schemaDiffers`.
  private func requireSchema(_ path: String) throws {
    try open.header.requireKnown(Set(open.migrations))
    if open.header.schema == nil, let tables = try open.unmatchedTables() {
      throw SharedDatabaseError.schemaDiffers(
        space: path,
        reason: """
          \(tables): if tables were renamed, open it with the migration renamingTable(_:to:); if \
          not, save it once with replacing: true, and without access: .shared
          """)
    }
    let own = open.parts.fingerprint
    guard let schema = open.header.schema, schema != own,
      !Set(own.split(separator: "\n")).isSuperset(of: schema.split(separator: "\n"))
    else { return }
    throw SharedDatabaseError.schemaDiffers(
      space: path,
      reason: """
        a program with other tables has saved it: it can be read, and not changed, until this \
        program has the same tables, or a migration that renames or removes the others
        """)
  }

  /// Runs a body in a transaction that reads one version of the file.
  /// - Throws: `DatabaseFileError`, such as `isReplaced`; the errors of the body.
  func withReadTransaction<Result>(
    _ body: (OpenFile<Storage>) throws -> Result
  ) throws -> Result {
    try session.withTurn { connection in
      // The open statement of an unfinished `FileReading` keeps the connection at the version at
      // which the statement began. This transaction must read the newest version.
      if session.isReading { session.endReadings() }
      if connection.hasMoved { throw DatabaseFileError.isReplaced(file: path) }
      return try connection.reading { try body(open) }
    }
  }
}

extension LogPosition {
  /// Whether both are the same version. An unknown origin matches every origin.
  fileprivate func isSame(as other: LogPosition) -> Bool {
    version == other.version && (origin == nil || other.origin == nil || origin == other.origin)
  }
}

extension SharedDatabaseError {
  /// Calls a closure, and converts its error to an error of a shared file.
  static func describing<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try DatabaseFileError.describing(file, body)
    } catch let error as DatabaseFileError {
      throw SharedDatabaseError(error, file: file)
    }
  }

  private init(_ error: DatabaseFileError, file: String) {
    switch error {
    case .isClosed: self = .isClosed(space: file)
    case .isNewer(_, let reason): self = .isNewer(reason: "\(file): \(reason)")
    case .isReadOnly: self = .noRights(space: file, reason: "the system permits no writing")
    case .isOpenElsewhere:
      self = .isOpenElsewhere(file: file, process: FileLock.user(of: file)?.process)
    case .cannotEncode(_, let table, let row, let column, let reason):
      self = .cannotEncode(space: file, entity: table, row: row, column: column, reason: reason)
    // `unavailable` causes a retry. If rows are invalid, it succeeds when another program has
    // corrected them.
    case .isFull, .isLocked, .isBusy, .cannotDecode, .refused:
      self = .unavailable(space: file, code: "", reason: error.description.withoutName(file))
    case .notCodable(_, let table, let type):
      self = .notCodable(space: file, entity: table, type: type)
    default: self = .failed(space: file, code: "", reason: error.description.withoutName(file))
    }
  }
}
