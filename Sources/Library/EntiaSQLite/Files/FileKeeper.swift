/// An object that saves a file at each change.
protocol FileKeeper: AnyObject, Sendable {
  /// The progress of a keeper towards its end.
  var phase: FileKeeperPhase { get }

  /// Waits until everything committed so far is saved.
  /// - Throws: `DatabaseFileError`: the failure of the save, `timedOut`, `isBusy`.
  func flush(timeout: Duration?) throws
}

/// The progress of a keeper towards its end.
enum FileKeeperPhase {
  /// It saves what is committed.
  case active
  /// It saves what was committed before its end.
  case ending
  /// It saves nothing more.
  case ended
}

/// A weak reference to a keeper.
struct WeakFileKeeper: Sendable {
  weak var keeper: (any FileKeeper)?
}
