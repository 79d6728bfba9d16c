extension StoreCore {
  /// Notes for Observation that the state as a whole is about to be read.
  @usableFromInline
  func willReadState() { observation.willReadState() }

  /// Tells Observation of a change; called without a lock and after the turn.
  @usableFromInline
  func tellObservation(_ before: AnySnapshot, _ after: AnySnapshot) {
    observation.changed(from: before.of(State.self), to: after.of(State.self))
  }

  var interest: StoreInterest { .states }

  func value(at version: SourceVersion) -> Snapshot<State> { version.current.of(State.self) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<State>, _ previous: Snapshot<State>?) -> Void
  ) -> StoreSubscription {
    hub.observeStates(on: target, dropsFirst: dropsFirst) { event in
      if case .state(let current, let previous, _) = event {
        receive(current.of(State.self), previous?.of(State.self))
      }
    }
  }

  func observeActivities(
    on target: DeliveryTarget, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    hub.observeActivities(on: target) { event in
      if case .activity(let sent) = event { receive(sent.of(Activity.self)) }
    }
  }
}
