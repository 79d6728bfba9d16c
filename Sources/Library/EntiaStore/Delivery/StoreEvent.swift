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

/// Calls a closure when everything that was posted before the milestone has been delivered on all
/// targets. At that time the last queue releases the milestone.
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
  /// The number of registrations of rows in the queue when the commit had called all filters; `nil`
  /// if they have to be called at the delivery.
  var registrationCount: UInt64?

  /// Returns whether a thread posted it, alone or with others.
  func isPosted(by thread: ThreadIdentity) -> Bool { poster == nil || poster == thread }
}

/// An undelivered activity, for the parts of a store that do not depend on its type.
///
/// Sendable although it has a subclass: the only subclass is `SentActivity`, which adds one
/// constant.
@usableFromInline
class AnySentActivity: @unchecked Sendable {
  fileprivate init() {}
}

/// An undelivered activity.
final class SentActivity<Activity: Sendable>: AnySentActivity, @unchecked Sendable {
  let activity: Activity

  init(_ activity: Activity) {
    self.activity = activity
    super.init()
  }
}

extension AnySentActivity {
  /// Returns the activity with its type. Only the store that it was sent to may call this, because
  /// optimized builds do not check the type.
  func of<Activity: Sendable>(_ type: Activity.Type) -> Activity {
    unsafeDowncast(self, to: SentActivity<Activity>.self).activity
  }
}
