/// What observers are notified of.
enum StoreEvent: Sendable {
  /// The state is now this; what it was before is missing in an observer's first delivery. Without
  /// `rows`, the rows that differ have not been compared.
  case state(AnySnapshot, previous: AnySnapshot?, rows: RowChanges?)
  case activity(AnySentActivity)
  /// Concerns no observer, but is behind everything posted before it.
  case milestone(Milestone)

  /// Returns one change of the state in place of this one and the one that follows it.
  ///
  /// The caller keeps both until it has released its lock: what is in between is dropped.
  func coalesced(with next: StoreEvent) -> StoreEvent {
    guard case .state(_, let previous, _) = self, case .state(let current, _, _) = next else {
      return next
    }
    return .state(current, previous: previous, rows: nil)
  }

  /// The same event with the rows of some databases compared; called without a lock.
  func comparingRows(of feeds: [RowFeed]) -> StoreEvent {
    guard case .state(let current, let previous?, let rows) = self, !feeds.isEmpty else {
      return self
    }
    if let rows, feeds.allSatisfy({ rows.knownChanges(of: $0) != nil }) { return self }
    return .state(
      current, previous: previous, rows: RowChanges(from: previous, to: current, of: feeds))
  }
}

/// Calls a closure when everything before it has been delivered everywhere: when the last channel
/// releases it.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}

/// An event that has not been delivered, with its place in the store's history.
struct PostedEvent: Sendable {
  var event: StoreEvent
  let sequence: UInt64
  /// The only observer it is for, or `nil` when it is for all who were there when it was posted.
  let addressee: UInt64?
  /// The thread that posted it; `nil` when several threads did.
  var poster: ThreadIdentity?
}

/// Which events concern an observer.
enum StoreInterest: Sendable {
  case states
  case activities
  case rows(RowAudience.Interest)
}
