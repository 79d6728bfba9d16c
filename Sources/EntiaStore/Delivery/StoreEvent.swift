/// What observers are told.
enum StoreEvent: Sendable {
  /// The state is now this; what it was before is missing in an observer's first delivery.
  case state(AnySnapshot, previous: AnySnapshot?, rows: RowChanges?)
  case activity(AnySentActivity)
  /// Concerns nobody, but is behind everything posted before it.
  case milestone(Milestone)
}

/// Says when everything before it has been delivered everywhere: when the last place lets go of it.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}

/// An event on its way, with its place in the store's history.
struct PostedEvent: Sendable {
  let event: StoreEvent
  let sequence: UInt64
  /// The only observer it is for, or `nil` when it is for all who were there when it was posted.
  let addressee: UInt64?
}

/// What an observer wants to be told.
enum StoreInterest: Sendable {
  case states
  case activities
  case rows(RowAudience.Interest)
}
