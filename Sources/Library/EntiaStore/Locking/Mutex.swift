/// A value shared by several threads, accessible only under its lock.
///
/// The closure of `withLock` must be short and must not run user code. Values that it discards are
/// returned as its result, so that a user's `deinit` runs after the lock is released.
///
/// Sendable despite a mutable target: every access is inside `withLock`. The value is behind a
/// pointer because a property would be checked for exclusive access, which the lock already
/// guarantees, at a tenth of the cost of a commit.
package final class Mutex<Value>: @unchecked Sendable {
  @usableFromInline let lock = Lock()
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    lock.destroy()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    LockDepth.enter()
    defer {
      LockDepth.leave()
      lock.unlock()
    }
    return try body(&value.pointee)
  }

  /// Acquires the lock and returns the value, for a caller that cannot pass a closure. It must call
  /// `unlockValue()` as soon as possible, and must not run user code before.
  func lockValue() -> UnsafeMutablePointer<Value> {
    lock.lock()
    LockDepth.enter()
    return value
  }

  /// Releases the lock after `lockValue()`.
  func unlockValue() {
    LockDepth.leave()
    lock.unlock()
  }
}
