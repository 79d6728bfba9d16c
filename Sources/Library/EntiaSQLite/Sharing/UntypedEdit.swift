import EntiaSharing
import Foundation

/// An edit of rows without Swift types, in a file that programs share or have saved.
///
/// The rows are read first, without a lock. The edit is then written as one version, in one short
/// transaction, if the file has not changed meanwhile. If it has changed, the caller may begin the
/// edit again, and keep other processes from writing until the edit is written.
package final class UntypedEdit {
  private let file: UntypedFile
  private let path: String
  /// The result of `SQLiteConnection.dataVersion()` when the rows were read.
  private var base: Int64?
  /// Whether a transaction of the edit keeps other processes from writing.
  private var isHolding = false
  /// The client that every `UntypedEdit` records as the author of its version.
  private static let client = ClientID(
    uuid: (0xE4, 0x71, 0xA0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

  /// Opens a file, and adds this process to the processes that share the file.
  /// - Parameter path: The path of the file.
  /// - Throws: `DatabaseFileError`: `isOpenElsewhere` if a sole writer has the file open;
  ///   `isLocked` if another process is inside a transaction for too long.
  package init(_ path: String) throws {
    self.path = path
    file = try Self.waiting(for: path) {
      let connection = try SQLiteConnection.opening(path, .init(access: .shared))
      return try connection.exclusively {
        let file = UntypedFile(connection, try FileHeader(connection))
        try connection.startWriting(.durable, to: path)
        return file
      }
    }
  }

  /// The longest time that an edit waits for transactions of other processes. The time is longer
  /// than `FileLock.longestWait`, because a person has to repeat a command that fails.
  private static var longestWait: Duration { .seconds(5) }

  /// Runs a body. Repeats it while another process is inside a transaction, until `longestWait` has
  /// passed.
  /// - Throws: `DatabaseFileError`; the errors of the body.
  private static func waiting<Result>(
    for path: String, _ body: () throws -> Result
  ) throws -> Result {
    let clock = ContinuousClock()
    let end = clock.now + longestWait
    while true {
      do {
        return try DatabaseFileError.describing(path, body)
      } catch DatabaseFileError.isLocked where clock.now < end {
        // No pause is needed, because the body has already waited for the other process.
        continue
      }
    }
  }

  /// Returns the process that is inside a transaction of a shared file; `nil` without one.
  package static func process(inTransactionOf path: String) -> Int32? {
    guard let holder = LockFileText(path: FileLock.path(of: path))?.holder, holder.isAlive,
      holder.kind == .transaction
    else { return nil }
    return holder.process
  }

  /// Keeps other processes from writing the file, until the edit is written or released.
  /// - Throws: `DatabaseFileError`.
  package func hold() throws {
    try Self.waiting(for: path) { try file.connection.lock?.hold() }
    do {
      try DatabaseFileError.describing(path) { try file.connection.execute("BEGIN IMMEDIATE") }
    } catch {
      file.connection.lock?.endHolding()
      throw error
    }
    isHolding = true
  }

  /// Runs a body that reads one version of the file, from which the edit starts.
  /// - Throws: `DatabaseFileError`; the errors of the body.
  package func read<Result>(_ body: (UntypedFile) throws -> Result) throws -> Result {
    func begin() throws -> Result {
      base = try file.connection.dataVersion()
      try file.refresh()
      return try body(file)
    }
    return try DatabaseFileError.describing(path) {
      isHolding ? try begin() : try file.connection.reading(begin)
    }
  }

  /// Runs a body that writes the rows of parts, in one transaction with the new version. Other
  /// processes then load the file and compare it with their version.
  /// - Parameter body: Returns the parts that it has changed.
  /// - Returns: `false` if the file has changed since the reading; the body is then not run.
  /// - Throws: `DatabaseFileError`; the errors of the body. The file is then unchanged, and the
  ///   edit is over.
  package func write(_ body: (UntypedFile) throws -> [UntypedRows]) throws -> Bool {
    let connection = file.connection
    if connection.hasMoved {
      connection.emptyLog()
      throw DatabaseFileError.isReplaced(file: path)
    }
    if isHolding {
      try DatabaseFileError.describing(path) {
        try append(body)
        try connection.execute("COMMIT")
      }
      announce()
      isHolding = false
      connection.lock?.endHolding()
      return true
    }
    // Each attempt is one transaction, which a failure reverts.
    return try Self.waiting(for: path) {
      try connection.exclusively {
        let isWritten = try connection.transaction {
          guard try connection.dataVersion() == base else { return false }
          try append(body)
          return true
        }
        if isWritten { announce() }
        return isWritten
      }
    }
  }

  private func append(_ body: (UntypedFile) throws -> [UntypedRows]) throws {
    let edited = try body(file)
    for rows in edited { try rows.finish() }
    for storage in Set(edited.map(\.part.storage)).sorted() { try appendVersion(of: storage) }
  }

  private func announce() {
    file.connection.lock?.announceVersion()
    file.connection.truncateLargeLog()
  }

  private func appendVersion(of storage: String) throws {
    let log = ChangeLog(file.connection, storage: storage)
    try log.create()
    let origin = BatchOrigin(
      client: Self.client, mutation: try log.lastMutation(of: Self.client) + 1)
    try RowSums(file.connection).noteSave(addsVersion: true, in: log)
    try log.append(nil, by: origin, as: try log.position().version + 1)
  }
}
