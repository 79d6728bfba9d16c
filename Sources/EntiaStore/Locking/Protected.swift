/// A value that several threads share, reachable only under its lock.
///
/// The closure given to `withLock` must be short and must not run a user's code. What a change
/// throws away is handed out of the closure as its result, so that a user's `deinit` runs after
/// the lock has been given back.
///
/// Sendable although its value is a `var`: every access goes through `withLock`.
final class Protected<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  deinit {
    lock.destroy()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
