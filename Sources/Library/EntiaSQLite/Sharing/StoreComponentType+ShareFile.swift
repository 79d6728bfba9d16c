public import EntiaDatabase
@_exported public import EntiaSharing
public import EntiaStore

extension StoreComponentType {
  /// Shares a part of the state with all processes that share its file. Each commit that changes
  /// the part is written to the file, and the batches of other processes are applied.
  ///
  /// ```swift
  /// let file = try DatabaseFile<Library>(
  ///   path: "library.sqlite", configuration: .init(access: .shared))
  /// let store = Store<AppState, Never>(initialState: AppState(library: try file.load()))
  /// let sharing = try store.share(\.library, through: file)
  /// ```
  ///
  /// A commit does not wait for the disk. Its changes of the part form a batch, which waits in
  /// memory until it is written in one short transaction; `DatabaseSharing.saved()` waits for that.
  /// If other processes have written batches before, the local batch is rebased. A three-way merge
  /// is used if these batches and the local batch changed the same rows. The rebased batch is
  /// checked like a new local batch, so rules and unique keys hold across processes. A batch that
  /// can no longer be applied is reverted; see `DatabaseSharing.onRejection(_:)`. Batches of others
  /// that are read together become one commit, which is not an undo step.
  ///
  /// No lock is held between transactions, with one exception: if other processes wrote before each
  /// of the last three pushes of a process, this process keeps them from writing until its next
  /// push, for at most two seconds. While another process is stopped inside a transaction, the
  /// status is `offline` and names that process. Readers never wait.
  /// - Parameters:
  ///   - part: The part of the state. It must still equal the result of the last `load()`.
  ///   - file: The file, open with `access: .shared`.
  ///   - merge: The resolution of conflicts; *mine* is the local batch. By default, a conflict
  ///     rejects the local batch.
  /// - Returns: The sharing, which ends when the sharing or the store is released.
  ///   `DatabaseSharing.storeWhileSourceActive()` makes the store retain the sharing.
  /// - Throws: `SharedDatabaseError`: `notLoaded` if the part does not equal the result of the last
  ///   `load()`; `partIsShared`; `noRights` if the file is not open for writing with
  ///   `access: .shared`.
  /// - Complexity: A commit costs an additional O(1). A batch is written and applied in
  ///   O(changes · log *n*).
  public func share<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, through file: DatabaseFile<Storage>,
    merge: ThreeWayMerge<Storage> = ThreeWayMerge()
  ) throws -> DatabaseSharing<Storage> {
    guard file.configuration.access == .shared, !file.configuration.isReadOnly else {
      throw SharedDatabaseError.noRights(
        space: file.path, reason: "open the file for writing, with access: .shared")
    }
    return try share(part, log: FileLog(file, isReadOnly: false), merge: merge)
  }

  /// Moves a part of the state to each new version of a file that other processes write.
  ///
  /// ```swift
  /// let reader = try DatabaseFile<Library>(
  ///   path: "library.sqlite", configuration: .init(isReadOnly: true))
  /// let store = Store<AppState, Never>(initialState: AppState(library: try reader.load()))
  /// let following = try store.follow(\.library, in: reader)
  /// ```
  ///
  /// Each move is one commit with the changes since the last move. It is not an undo step, and
  /// only the observers of changed values are called. A local commit that changes the part is
  /// reverted, and reported like a rejected batch; see `DatabaseSharing.onRejection(_:)`. To follow
  /// the file again after the sharing has ended, first commit the result of another `load()` to the
  /// part.
  /// - Parameters:
  ///   - part: The part of the state. It must still equal the result of the last `load()`.
  ///   - file: The file.
  /// - Returns: The sharing, which ends when the sharing or the store is released.
  ///   `DatabaseSharing.storeWhileSourceActive()` makes the store retain the sharing.
  /// - Throws: `SharedDatabaseError`: `notLoaded` if the part does not equal the result of the last
  ///   `load()`; `partIsShared`; `noRights` if the file is open for writing.
  /// - Complexity: A move is O(changes · log *n*), or O(*n*) if the file no longer has the changes.
  public func follow<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, in file: DatabaseFile<Storage>
  ) throws -> DatabaseSharing<Storage> {
    guard file.configuration.isReadOnly else {
      throw SharedDatabaseError.noRights(
        space: file.path, reason: "open the file with isReadOnly: true")
    }
    return try share(part, log: FileLog(file, isReadOnly: true))
  }
}
