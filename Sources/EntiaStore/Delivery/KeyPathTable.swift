/// Values that a store keeps for parts of its state, one for each key path.
final class KeyPathTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let path: any AnyKeyPath & Sendable
    let value: Value
  }

  private let entries = Protected<[Entry]>([])

  /// Returns the value of a key path, always the same for equal paths.
  func value(at path: any AnyKeyPath & Sendable, make: () -> Value) -> Value {
    while true {
      let known = entries.withLock { $0 }
      // Comparing key paths may run user code, so it happens without the lock.
      if let entry = known.first(where: { $0.path == path }) { return entry.value }
      let entry = Entry(path: path, value: make())
      let isAdded = entries.withLock { entries in
        guard entries.count == known.count else { return false }
        entries.append(entry)
        return true
      }
      if isAdded { return entry.value }
    }
  }
}
