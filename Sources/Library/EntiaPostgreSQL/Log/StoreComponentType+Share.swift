public import EntiaDatabase
@_exported public import EntiaSharing
public import EntiaStore
public import Foundation

extension StoreComponentType {
  /// Shares a part of the state with all processes that share its space: pushes each commit that
  /// changes it, and applies the batches of the others.
  ///
  /// ```swift
  /// let shared = try await SharedDatabase<Library>(connecting: url, space: "team-7")
  /// let store = Store<AppState, Never>(initialState: AppState(library: try await shared.load()))
  /// let sharing = try store.share(\.library, through: shared)
  /// ```
  ///
  /// A commit does not wait. It passes the hooks of the store and is an undo step as ever, and its
  /// changes of the part wait until the server confirms them. If other clients were first, they are
  /// rebased: by a three-way merge if both changed the same rows, and then checked as a local batch
  /// would be. A batch that does not fit any more is taken back; see
  /// `DatabaseSharing.onRejection(_:)`. Undoing a commit that was shared is a commit of its own,
  /// and so is redoing it. Optimistic layers are shared once they are confirmed.
  ///
  /// All batches of other clients that are found at once are one commit, which is not an undo step.
  /// Undoing an earlier step keeps them. The hooks of the store run for the other parts of the
  /// state: they can neither refuse such a commit, which is reported to `onProblem(_:)`, nor change
  /// the shared part by it, because other clients would not see the change.
  ///
  /// Without a connection, batches wait in memory, and with an outbox in a file too. A process that
  /// starts again with the same outbox loads the database and adds the batches that still wait.
  /// Each batch in an outbox is committed once or rejected, never both, wherever a process is
  /// killed: it is stored before it is pushed, and the server recognizes it.
  /// `DatabaseSharing.saved()` waits until batches are stored. If the log was trimmed meanwhile,
  /// a batch that conflicts with the loaded rows is rejected. A lost connection is reported to
  /// `onProblem(_:)` once for each reason, and the server is tried again after 0.05 seconds, then
  /// after twice that time, up to two seconds. A client for which the log has been trimmed loads
  /// the database again, and rebases the batches that wait.
  ///
  /// - Parameters:
  ///   - part: The part of the state, which is still the result of the last `load()`.
  ///   - shared: The shared database. Several parts of a state are shared through several of them.
  ///   - merge: The resolution of conflicts, where *mine* is the local batch and *theirs* the
  ///     version of the server. By default, a conflict rejects the local batch.
  ///   - outbox: The file for the batches that wait, or `nil` for none. It is created unless it
  ///     exists. One process at a time uses it.
  /// - Returns: The sharing, which ends when it is released or the store is.
  ///   `DatabaseSharing.storeWhileSourceActive()` makes the store retain it.
  /// - Throws: `SharedDatabaseError`: `notLoaded` when the part is not the result of the last
  ///   `load()`, `partIsShared` when another sharing of the part has not ended; `outboxIsOpen`,
  ///   `outboxFailed`, and `cannotDecode` for a batch in the outbox that another schema wrote.
  /// - Complexity: A commit adds O(1), however many batches wait. Batches of others cost O(changes
  ///   · log *n*) in their changes and in those that wait.
  public func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable,
    through shared: SharedDatabase<Storage>, merge: ThreeWayMerge<Storage> = ThreeWayMerge(),
    outbox: URL? = nil
  ) throws -> DatabaseSharing<Storage> {
    try share(part, log: shared, merge: merge, outbox: outbox)
  }
}
