/// The differences of databases between two versions of the state, each compared when it is first
/// needed, once for all observers.
final class RowComparison: Sendable {
  struct Known: Sendable {
    let feed: RowFeed
    let changes: RowFeed.Changes
  }

  let old: AnySnapshot
  let new: AnySnapshot
  /// `nil` if every database is compared in advance, which needs no lock.
  private let known: Protected<[Known]>?

  init(from old: AnySnapshot, to new: AnySnapshot, isShared: Bool) {
    self.old = old
    self.new = new
    known = isShared ? Protected([]) : nil
  }

  /// Returns the changes of one database. Must be called without a lock.
  func changes(of feed: RowFeed) -> RowFeed.Changes {
    guard let known else { return feed.changes(from: old, to: new) }
    if let found = known.withLock({ Self.find(feed, in: $0) }) { return found }
    let changes = feed.changes(from: old, to: new)
    return known.withLock { known in
      if let found = Self.find(feed, in: known) { return found }
      known.append(Known(feed: feed, changes: changes))
      return changes
    }
  }

  static func find(_ feed: RowFeed, in known: [Known]) -> RowFeed.Changes? {
    known.first { $0.feed === feed }?.changes
  }
}
