/// The rows that one commit changed, compared once for all observers, and only in observed
/// databases.
final class RowChanges: Sendable {
  private let old: AnySnapshot
  private let new: AnySnapshot
  private let known: [(feed: RowFeed, changes: RowFeed.Changes)]

  /// Creates the changes by comparing the rows of some databases.
  init(from old: AnySnapshot, to new: AnySnapshot, of feeds: [RowFeed]) {
    self.old = old
    self.new = new
    known = feeds.map { ($0, $0.changes(from: old, to: new)) }
  }

  /// Returns the changes of one database.
  func changes(of feed: RowFeed) -> RowFeed.Changes {
    // An observer added after the commit may observe a database that was not compared.
    knownChanges(of: feed) ?? feed.changes(from: old, to: new)
  }

  /// Returns the changes of one database if they have been computed. Runs no user code.
  func knownChanges(of feed: RowFeed) -> RowFeed.Changes? {
    known.first { $0.feed === feed }?.changes
  }
}
