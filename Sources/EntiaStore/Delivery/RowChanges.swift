/// Which rows one commit changed, compared once for all observers and only where there are any.
final class RowChanges: Sendable {
  private let old: AnySnapshot
  private let new: AnySnapshot
  private let known: [(feed: RowFeed, changes: RowFeed.Changes)]

  /// Compares the rows of some databases.
  init(from old: AnySnapshot, to new: AnySnapshot, of feeds: [RowFeed]) {
    self.old = old
    self.new = new
    known = feeds.map { ($0, $0.changes(from: old, to: new)) }
  }

  /// Returns what changed in one database.
  func changes(of feed: RowFeed) -> RowFeed.Changes {
    // Whoever has come to observe another one since has it compared for himself.
    knownChanges(of: feed) ?? feed.changes(from: old, to: new)
  }

  /// Returns what changed in one database if it has been compared: no user's code is run.
  func knownChanges(of feed: RowFeed) -> RowFeed.Changes? {
    known.first { $0.feed === feed }?.changes
  }
}
