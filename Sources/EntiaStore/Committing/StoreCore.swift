/// What a store is made of: its state, the turn its commits take, and its observers.
///
/// Apart from `Store` so that lifetimes stay clear: derived values and subscriptions may hold the
/// core, and the core may hold them; the store's own end then takes that circle apart.
final class StoreCore<State: Sendable, Activity: Sendable>: StateSource {
  struct Contents {
    var current: Snapshot<State>
    var board = DeliveryBoard<State, Activity>()
    /// Subscriptions that live as long as the store.
    var kept: [UInt64: StoreSubscription] = [:]
    var isEnded = false
  }

  let turn = CommitTurn()
  let levels: CommitLevels<State, Activity>
  let contents: Protected<Contents>

  init(initialState: State) {
    levels = CommitLevels(equality: Equality())
    contents = Protected(
      Contents(current: Snapshot(initialState, version: 0, commitName: nil)))
  }

  var current: Snapshot<State> {
    contents.withLock { $0.current }
  }

  /// Ends every subscription, because the store is gone.
  func end() {
    let (channels, kept) = contents.withLock { contents in
      let kept = contents.kept
      contents.kept = [:]
      contents.isEnded = true
      return (contents.board.removeAll(), kept)
    }
    for channel in channels {
      for observer in channel.stateObservers + channel.activityObservers { observer.end() }
    }
    withExtendedLifetime((channels, kept)) {}
  }
}
