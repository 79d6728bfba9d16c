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

  /// The event with its changed rows, which are computed lazily.
  var withRows: StoreEvent {
    guard case .state(let current, let previous?, nil) = self else { return self }
    let routing = RowRouting(from: previous, to: current, for: RowRouting.Request())
    return .state(current, previous: previous, rows: RowChanges(routing))
  }
}
