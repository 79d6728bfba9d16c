/// The databases of a state whose rows have been requested, one feed for each key path.
final class RowFeeds: Sendable {
  private struct Entry: Sendable {
    let path: any AnyKeyPath & Sendable
    let feed: RowFeed
  }

  private let entries = Protected<[Entry]>([])

  /// Returns the feed of a key path: always the same for equal paths.
  func feed(at path: any AnyKeyPath & Sendable, make: () -> RowFeed) -> RowFeed {
    while true {
      let known = entries.withLock { $0 }
      // Comparing key paths may run user code, so it happens without the lock.
      if let entry = known.first(where: { $0.path == path }) { return entry.feed }
      let entry = Entry(path: path, feed: make())
      let isAdded = entries.withLock { entries in
        guard entries.count == known.count else { return false }
        entries.append(entry)
        return true
      }
      if isAdded { return entry.feed }
    }
  }
}
