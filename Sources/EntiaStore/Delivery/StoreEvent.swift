/// An event of which observers are notified.
enum StoreEvent: Sendable {
  /// The current and the previous state; an observer's first delivery has no previous state.
  /// Without `rows`, the changed rows have not been computed.
  case state(AnyStateVersion, previous: AnyStateVersion?, rows: RowChanges?)
  case activity(AnySentActivity)
  /// An event for no observer, delivered after everything posted before it.
  case milestone(Milestone)

  /// Returns one change of the state that combines this event and the next one.
  ///
  /// The caller must retain both until it has released its lock, because the state in between is
  /// dropped.
  func coalesced(with next: StoreEvent) -> StoreEvent {
    guard case .state(_, let previous, _) = self, case .state(let current, _, _) = next else {
      return next
    }
    return .state(current, previous: previous, rows: nil)
  }

  /// The event with the rows that it changed, which are compared when they are needed.
  var withRows: StoreEvent {
    guard case .state(let current, let previous?, nil) = self else { return self }
    let rows = RowChanges(from: previous, to: current, for: RowChanges.Audience())
    return .state(current, previous: previous, rows: rows)
  }
}

/// Calls a closure when everything posted before it has been delivered on all targets, which is
/// when the last channel releases it.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}

/// An undelivered event with its sequence number.
struct PostedEvent: Sendable {
  var event: StoreEvent
  let sequence: UInt64
  /// The only observer that it is for, or `nil` if it is for all observers at the time of posting.
  let addressee: UInt64?
  /// The thread that posted it, or `nil` if several threads did.
  var poster: ThreadIdentity?
  /// The number of registrations of rows in the channel when the commit had called all filters; `nil`
  /// if they have to be called at the delivery.
  var filing: UInt64?
}

/// The kind of events that an observer receives.
enum ObservedRegion: Sendable {
  case states
  case activities
  case rows(RowObserverIndex.ObservedRows)
}
