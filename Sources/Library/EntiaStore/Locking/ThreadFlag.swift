/// A thread-local flag, for calls that cannot return a result.
struct ThreadFlag: Sendable {
  /// The number of times that the flag was set. A count rather than a bit, so that a call that does
  /// not set the flag writes nothing.
  private let count = ThreadPointer()

  /// Sets the flag on this thread.
  func set() {
    count.value = UnsafeRawPointer(bitPattern: UInt(bitPattern: count.value) &+ 1)
  }

  /// Returns whether a call sets the flag on this thread.
  func isSet(during call: () -> Void) -> Bool {
    let outer = count.value
    call()
    if count.value == outer { return false }
    // The call may be nested in another call of this function.
    count.value = outer
    return true
  }
}
