import EntiaDatabase

extension DatabaseFileError {
  /// Runs a body, and turns its errors into errors of the file.
  static func describing<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as SQLiteFailure {
      throw DatabaseFileError(failure, file: file)
    } catch is FileLock.Held {
      throw DatabaseFileError.isLocked(file: file)
    } catch let failure as FileLock.Failure {
      throw DatabaseFileError.cannotOpen(
        file: file, reason: "its lock \(FileLock.path(of: file)): \(failure.reason)")
    } catch let failure as UnusableTable {
      throw DatabaseFileError.isDamaged(
        file: file, reason: "table \(failure.table): \(failure.reason)")
    } catch let failure as RowFailure {
      throw failure.inFile(file)
    } catch let failure as FileHeader.Newer {
      throw DatabaseFileError.isNewer(file: file, reason: failure.reason)
    } catch let failure as FileHeader.Damaged {
      throw DatabaseFileError.isDamaged(file: file, reason: failure.reason)
    } catch let failure as FileHeader.Changed {
      throw DatabaseFileError.cannotOpen(file: file, reason: failure.reason)
    } catch let failure as MigrationFailure {
      throw failure.inFile(file)
    } catch is FileHeader.Foreign {
      throw DatabaseFileError.isForeign(file: file)
    } catch let BatchError.refused(violations) {
      throw DatabaseFileError.refused(file: file, reasons: violations.map(\.description))
    }
  }
}
