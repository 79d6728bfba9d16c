/// The values that are observed only for tracked reads, after all objects that read them have been
/// released.
///
/// Most are removed when their value changes. A tracking can also end because another value read in
/// it changes; such entries are removed when the number of entries has doubled.
final class UnheldTrackings: Sendable {
  private struct Entry {
    weak var tracking: (any UnheldTracking)?
  }

  private struct Contents {
    var entries: [Entry] = []
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// Adds a value without a holder.
  func add(_ tracking: any UnheldTracking) {
    let full = contents.withLock { contents -> [Entry] in
      contents.entries.append(Entry(tracking: tracking))
      guard contents.entries.count > contents.limit else { return [] }
      defer { contents.entries = [] }
      return contents.entries
    }
    if full.isEmpty { return }
    for entry in full { entry.tracking?.stopIfUnused() }
    let rest = full.filter { $0.tracking?.isUnheld == true }
    contents.withLock { contents in
      contents.entries += rest
      contents.limit = max(16, 2 * contents.entries.count)
    }
  }
}
