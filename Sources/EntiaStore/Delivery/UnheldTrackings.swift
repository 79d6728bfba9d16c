/// The observation of a value for tracked reads, which ends when neither a holder nor a read is left.
protocol UnheldTracking: AnyObject, Sendable {
  /// Whether the value is observed for reads that wait alone.
  var isUnheld: Bool { get }

  /// Ends the observation when there is neither a holder nor a read that waits.
  func stopIfUnused()
}

/// The values that are observed for tracked reads alone, after what they were read from has been
/// released.
///
/// Most are dropped when they have changed. A tracking can also end because of another value that
/// was read in it: those values are looked for when their number has doubled.
final class UnheldTrackings: Sendable {
  private struct Entry {
    weak var tracking: (any UnheldTracking)?
  }

  private struct Contents {
    var entries: [Entry] = []
    var limit = 16
  }

  private let contents = Protected(Contents())

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
