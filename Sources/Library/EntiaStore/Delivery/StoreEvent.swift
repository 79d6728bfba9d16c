enum StoreEvent: Sendable {
  /// The current and the previous state. The event with an observer's initial state has no previous
  /// state. Without `rows`, the changed rows have not been computed.
  case state(AnyStateVersion, previous: AnyStateVersion?, rows: RowChanges?)
  case activity(AnyErasedValue)
  /// A marker for which no observer is called. A queue removes the marker after it has delivered
  /// all events posted before the marker.
  case milestone(Milestone)

  /// Returns one change of the state that combines this event and the next one.
  ///
  /// The result does not retain the state after this event. The caller must therefore retain both
  /// events until it has released its lock.
  func coalesced(with next: StoreEvent) -> StoreEvent {
    guard case .state(_, let previous, _) = self, case .state(let current, _, _) = next else {
      return next
    }
    return .state(current, previous: previous, rows: nil)
  }

  /// Returns the event with the rows that a commit has compared.
  func with(_ rows: RowChanges?) -> StoreEvent {
    guard case .state(let current, let previous, _) = self else { return self }
    return .state(current, previous: previous, rows: rows)
  }

  /// The event with its changed rows, which are computed lazily.
  var withRows: StoreEvent {
    guard case .state(let current, let previous?, nil) = self else { return self }
    let routing = RowRouting(from: previous, to: current, for: RowRouting.Request())
    return .state(current, previous: previous, rows: RowChanges(routing))
  }
}

/// Calls a closure when all targets have delivered the events that were posted before the
/// milestone. Each queue retains the milestone until it has delivered these events. If the first
/// delivery to an observer is then still in progress, the observer also retains the milestone,
/// until it has received the events that it has queued. The last release calls the closure.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}

struct PostedEvent: Sendable {
  var event: StoreEvent
  let sequence: UInt64
  /// The ID of the only observer that receives the event, or `nil` for all observers at the time of
  /// posting.
  let addressee: UInt64?
  /// The thread that posted the event, or `nil` if several threads did.
  var poster: ThreadIdentity?
  /// The number of registrations in the queue when the event was posted; `nil` if the commit did
  /// not call all filters of the queue, so that the delivery has to call them.
  var registrationCount: UInt64?

  /// Returns whether a thread posted the event. If several threads posted it, the result is `true`
  /// for every thread.
  func isPosted(by thread: ThreadIdentity) -> Bool { poster == nil || poster == thread }
}
