/// What observers are told.
enum StoreEvent<State: Sendable, Activity: Sendable>: Sendable {
  /// The state is now this; `previous` is missing in an observer's first delivery.
  case state(Snapshot<State>, previous: Snapshot<State>?)
  case activity(Activity)
}

/// An event on its way, with its place in the store's history.
struct PostedEvent<State: Sendable, Activity: Sendable>: Sendable {
  let event: StoreEvent<State, Activity>
  let sequence: UInt64
  /// The only observer it is for, or `nil` when it is for all who were there when it was posted.
  let addressee: UInt64?
}
