package import EntiaDatabase

/// A database in the committed state of a store whose changes are recorded, and which can be
/// replaced by the versions of other processes. It retains the state of the store, but not the
/// store.
package struct SharedPart<Storage: NormalizedStorageType>: Sendable {
  private let part: CommittedPart<Storage>
  private let replacePart: @Sendable (_ name: String?, _ replacement: (Storage) -> Storage?) -> Void

  fileprivate init(
    _ part: CommittedPart<Storage>,
    replacePart:
      @escaping @Sendable (
        _ name: String?, _ replacement: (Storage) -> Storage?
      ) -> Void
  ) {
    self.part = part
    self.replacePart = replacePart
  }

  /// Replaces the database by a commit that is not an undo step and is not recorded.
  ///
  /// Hooks run for the other parts of the state: they can neither refuse the commit nor change the
  /// database.
  /// - Parameters:
  ///   - name: The name of the commit.
  ///   - replacement: Returns the new version, or `nil` for no change. It receives the committed
  ///     one, and is called while no other commit runs.
  package func replace(
    named name: String?, _ replacement: (Storage) -> Storage?
  ) { replacePart(name, replacement) }

  /// Stores an object in the store until the recording ends.
  package func hold(_ object: any AnyObject & Sendable) { part.hold(object) }

  /// Reports a problem to the logger and the problem handler of the store.
  package func report(_ problem: StoreProblem) { part.report(problem) }

  /// Ends the recording.
  package func end() { part.end() }
}

extension StoreComponentType {
  /// Records each commit that changes a database in the state.
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - validate: Receives the committed database that the recording starts from.
  ///   - onChange: Receives the database before and after each commit that may have changed it, and
  ///     the name of the commit. It is called while the commit lock is held, in commit order, and
  ///     must not run user code.
  ///   - onCommit: Called by the committing thread after each commit, without a lock.
  ///   - onEnd: Called when the store is deinitialized.
  /// - Returns: The part, or `nil` when its changes are already recorded.
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
        onChange(versions.0, versions.1, new.commitName)
      }, onCommit: onCommit, onEnd: onEnd)
    core.databases.add(path)
    guard try core.add(observer, validate: { try validate($0[keyPath: path]) }) else { return nil }
    let part = CommittedPart(
      observer, core.problems, readState: { CommittedState(version: core.committed) },
      readPart: { $0.version.of(State.self).value[keyPath: path] },
      remove: { core.remove(observer) })
    return SharedPart(part) { core.replace(path, named: $0, by: observer, $1) }
  }
}
