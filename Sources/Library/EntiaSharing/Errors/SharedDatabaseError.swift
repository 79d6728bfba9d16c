import EntiaDatabase

/// An error of a shared database. Each error names what it concerns: a space or a file, and
/// possibly a table, a row and a column. Most errors have a reason. The name of the space is empty
/// in errors of `install(connecting:)`.
///
/// No message contains the connection string.
public enum SharedDatabaseError: Error, Equatable, Sendable {
  /// The connection was lost, or the server cannot be reached at the moment.
  case disconnected(space: String, reason: String)
  /// The server did not answer in time. A pushed batch may have been committed.
  case timedOut(space: String)
  /// The server refuses the call at the moment, with its SQLSTATE.
  case unavailable(space: String, code: String, reason: String)
  /// The shared database has been closed.
  case isClosed(space: String)
  /// The part of the store is not the database of the last `load()`.
  case notLoaded(space: String)
  /// The part of the store is already shared.
  case partIsShared(space: String)
  /// The connection string cannot be used, or the server refuses the role or the database.
  case cannotConnect(reason: String)
  /// The database does not have the tables of `install(connecting:)`.
  case notInstalled(reason: String)
  /// A newer version of Entia installed the tables, or a newer program migrated the shared file.
  case isNewer(reason: String)
  /// The role lacks a right, or the file is open with an access that does not permit the call.
  case noRights(space: String, reason: String)
  /// The space does not exist, or is hidden from the role.
  case spaceNotFound(space: String)
  /// The space or the file has the rows of another schema.
  case schemaDiffers(space: String, reason: String)
  /// The entities of a table, or their IDs, are not `Codable`.
  case notCodable(space: String, entity: String, type: String)
  /// A row or a change cannot be stored.
  case cannotEncode(space: String, entity: String, row: String, column: String?, reason: String)
  /// A row or a change in the server or in an outbox cannot be read.
  case cannotDecode(space: String, entity: String, row: String, column: String?, reason: String)
  /// The rows in the server violate rules of the storage.
  case refused(space: String, reasons: [String])
  /// Another process has the file open for writing, and does not share it.
  case isOpenElsewhere(file: String, process: Int32?)
  /// The outbox is already open, in another process or by another sharing of this process.
  case outboxIsOpen(file: String)
  /// The outbox cannot be read or written, is damaged, or belongs to another space.
  case outboxFailed(file: String, reason: String)
  /// The server reported another error, with its SQLSTATE.
  case failed(space: String, code: String, reason: String)
}

extension SharedDatabaseError {
  /// Whether the same call may succeed later without a change of the program or of the server's
  /// configuration.
  package var isTransient: Bool {
    switch self {
    // `outboxFailed`: a full disk may have space again.
    case .disconnected, .timedOut, .unavailable, .outboxFailed: true
    // Another program wrote the invalid rows, and may correct them.
    case .cannotDecode, .refused: true
    default: false
    }
  }
}

extension SharedDatabaseError: CustomStringConvertible {
  /// A sentence with everything that the error names, and the reason.
  public var description: String {
    switch self {
    case .disconnected(let space, let reason):
      "\(Self.subject(space)): there is no connection to the server: \(reason)"
    case .timedOut(let space): "\(Self.subject(space)): the server did not answer in time"
    case .unavailable(let space, "", let reason):
      "\(Self.subject(space)) is not available: \(reason)"
    case .unavailable(let space, let code, let reason):
      "\(Self.subject(space)): the server is not available: \(reason) (SQLSTATE \(code))"
    case .isClosed(let space): "\(Self.subject(space)) has been closed"
    case .notLoaded(let space):
      """
      \(space): the part of the store is not the database that was loaded last: create the \
      store with the result of load(), or commit that result to the part
      """
    case .partIsShared(let space):
      "\(space): the part of the store is already shared: close that sharing first"
    case .cannotConnect(let reason): "the connection cannot be made: \(reason)"
    case .notInstalled(let reason):
      """
      the database does not have Entia's tables (\(reason)): call \
      SharedDatabase.install(connecting:) once, with a role that may create tables
      """
    case .isNewer(let reason):
      "the database was written by a newer program: \(reason)"
    case .noRights(let space, let reason): "\(Self.subject(space)): \(reason)"
    case .spaceNotFound(let space):
      """
      \(space): the space does not exist, or row-level security hides it from the role: a program \
      creates it when it connects with a role that has the right INSERT on entia_space
      """
    case .schemaDiffers(let space, let reason): "\(space) has another schema: \(reason)"
    case .notCodable(let space, let entity, let type):
      "\(space): \(type), in table \(entity), is not Codable"
    case .cannotEncode(let space, let entity, let row, let column, let reason):
      "\(space): \(Self.place(entity, row, column)) cannot be stored: \(reason)"
    case .cannotDecode(let space, let entity, let row, let column, let reason):
      "\(space): \(Self.place(entity, row, column)) cannot be read: \(reason)"
    case .refused(let space, let reasons):
      "\(space): the rows violate rules: \(reasons.firstDescriptions)"
    case .isOpenElsewhere(let file, let process):
      """
      \(file) is open for writing \(process.map { "in process \($0)" } ?? "elsewhere"), without \
      access: .shared: close it there, or open it with this access
      """
    case .outboxIsOpen(let file):
      "the outbox \(file) is open elsewhere: give each process an outbox of its own"
    case .outboxFailed(let file, let reason): "the outbox \(file): \(reason)"
    case .failed(let space, "", let reason): "\(Self.subject(space)): \(reason)"
    case .failed(let space, let code, let reason):
      "\(Self.subject(space)): \(reason) (SQLSTATE \(code))"
    }
  }

  private static func subject(_ space: String) -> String {
    space.isEmpty ? "the installation" : space
  }

  private static func place(_ entity: String, _ row: String, _ column: String?) -> String {
    "row \(row) of \(entity)" + (column.map { ", column \($0)," } ?? "")
  }
}
