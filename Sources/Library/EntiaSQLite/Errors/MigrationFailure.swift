import EntiaSystemSQLite

/// A reason for which a migration cannot be applied. The file is not known where it is thrown.
struct MigrationFailure: Error {
  var migration = ""
  let table: String?
  let row: String?
  let reason: String

  init(table: String? = nil, row: String? = nil, reason: String) {
    self.table = table
    self.row = row
    self.reason = reason
  }

  /// Creates the failure for an error that a migration's code threw.
  init(table: String? = nil, row: String? = nil, _ error: any Error) {
    switch error {
    case is DecodingError, is EncodingError:
      let failure = RowFailure(.decoding, table: table ?? "", row: row ?? "", error)
      let place = failure.column.map { "\($0): " } ?? ""
      self.init(table: table, row: row, reason: place + failure.reason)
    default: self.init(table: table, row: row, reason: "\(error)")
    }
  }

  /// Returns the error of a migration: those of the file and of the disk stay as they are.
  static func describing(_ error: any Error, in migration: String) -> any Error {
    switch error {
    case is DatabaseFileError: return error
    case let failure as SQLiteFailure where failure.isOfFile: return error
    default:
      var failure = (error as? MigrationFailure) ?? MigrationFailure(error)
      failure.migration = migration
      return failure
    }
  }

  func inFile(_ file: String) -> DatabaseFileError {
    .cannotMigrate(file: file, migration: migration, table: table, row: row, reason: reason)
  }
}

extension SQLiteFailure {
  /// Whether the error is one of the file or the system, and not of a statement or its values.
  fileprivate var isOfFile: Bool {
    ![SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE]
      .contains(primaryCode)
  }
}
