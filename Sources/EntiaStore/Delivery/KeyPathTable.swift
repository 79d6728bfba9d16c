/// Values that a store keeps for parts of its state, one for each of the key paths that were used
/// last.
final class KeyPathTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let path: any AnyKeyPath & Sendable
    let value: Value
    let number: Int
  }

  private struct Contents {
    /// The last used one last.
    var entries: [Entry] = []
    var added = 0
  }

  /// The maximum number of values.
  static var limit: Int { 16 }

  private let contents = Mutex(Contents())

  /// The number of values.
  var count: Int { contents.withLock { $0.entries.count } }

  /// Returns the value of a key path, the same for equal paths as long as it is kept.
  func value(at path: any AnyKeyPath & Sendable, make: () -> Value) -> Value {
    while true {
      let (known, added) = contents.withLock { ($0.entries, $0.added) }
      // Comparing key paths may run user code, so it happens without the lock.
      if let index = known.lastIndex(where: { $0.path == path }) {
        if index != known.count - 1 { use(known[index].number) }
        return known[index].value
      }
      let entry = Entry(path: path, value: make(), number: added)
      let (isAdded, dropped) = contents.withLock { contents -> (Bool, Entry?) in
        guard contents.added == added else { return (false, nil) }
        contents.added += 1
        let dropped =
          contents.entries.count < Self.limit ? nil : contents.entries.removeFirst()
        contents.entries.append(entry)
        return (true, dropped)
      }
      // Key paths, values and their contents are released here, without the lock.
      withExtendedLifetime((known, dropped)) {}
      if isAdded { return entry.value }
    }
  }

  /// Moves a value to the end, where the last used one stands.
  private func use(_ number: Int) {
    contents.withLock { contents in
      guard let index = contents.entries.firstIndex(where: { $0.number == number }) else { return }
      contents.entries.append(contents.entries.remove(at: index))
    }
  }
}
