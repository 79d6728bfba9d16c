extension StoreCore {
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
