import EntiaDatabase
import EntiaStore

extension DatabaseFile {
  /// Whether a keeper saves the storage.
  var isKept: Bool {
    guard let keeper = keeper.withLock({ $0.keeper }) else { return false }
    return keeper.phase != .ended
  }

  /// Waits until a keeper that is ending has ended, once what was committed before is saved.
  /// - Throws: The failure of that save.
  func waitForEndingKeeper() throws {
    guard let keeper = keeper.withLock({ $0.keeper }), keeper.phase == .ending else { return }
    try keeper.flush(timeout: nil)
  }

  /// Sets the keeper of the storage.
  /// - Parameters:
  ///   - keeper: The new keeper.
  ///   - replacing: Whether it may remove rows in the file that this object has not loaded.
  /// - Returns: The version that the file contains, or `nil` when it was not loaded or saved.
  /// - Throws: `DatabaseFileError`: `isReadOnly`, `isKept`, `notLoaded`, `tablesAreUnmatched`,
  ///   `isClosed`.
  func setKeeper(_ keeper: any FileKeeper, replacing: Bool) throws -> Storage? {
    try waitForEndingKeeper()
    // The version in the file is that of the last save, which has ended.
    return try session.withSaving {
      try withTurn { file in
        if configuration.isReadOnly { throw DatabaseFileError.isReadOnly(file: path) }
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

  /// Removes the keeper of the storage.
  func removeKeeper() { keeper.withLock { $0.keeper = nil } }
}
