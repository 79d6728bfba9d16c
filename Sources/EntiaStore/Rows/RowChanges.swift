/// Which rows one commit changed, compared once for all observers and only where there are any.
final class RowChanges: Sendable {
  private let old: AnySnapshot
  private let new: AnySnapshot
  private let known = Protected<[ObjectIdentifier: RowFeed.Changes]>([:])

  init(from old: AnySnapshot, to new: AnySnapshot) {
    self.old = old
    self.new = new
  }

  /// Returns what changed in one database.
  func changes(of feed: RowFeed) -> RowFeed.Changes {
    let id = ObjectIdentifier(feed)
    if let changes = known.withLock({ $0[id] }) { return changes }
    let changes = feed.changes(from: old, to: new)
    let outgrown = known.withLock { $0.updateValue(changes, forKey: id) }
    withExtendedLifetime(outgrown) {}
    return changes
  }
}
