/// The rows that one commit changed, compared once for all observers, and only in observed
/// databases.
final class RowChanges: Sendable {
  /// The observers for which changes are compared.
  struct Audience {
    /// The observed databases.
    var feeds: [RowFeed] = []
    /// Whether observers are looked up by the keys of changed rows.
    var isKeyed = false
    /// The filters of the other observers, by delivery target.
    var filters: [RowChangeFilters] = []
    /// The revision of the board.
    var revision: UInt64 = 0
  }

  /// The IDs of the observers whose filters accept the changes.
  let filtered: [UInt64]
  /// The revision of the board when the filters were read.
  let revision: UInt64
  private let old: AnySnapshot
  private let new: AnySnapshot
  private let known: [Known]

  private struct Known: Sendable {
    let feed: RowFeed
    let changes: RowFeed.Changes
  }

  /// Creates the changes by comparing the rows of the databases, if observers are looked up by keys,
  /// and by calling the filters of the other observers.
  init(from old: AnySnapshot, to new: AnySnapshot, for audience: Audience) {
    self.old = old
    self.new = new
    revision = audience.revision
    known =
      audience.isKeyed
      ? audience.feeds.map { Known(feed: $0, changes: $0.changes(from: old, to: new)) } : []
    var filtered: [UInt64] = []
    for filters in audience.filters {
      for (id, filter) in filters where filter.mayConcern(old, new) { filtered.append(id) }
    }
    self.filtered = filtered
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

  /// Returns whether a filter accepts the changes.
  func mayConcern(_ filter: RowChangeFilter) -> Bool { filter.mayConcern(old, new) }
}
