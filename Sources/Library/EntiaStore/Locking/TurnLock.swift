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

/// The threads that wait for a commit lock or a turn while they hold others.
///
/// When they form a circle, each would wait for ever. Commits cannot fail, so a thread of the
/// circle that waits for a turn is woken, and its call fails. A thread that holds nothing is in no
/// circle and is not registered.
struct LockWaits: Sendable {
  /// A thread that waits. Its locks are pointers, because they are compared only, and exist while
  /// the thread holds them or waits for them.
  private struct Wait: @unchecked Sendable {
    let id: UInt64
    let held: [UnsafeRawPointer]
    let wanted: UnsafeRawPointer
    /// The closure that ends the wait with a failure; `nil` for one that cannot fail.
    let fail: (@Sendable () -> Void)?
  }

  private struct Contents {
    var waits: [Wait] = []
    var lastID: UInt64 = 0
  }

  private static let contents = Mutex(Contents())

  /// Registers a wait of this thread, and fails one in the circle that it completes.
  /// - Parameters:
  ///   - wanted: The lock that is waited for.
  ///   - held: The locks that this thread holds.
  ///   - fail: Makes this wait fail; `nil` for one that cannot.
  /// - Returns: The number of the wait.
  static func begin(
    for wanted: UnsafeRawPointer, holding held: [UnsafeRawPointer],
    fail: (@Sendable () -> Void)? = nil
  ) -> UInt64 {
    let (id, failing) = contents.withLock { contents -> (UInt64, (@Sendable () -> Void)?) in
      contents.lastID += 1
      let wait = Wait(id: contents.lastID, held: held, wanted: wanted, fail: fail)
      let circle = Self.circle(from: wait, contents.waits)
      contents.waits.append(wait)
      return (wait.id, circle.first { $0.fail != nil }?.fail)
    }
    failing?()
    return id
  }

  /// Removes a wait that has ended.
  static func end(_ id: UInt64) {
    contents.withLock { contents in contents.waits.removeAll { $0.id == id } }
  }

  /// Returns the waits of the circle that a wait completes; none without a circle.
  private static func circle(from wait: Wait, _ waits: [Wait]) -> [Wait] {
    var circle = [wait]
    // A lock has one holder, so that the way is the only one.
    while circle.count <= waits.count + 1, let last = circle.last {
      if wait.held.contains(last.wanted) { return circle }
      guard let next = waits.first(where: { $0.held.contains(last.wanted) }) else { return [] }
      circle.append(next)
    }
    return []
  }
}
