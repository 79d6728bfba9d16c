import Dispatch

/// A lock that is held while user code runs. Acquiring it fails instead of causing a deadlock.
///
/// Each thread records the locks of this kind that it holds, like its commit locks. `lock()` fails
/// if threads would otherwise wait for each other in a circle. For example, one thread holds this
/// lock to save a row, and the row's encoding makes a commit, which waits for a store's commit
/// lock. Another thread holds that commit lock, and waits for this lock.
package final class TurnLock: Sendable {
  private let exclusion = CommitLock()
  private let waiters = Mutex<[Waiter]>([])

  private final class Waiter: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let hasFailed = Mutex(false)
  }

  package init() {}

  package var isHeldByThisThread: Bool { exclusion.isHeldByThisThread }

  /// Waits for the lock, which this thread must not hold.
  /// - Returns: Whether the lock was acquired; `false` if the wait would never end.
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
      // The lock may have been released before the waiter was added.
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
        // An unlocking thread may have signaled this waiter, so another waiter is woken instead.
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

/// The threads that wait for a commit lock or a `TurnLock` while they hold other locks.
///
/// Threads that form a circle would wait for ever. Commits cannot fail, so the circle is broken at
/// a thread that waits for a `TurnLock`: the thread is woken, and its call of `lock()` fails. A
/// thread that holds no lock cannot be part of a circle and is not registered.
struct LockWaits: Sendable {
  /// A waiting thread. The locks are stored as pointers, because locks are only compared here. The
  /// pointers are valid, because a lock exists while a thread holds it or waits for it.
  private struct Wait: @unchecked Sendable {
    let id: UInt64
    let held: [UnsafeRawPointer]
    let wanted: UnsafeRawPointer
    /// The closure that ends the wait with a failure; `nil` for a wait that cannot fail.
    let fail: (@Sendable () -> Void)?
  }

  private struct Contents {
    var waits: [Wait] = []
    var lastID: UInt64 = 0
  }

  private static let contents = Mutex(Contents())

  /// Registers a wait of this thread. If the wait completes a circle, ends one wait of the circle
  /// with a failure: this wait if it can fail, otherwise another wait that can.
  /// - Parameters:
  ///   - wanted: The lock that the thread waits for.
  ///   - held: The locks that this thread holds.
  ///   - fail: A closure that ends this wait with a failure; `nil` if it cannot fail.
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

  static func end(_ id: UInt64) {
    contents.withLock { contents in contents.waits.removeAll { $0.id == id } }
  }

  /// Returns the circle that `wait` forms with some of `waits`; empty if there is none.
  private static func circle(from wait: Wait, _ waits: [Wait]) -> [Wait] {
    var circle = [wait]
    // Each lock has at most one holder, so there is only one path to follow.
    while circle.count <= waits.count + 1, let last = circle.last {
      if wait.held.contains(last.wanted) { return circle }
      guard let next = waits.first(where: { $0.held.contains(last.wanted) }) else { return [] }
      circle.append(next)
    }
    return []
  }
}
