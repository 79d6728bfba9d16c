import EntiaStore

/// The operations of a keeper on its store and its file.
struct SaveWork: Sendable {
  /// Returns the committed state of the store.
  let state: @Sendable () -> CommittedState
  /// Whether the part in a state is the version that was saved last.
  let isSaved: @Sendable (CommittedState) -> Bool
  /// Returns the save of the part in a state.
  let saving: @Sendable (CommittedState) -> StorageSave
  /// Writes several parts in one transaction of the file.
  let save: @Sendable ([StorageSave]) throws -> Void
  /// Notes that the part in a state was saved.
  let noteSaved: @Sendable (CommittedState) -> Void
  /// Whether this thread is inside a call on the file.
  let isInsideFile: @Sendable () -> Bool
  /// Reports a failed save to the store.
  let report: @Sendable (_ isRetried: Bool, _ error: DatabaseFileError) -> Void
  /// Stores the keeper in its store.
  let hold: @Sendable (DatabaseKeeper) -> Void
  /// Ends the observation of the store.
  let end: @Sendable () -> Void
}
