/// The operations of a keeper on its store and its file.
struct SaveWork: Sendable {
  /// Whether the committed part is the version that was saved last.
  let isSaved: @Sendable () -> Bool
  /// Saves the committed part.
  let save: @Sendable () throws -> Void
  /// Whether this thread is inside a call on the file.
  let isInsideFile: @Sendable () -> Bool
  /// Reports a failed save to the store.
  let report: @Sendable (_ isRetried: Bool, _ error: DatabaseFileError) -> Void
  /// Stores the keeper in its store.
  let hold: @Sendable (DatabaseKeeper) -> Void
  /// Ends the observation of the store.
  let end: @Sendable () -> Void
}
