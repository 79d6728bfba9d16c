/// An observer of the commits of a store, which saves a part of the committed state.
///
/// It is called by the committing thread after the commit lock is released, without the state, and
/// also by a commit that changes only the state below the optimistic layers.
final class CommitObserver: Sendable {
  /// The key path of the part.
  let part: any AnyKeyPath & Sendable
  let onCommit: @Sendable () -> Void
  let onEnd: @Sendable () -> Void
  /// The object that the store retains for the observer.
  let held = Mutex<(any AnyObject & Sendable)?>(nil)

  init(
    of part: any AnyKeyPath & Sendable, onCommit: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.part = part
    self.onCommit = onCommit
    self.onEnd = onEnd
  }
}

extension StoreCore {
  /// Adds an observer of commits, unless its part has one.
  /// - Returns: Whether it was added.
  func add(_ observer: CommitObserver) -> Bool {
    let isInside = commitLock.isHeldByThisThread
    if !isInside { commitLock.lock() }
    defer { if !isInside { commitLock.unlock() } }
    // The commit lock makes this atomic; comparing key paths may run user code.
    let isObserved = commitObservers.withLock { $0 }.contains { $0.part == observer.part }
    if isObserved { return false }
    commitObservers.withLock { $0.append(observer) }
    commitState.isObserved = true
    return true
  }

  func remove(_ observer: CommitObserver) {
    let former = commitObservers.withLock { observers in
      let former = observers
      observers.removeAll { $0 === observer }
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// Notifies the observers of commits; must be called without a lock.
  @usableFromInline
  func notifyCommitObservers() {
    for observer in commitObservers.withLock({ $0 }) { observer.onCommit() }
  }

  /// Ends the observers of commits, because the store is being deinitialized.
  func endCommitObservers() {
    let ended = commitObservers.withLock { observers in
      let ended = observers
      observers = []
      return ended
    }
    for observer in ended {
      observer.onEnd()
      let held = observer.held.withLock { $0.take() }
      withExtendedLifetime(held) {}
    }
  }
}
