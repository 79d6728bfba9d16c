/// An observer of the commits of a store, which saves or shares a part of the committed state.
///
/// The committing thread calls `onCommit` after it has released the commit lock, even if the commit
/// changed only the state below the optimistic layers.
@usableFromInline
final class CommitObserver: Sendable {
  /// The purpose of an observer. A part has at most one observer for each purpose.
  enum Purpose {
    case saving
    case sharing
  }

  let part: any AnyKeyPath & Sendable
  let purpose: Purpose
  /// Receives the committed state before and after each commit that changed it, under the commit
  /// lock.
  let onChange: (@Sendable (_ old: AnyStateVersion, _ new: AnyStateVersion) -> Void)?
  let onCommit: @Sendable () -> Void
  let onEnd: @Sendable () -> Void
  /// The object that the store retains for the observer.
  let held = Mutex<(any AnyObject & Sendable)?>(nil)

  init(
    of part: any AnyKeyPath & Sendable, for purpose: Purpose,
    onChange: (@Sendable (_ old: AnyStateVersion, _ new: AnyStateVersion) -> Void)? = nil,
    onCommit: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
  ) {
    self.part = part
    self.purpose = purpose
    self.onChange = onChange
    self.onCommit = onCommit
    self.onEnd = onEnd
  }
}

extension StoreCore {
  /// Adds an observer of commits, unless there is already one for the same part and the same
  /// purpose.
  /// - Parameters:
  ///   - observer: The observer.
  ///   - validate: Called under the commit lock with the committed state from which the observer
  ///     starts.
  /// - Returns: Whether the observer was added.
  /// - Throws: The error of `validate`; the observer is then not added.
  func add(
    _ observer: CommitObserver, validate: (State) throws -> Void
  ) rethrows -> Bool {
    try holdingCommitLock {
      // The check and the addition are atomic under the commit lock. The lock of `commitObservers`
      // is not held meanwhile, because comparing key paths may run user code.
      let isObserved = commitObservers.withLock { $0 }.contains {
        $0.purpose == observer.purpose && $0.part == observer.part
      }
      if isObserved { return false }
      try validate(committedUnderLock.value)
      commitObservers.withLock { $0.append(observer) }
      commitState.isObserved = true
      if observer.onChange != nil { commitState.isRecorded = true }
      return true
    }
  }

  func remove(_ observer: CommitObserver) {
    commitObservers.replace { $0.removeAll { $0 === observer } }
  }

  /// Passes a change of the committed state to the observers that record changes. The observer
  /// `author` does not receive the change. Called under the commit lock.
  @usableFromInline
  func recordChange(
    from old: StateVersion<State>, to new: StateVersion<State>, except author: CommitObserver? = nil
  ) {
    for observer in commitObservers.withLock({ $0 }) where observer !== author {
      observer.onChange?(old, new)
    }
  }

  /// Notifies the observers of commits; must be called without a lock.
  @usableFromInline
  func notifyCommitObservers() {
    for observer in commitObservers.withLock({ $0 }) { observer.onCommit() }
  }

  /// Ends the observers of commits, because the store is being deinitialized.
  func endCommitObservers() {
    let ended = commitObservers.withLock { observers in
      defer { observers = [] }
      return observers
    }
    for observer in ended {
      observer.onEnd()
      observer.held.release { $0.take() }
    }
  }
}
