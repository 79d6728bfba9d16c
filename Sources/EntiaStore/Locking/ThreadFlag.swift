/// A thread-local flag, for calls that cannot return a result.
struct ThreadFlag: Sendable {
  private let place = ThreadPointer()

  /// Sets the flag on this thread.
  func set() { place.value = UnsafeRawPointer(bitPattern: 1) }

  /// Returns whether a call sets the flag on this thread.
  func isSet(during call: () -> Void) -> Bool {
    // The call may nest another call of this function.
    let outer = place.value
    defer { place.value = outer }
    place.value = nil
    call()
    return place.value != nil
  }
}
