/// The lock that serializes commits: it is held while a commit's closure runs.
///
/// Only commits block on this lock; readers and observers never wait for it. Each thread records
/// the commit locks that it holds, so that a nested commit is detected instead of deadlocking.
///
/// Sendable despite a `var`: only the thread that holds the commit lock accesses it.
@usableFromInline
package final class CommitLock: @unchecked Sendable {
  /// The commit lock that the thread acquired last and still holds.
  private static let last = ThreadPointer()

  private let exclusion = Lock()
  private let last = CommitLock.last
  /// The commit lock that the thread already held when it acquired this lock, because a commit to
  /// another store was running.
  private var outer: UnsafeRawPointer?

  package init() {}

  deinit {
    exclusion.destroy()
  }

  @usableFromInline package var isHeldByThisThread: Bool {
    let this = address
    var next = last.value
    while let held = next {
      if held == this { return true }
      // The holder of a lock keeps it alive until the lock is released.
      next = Unmanaged<CommitLock>.fromOpaque(held).takeUnretainedValue().outer
    }
    return false
  }

  /// The identity of the lock in the list of locks that a thread holds.
  var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// The commit locks that this thread holds, the most recently acquired lock first.
  static var heldByThisThread: [UnsafeRawPointer] {
    var result: [UnsafeRawPointer] = []
    var next = last.value
    while let held = next {
      result.append(held)
      next = Unmanaged<CommitLock>.fromOpaque(held).takeUnretainedValue().outer
    }
    return result
  }

  @usableFromInline
  package func lock() {
    // A thread that holds no other lock cannot be part of a deadlock, so its wait is not
    // registered.
    if last.value == nil {
      exclusion.lock()
    } else if !exclusion.tryLock() {
      let wait = LockWaits.begin(for: address, holding: Self.heldByThisThread)
      exclusion.lock()
      LockWaits.end(wait)
    }
    note()
  }

  /// Acquires the lock if it is free.
  /// - Returns: Whether the lock was acquired.
  func tryLock() -> Bool {
    guard exclusion.tryLock() else { return false }
    note()
    return true
  }

  private func note() {
    outer = last.value
    last.value = address
  }

  @usableFromInline
  package func unlock() {
    last.value = outer
    outer = nil
    exclusion.unlock()
  }
}
