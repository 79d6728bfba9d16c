extension StoreBroadcaster: SubscriptionOwner {
  /// Adds an observer of states, which receives the current state, unless `dropsFirst`, and every
  /// later one that affects its region.
  func observeStates(
    on target: DeliveryTarget, observedRegion: ObservedRegion = .states,
    of subject: (any ObserverSubject)? = nil, dropsFirst: Bool,
    receive: @escaping @Sendable (StoreEvent) -> Void
  ) -> StoreSubscription {
    observeReads(
      on: target, observedRegion: observedRegion, of: subject, dropsFirst: dropsFirst
    ) { event in
      receive(event)
      return nil
    }
  }

  /// Adds an observer of states that returns the rows that it read, each time it is called.
  func observeReads(
    on target: DeliveryTarget, observedRegion: ObservedRegion, of subject: (any ObserverSubject)?,
    dropsFirst: Bool, receive: @escaping StoreObserver.Receive
  ) -> StoreSubscription {
    let isHere = target.isHere(onMain: MainQueue.isCurrent)
    let startsHere = isHere && !dropsFirst
    // Adding the observer and reading the current state are atomic under the lock.
    let (observer, first, isEnded) = contents.withLock { contents in
      let observer = contents.delivery.add(
        on: target, observedRegion: observedRegion, of: subject, isStarting: startsHere,
        receive: receive)
      let first = StoreEvent.state(contents.current, previous: nil, rows: nil)
      if !dropsFirst, !isHere {
        contents.delivery.post(first, to: observer.id, on: target, by: .current)
      }
      return (observer, first, contents.isEnded)
    }
    if startsHere {
      start(observer, with: first, on: target)
    } else {
      deliver()
    }
    if isEnded, startsHere || dropsFirst { end(observer.id) }
    return StoreSubscription(id: observer.id, owner: self)
  }

  /// Adds an observer of activities, which receives those sent from now on.
  func observeActivities(
    on target: DeliveryTarget, receive: @escaping @Sendable (StoreEvent) -> Void
  ) -> StoreSubscription {
    let (observer, isEnded) = contents.withLock { contents in
      let observer = contents.delivery.add(
        on: target, observedRegion: .activities, of: nil, isStarting: false
      ) { event in
        receive(event)
        return nil
      }
      return (observer, contents.isEnded)
    }
    if isEnded { end(observer.id) }
    return StoreSubscription(id: observer.id, owner: self)
  }

  func end(_ id: UInt64) {
    let (removed, kept) = contents.withLock { contents in
      (contents.delivery.remove(id), contents.kept.removeValue(forKey: id))
    }
    removed?.observer.end()
    withExtendedLifetime((removed, kept)) {}
  }

  func keep(_ subscription: StoreSubscription, _ id: UInt64) {
    contents.withLock { contents in
      if !contents.isEnded, contents.delivery.contains(id) { contents.kept[id] = subscription }
    }
  }
}
