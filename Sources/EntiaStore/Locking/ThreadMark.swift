/// A mark that a thread leaves for itself, for callers that cannot be given a result.
struct ThreadMark: Sendable {
  private let place = ThreadPointer()

  /// Leaves the mark on this thread.
  func set() { place.value = UnsafeRawPointer(bitPattern: 1) }

  /// Whether the mark was left on this thread during a call.
  func isSet(during call: () -> Void) -> Bool {
    // The call may lead to another call of this kind.
    let outer = place.value
    defer { place.value = outer }
    place.value = nil
    call()
    return place.value != nil
  }
}
