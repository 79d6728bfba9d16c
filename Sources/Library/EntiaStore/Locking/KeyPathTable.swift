/// A cache of values for the most recently used key paths of a store's state.
final class KeyPathTable<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let path: any AnyKeyPath & Sendable
    let value: Value
    let number: Int
  }

  private struct Contents {
    /// The entries, the most recently used one last.
    var entries: [Entry] = []
    var added = 0
  }

  static var limit: Int { 16 }

  private let contents = Mutex(Contents())

  var count: Int { contents.withLock { $0.entries.count } }

  /// Returns the cached value of a key path, or creates it. Equal key paths share a value.
  func value(at path: any AnyKeyPath & Sendable, make: () -> Value) -> Value {
    contents.findOrAdd(
      read: { ($0.entries, revision: $0.added) },
      find: { entries in
        guard let index = entries.lastIndex(where: { $0.path == path }) else { return nil }
        if index != entries.count - 1 { use(entries[index].number) }
        return entries[index]
      },
      make: { Entry(path: path, value: make(), number: $1) },
      add: { contents, entry in
        contents.added += 1
        if contents.entries.count == Self.limit { contents.entries.removeFirst() }
        contents.entries.append(entry)
      }
    ).value
  }

  private func use(_ number: Int) {
    contents.withLock { contents in
      guard let index = contents.entries.firstIndex(where: { $0.number == number }) else { return }
      contents.entries.append(contents.entries.remove(at: index))
    }
  }
}
