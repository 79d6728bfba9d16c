public import EntiaDatabase
@_exported public import EntiaSharing
public import EntiaStore
public import Foundation

extension StoreComponentType {
  /// Shares a part of the state with all processes that share its space. Each commit that changes
  /// the part is pushed, and the batches of other processes are applied.
  ///
  /// ```swift
  /// let shared = try await SharedDatabase<Library>(connecting: url, space: "team-7")
  /// let store = Store<AppState, Never>(initialState: AppState(library: try await shared.load()))
  /// let sharing = try store.share(\.library, through: shared)
  /// ```
  ///
  /// A commit does not wait for the server. As in any store, the commit passes the hooks and is an
  /// undo step. Its changes of the part form a batch, which waits until the server confirms it. If
  /// batches of other clients were committed first, the local batch is rebased and checked like a
  /// new local batch. A three-way merge is used if these batches and the local batch changed the
  /// same rows. A batch that can no longer be applied is reverted; see
  /// `DatabaseSharing.onRejection(_:)`. Undoing or redoing a shared commit is another commit.
  /// Optimistic layers are shared after they are confirmed.
  ///
  /// Batches of other clients that are read together are applied as one commit, which is not an
  /// undo step. Undoing an earlier step keeps these batches. The hooks of the store run for this
  /// commit, and may change other parts of the state. A hook cannot refuse the commit; a refusal is
  /// reported to `onProblem(_:)`. A hook cannot change the shared part, because other clients would
  /// not see the change.
  ///
  /// Without a connection, batches wait in memory. With an outbox, they also wait in a file. A
  /// process that starts again with the same outbox loads the database and adds the waiting
  /// batches. Each batch in an outbox is either committed once or rejected, even if the process is
  /// killed: the batch is stored before it is pushed, and the server recognizes a repeated push.
  /// Copies and older states of the file are safe too. Each sharing makes its batches as a new
  /// client, so batches of different sharings are never confused. `DatabaseSharing.saved()`
  /// waits until batches are stored. If the log was trimmed while a batch waited in the outbox, the
  /// batch is rejected if it conflicts with the loaded rows. A lost connection is reported to
  /// `onProblem(_:)` once for each reason. The sharing reconnects after 0.05 seconds, then after
  /// twice the previous delay, up to two seconds. If the log no longer contains the batches that a
  /// client needs, the client loads the database again, and rebases its waiting batches.
  ///
  /// - Parameters:
  ///   - part: The part of the state. It must still equal the result of the last `load()`.
  ///   - shared: The shared database. To share several parts of a state, use a shared database for
  ///     each.
  ///   - merge: The resolution of conflicts; *mine* is the local batch, *theirs* the version of the
  ///     server. By default, a conflict rejects the local batch.
  ///   - outbox: The file for waiting batches, or `nil` for none. It is created if it does not
  ///     exist. Only one process at a time can use it.
  /// - Returns: The sharing, which ends when the sharing or the store is released.
  ///   `DatabaseSharing.storeWhileSourceActive()` makes the store retain it.
  /// - Throws: `SharedDatabaseError`: `notLoaded` if the part does not equal the result of the last
  ///   `load()`; `partIsShared` if another sharing of the part has not ended; `outboxIsOpen`;
  ///   `outboxFailed`, also if the outbox is damaged; `cannotDecode`, which names the outbox and
  ///   the batch, if the batch has a table, a member or a value that this program cannot read. The
  ///   outbox is then unchanged, and nothing is sent.
  /// - Complexity: A commit costs an additional O(1), regardless of the number of waiting batches.
  ///   Batches of other clients cost O(changes · log *n*), where the changes are those of these
  ///   batches and of the waiting batches.
  public func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable,
    through shared: SharedDatabase<Storage>, merge: ThreeWayMerge<Storage> = ThreeWayMerge(),
    outbox: URL? = nil
  ) throws -> DatabaseSharing<Storage> {
    try share(part, log: shared, merge: merge, outbox: outbox)
  }
}
