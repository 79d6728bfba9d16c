package import EntiaDatabase

/// A database in the committed state of a store. Its changes are recorded, and versions of other
/// processes can replace it. A `SharedPart` retains the state of the store, but not the store.
package struct SharedPart<Storage: NormalizedStorageType>: Sendable {
  /// Returns the changes that have not been sent, or `nil` if all have been sent. They are the
  /// changes of the store's database since the version `since`, and the changes `besides`, which
  /// are not yet in the store.
  package typealias Unsent =
    @Sendable () -> (since: Storage, besides: [StorageChangeSet<Storage>])?

  /// The recording of the part's changes.
  package let observation: CommitObservation
  /// Prevents the eviction of rows that have unsent changes, until the returned object is released.
  package let keepUnsentRows: @Sendable (_ unsent: @escaping Unsent) -> any AnyObject & Sendable
  /// Commits a new version of the database, with its ages and answers. The commit is not an undo
  /// step, and this part does not record it.
  ///
  /// Hooks run, and may change other parts of the state. If a hook refuses the commit, the store
  /// reports a problem, and the database is replaced anyway. If a hook changes the database, that
  /// change is dropped.
  /// - Parameters:
  ///   - name: The name of the commit.
  ///   - replacement: Returns the new version of the database, or `nil` for no change. It is called
  ///     with the committed version, and no other commit runs meanwhile.
  package let replace: @Sendable (_ name: String?, _ replacement: (Storage) -> Storage?) -> Void
}

extension StoreComponentType {
  /// Records each commit that changes a database in the state.
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - validate: Called with the committed database at the start of the recording.
  ///   - onChange: Receives the database before and after each commit that may have changed it, and
  ///     the name of the commit. It is called while the commit lock is held, in commit order, and
  ///     must not run user code.
  ///   - onCommit: Called by the committing thread after each commit, without a lock.
  ///   - onEnd: Called when the store is deinitialized.
  /// - Returns: The part, or `nil` if its changes are already recorded.
  /// - Throws: The error of `validate`. Nothing is then recorded.
  package func recordChanges<Storage: NormalizedStorageType>(
    of path: any WritableKeyPath<State, Storage> & Sendable,
    validate: (Storage) throws -> Void,
    onChange: @escaping @Sendable (_ old: Storage, _ new: Storage, _ name: String?) -> Void,
    onCommit: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
  ) throws -> SharedPart<Storage>? {
    let core = store.core
    let observer = CommitObserver(
      of: path, for: .sharing,
      onChange: { old, new in
        let (before, after) = (old.of(State.self).value, new.of(State.self).value)
        let versions = (before[keyPath: path], after[keyPath: path])
        if versions.0.snapshot.isIdentical(to: versions.1.snapshot) { return }
        // If only ages and answers have changed, nothing is recorded for other processes.
        if versions.1.hasFreshness, versions.1.changes(since: versions.0).isEmpty { return }
        onChange(versions.0, versions.1, new.commitName)
      }, onCommit: onCommit, onEnd: onEnd)
    core.databases.add(path)
    guard try core.add(observer, validate: { try validate($0[keyPath: path]) }) else { return nil }
    return SharedPart(
      observation: CommitObservation(observer, of: core),
      keepUnsentRows: { unsent in
        let editor = StateEditor<State>(
          edit: { committed in
            guard let sent = unsent()?.since else { return nil }
            var old = committed
            old[keyPath: path] = sent
            return (old, committed)
          },
          editedRows: {
            unsent().map { sent, besides in
              besides.map { .rows(writtenBy: $0, in: sent) }
            } ?? []
          })
        core.editors.add(editor)
        return editor
      },
      replace: { name, replacement in
        core.replace(path, named: name, by: observer, replacement)
      })
  }
}
