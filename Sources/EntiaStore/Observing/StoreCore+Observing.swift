extension StoreCore: SubscriptionOwner {
  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<State>, _ previous: Snapshot<State>?) -> Void
  ) -> StoreSubscription {
    let isHere = target.isHere(onMain: MainQueue.isCurrent)
    let startsHere = isHere && !dropsFirst
    // One step under the lock: the observer gets this state, and every later one.
    let (observer, first) = contents.withLock { contents in
      let observer = contents.board.add(
        on: target, interest: .states, isStarting: startsHere
      ) { event in
        if case .state(let current, let previous) = event { receive(current, previous) }
      }
      let first = StoreEvent<State, Activity>.state(contents.current, previous: nil)
      if !dropsFirst, !isHere { contents.board.post(first, to: observer.id, on: target) }
      return (observer, first)
    }
    if startsHere { observer.start(with: first) } else { deliver() }
    return StoreSubscription(id: observer.id, owner: self)
  }

  func observeActivities(
    on target: DeliveryTarget, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    let observer = contents.withLock { contents in
      contents.board.add(on: target, interest: .activities, isStarting: false) { event in
        if case .activity(let activity) = event { receive(activity) }
      }
    }
    return StoreSubscription(id: observer.id, owner: self)
  }

  func end(_ id: UInt64) {
    let (removed, kept) = contents.withLock { contents in
      (contents.board.remove(id), contents.kept.removeValue(forKey: id))
    }
    removed?.observer.end()
    withExtendedLifetime((removed, kept)) {}
  }

  func keep(_ subscription: StoreSubscription, _ id: UInt64) {
    contents.withLock { contents in
      if !contents.isEnded, contents.board.contains(id) { contents.kept[id] = subscription }
    }
  }
}
