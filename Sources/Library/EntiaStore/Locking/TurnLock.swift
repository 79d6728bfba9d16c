import Dispatch

/// A lock that is held while user code runs, and whose callers can fail instead of waiting for
/// ever.
///
/// Like a commit lock, it is recorded by the thread that holds it. A call that would complete a
/// circle of threads that wait for each other fails: such as a load whose row commits to a store,
/// while a commit to that store loads.
package final class TurnLock: Sendable {
  private let exclusion = CommitLock()
  private let waiters = Mutex<[Waiter]>([])

  /// A call that waits.
  private final class Waiter: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let hasFailed = Mutex(false)
  }

  package init() {}

  package var isHeldByThisThread: Bool { exclusion.isHeldByThisThread }

  /// Waits for the lock, which this thread must not hold.
  /// - Returns: Whether it was acquired; `false` when the wait would not end.
  package func lock() -> Bool {
    if exclusion.tryLock() { return true }
    let waiter = Waiter()
    let held = CommitLock.heldByThisThread
    let wait =
      held.isEmpty
      ? nil
      : LockWaits.begin(for: exclusion.address, holding: held) {
        waiter.hasFailed.withLock { $0 = true }
        waiter.semaphore.signal()
      }
    defer { if let wait { LockWaits.end(wait) } }
    while true {
      waiters.withLock { $0.append(waiter) }
      // It may have been unlocked before the waiter was added.
      if exclusion.tryLock() {
        remove(waiter)
        return true
      }
      waiter.semaphore.wait()
      if exclusion.tryLock() {
        remove(waiter)
        return true
      }
      if waiter.hasFailed.withLock({ $0 }) {
        remove(waiter)
        // The signal of an unlocking thread may have been for this waiter.
        wakeNext()
        return false
      }
      remove(waiter)
    }
  }

  /// Unlocks, and wakes the call that has waited longest.
  package func unlock() {
    exclusion.unlock()
    wakeNext()
  }

  private func wakeNext() {
    let next = waiters.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    next?.semaphore.signal()
  }

  private func remove(_ waiter: Waiter) {
    waiters.withLock { waiters in waiters.removeAll { $0 === waiter } }
  }
}
