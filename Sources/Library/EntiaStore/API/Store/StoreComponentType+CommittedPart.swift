/// A committed state of a store, from which observers read several parts of one version.
package struct CommittedState: Sendable {
  let version: AnyStateVersion

  /// Returns whether two states are the same version.
  package func isIdentical(to other: CommittedState) -> Bool { version === other.version }
}

/// A part of the committed state of a store, with an observer of the commits. It retains the state
/// of the store, but not the store.
package struct CommittedPart<Part: Sendable>: Sendable {
  private let observer: CommitObserver
  private let readState: @Sendable () -> CommittedState
  private let readPart: @Sendable (CommittedState) -> Part
  private let remove: @Sendable () -> Void
  private let problems: ProblemLog

  init(
    _ observer: CommitObserver, _ problems: ProblemLog,
    readState: @escaping @Sendable () -> CommittedState,
    readPart: @escaping @Sendable (CommittedState) -> Part,
    remove: @escaping @Sendable () -> Void
  ) {
    self.observer = observer
    self.problems = problems
    self.readState = readState
    self.readPart = readPart
    self.remove = remove
  }

  /// The state of the store without optimistic layers, as of the last commit.
  package var state: CommittedState { readState() }

  /// The part without optimistic layers, as of the last commit.
  package var current: Part { value(in: state) }

  /// Returns the part in a state of its store.
  package func value(in state: CommittedState) -> Part { readPart(state) }

  /// Stores an object in the store until the observer ends.
  package func hold(_ object: any AnyObject & Sendable) {
    observer.held.withLock { $0 = object }
  }

  /// Reports a problem to the logger and the problem handler of the store.
  package func report(_ problem: StoreProblem) { problems.report(problem) }

  /// Ends the observer without a call of it.
  package func end() {
    remove()
    let held = observer.held.withLock { $0.take() }
    withExtendedLifetime(held) {}
  }
}

extension StoreComponentType {
  /// Adds an observer that saves a part. It is also notified of commits that changed other parts.
  /// - Parameters:
  ///   - path: The part of the state that is observed.
  ///   - onCommit: Called by the committing thread after each commit, without a lock.
  ///   - onEnd: Called when the store is deinitialized.
  /// - Returns: The part, or `nil` when it has such an observer.
  package func observeCommits<Part: Sendable>(
    of path: any KeyPath<State, Part> & Sendable, onCommit: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> CommittedPart<Part>? {
    let core = store.core
    let observer = CommitObserver(of: path, for: .saving, onCommit: onCommit, onEnd: onEnd)
    guard core.add(observer, validate: { _ in }) else { return nil }
    return CommittedPart(
      observer, core.problems, readState: { CommittedState(version: core.committed) },
      readPart: { $0.version.of(State.self).value[keyPath: path] },
      remove: { core.remove(observer) })
  }

  /// The identity of the store, for as long as an observer of its commits exists.
  package var committedStateID: ObjectIdentifier { ObjectIdentifier(store.core) }
}
