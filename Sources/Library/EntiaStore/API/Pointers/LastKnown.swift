/// The last known value, for reading after its removal.
final class LastKnown<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value?) {
    self.value = Mutex(value)
  }

  /// Stores a value, if there is one, and returns the last known value, if any.
  func record(_ current: Value?) -> Value? {
    guard let current else { return value.withLock { $0 } }
    let replaced = value.withLock { value in
      let replaced = value
      value = current
      return replaced
    }
    withExtendedLifetime(replaced) {}
    return current
  }
}
