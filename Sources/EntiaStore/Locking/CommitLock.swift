/// The lock that serializes commits: it is held while a commit's closure runs.
///
/// Only commits wait for it, blocked; readers and observers never do. Each thread records the locks
/// that it holds, so that a nested commit is detected instead of deadlocking.
///
/// Sendable despite a `var`: only the thread that holds the commit lock accesses it.
@usableFromInline
package final class CommitLock: @unchecked Sendable {
  /// The commit lock that a thread acquired last, of those that it still holds.
  private static let last = ThreadPointer()

  private let exclusion = Lock()
  private let last = CommitLock.last
  /// The commit lock that the thread already held when it acquired this one: a commit to another
  /// store.
  private var outer: UnsafeRawPointer?

  package init() {}

  deinit {
    exclusion.destroy()
  }

  @usableFromInline package var isHeldByThisThread: Bool {
    let this = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    var next = last.value
    while let held = next {
      if held == this { return true }
      // The holder of a lock keeps it alive until the lock is released.
      next = Unmanaged<CommitLock>.fromOpaque(held).takeUnretainedValue().outer
    }
    return false
  }

  @usableFromInline
  package func lock() {
    exclusion.lock()
    outer = last.value
    last.value = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  @usableFromInline
  package func unlock() {
    last.value = outer
    outer = nil
    exclusion.unlock()
  }
}
