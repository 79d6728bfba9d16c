extension StoreCore {
  /// Registers with Observation a read of the state as a whole.
  @usableFromInline
  func registerStateRead() { observation.registerStateRead() }

  /// Whether Observation tracks the current reads of this thread.
  @usableFromInline var isReadTracked: Bool { observation.isTracked }

  /// Registers a tracked read of a part of the state, which follows.
  @usableFromInline
  func willTrack<Part>(_ path: any KeyPath<State, Part> & Sendable) { observation.willTrack(path) }

  /// Notifies Observation of a change; must be called without a lock and after the commit lock is
  /// released.
  @usableFromInline
  func notifyObservation(from before: StateVersion<State>, to after: StateVersion<State>) {
    observation.changed(from: before, to: after)
  }

  var observedRegion: ObservedRegion { .states }

  var isState: Bool { true }

  func value(at version: SourceVersion) -> StateVersion<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (StateVersion<State>, _ previous: StateVersion<State>?) -> Void
  ) -> StoreSubscription {
    let equality = equality
    return broadcaster.observeStates(on: target, dropsFirst: dropsFirst) { event in
      guard case .state(let now, let before, _) = event else { return }
      let (current, previous) = (now.of(State.self), before?.of(State.self))
      // Several coalesced commits may have led back to an equal state.
      if let previous, current.version > previous.version + 1,
        equality.areSurelyEqual(previous.value, current.value)
      {
        return
      }
      receive(current, previous)
    }
  }
}
