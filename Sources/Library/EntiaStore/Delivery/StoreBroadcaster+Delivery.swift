extension StoreBroadcaster {
  /// The number of events of other threads that a committing thread delivers before a queue
  /// continues. It bounds the time that a commit spends on the commits of others.
  static var shareOfCommit: Int { 4 }
  /// The number of events that are delivered on a queue before it returns to its other work.
  static var shareOfQueue: Int { 64 }

  /// Delivers the posted events: directly if this is the observers' target, otherwise by
  /// scheduling.
  @usableFromInline
  func deliver() { deliver(except: []) }

  private func deliver(except targets: [DeliveryTarget]) {
    // Determining the current context would be a considerable part of the cost of a commit without
    // observers.
    if contents.withLock({ !$0.delivery.isUnattended }) { return }
    let thread = ThreadIdentity.current
    let onMain = MainQueue.isCurrent
    var handedOver = targets
    while true {
      let (here, elsewhere) = contents.withLock {
        $0.delivery.claim(by: thread, onMain: onMain, except: handedOver)
      }
      for target in elsewhere { schedule(target) }
      guard let here else { return }
      if !drain(here, by: thread, share: Self.shareOfCommit) { handedOver.append(here) }
    }
  }

  private func schedule(_ target: DeliveryTarget) {
    target.schedule { [weak self] in
      guard let self else { return }
      let thread = ThreadIdentity.current
      var handedOver: [DeliveryTarget] = []
      let begins = contents.withLock { $0.delivery.beginScheduled(target, by: thread) }
      if begins, !drain(target, by: thread, share: Self.shareOfQueue) { handedOver = [target] }
      // Observers may have committed, and left events for this target to this thread.
      deliver(except: handedOver)
    }
  }

  /// Delivers the events of a target that this thread has claimed.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - thread: This thread.
  ///   - share: The maximum number of delivered events of other threads.
  /// - Returns: Whether no events are left; otherwise the rest is scheduled.
  private func drain(_ target: DeliveryTarget, by thread: ThreadIdentity, share: Int) -> Bool {
    var share = share
    while true {
      switch contents.withLock({ $0.delivery.nextStep(on: target, by: thread, share: &share) }) {
      case .deliver(var delivery):
        if !delivery.detectors.isEmpty { delivery.posted.event = delivery.posted.event.withRows }
        for observer in observers(of: delivery, on: target) {
          register(observer.id, under: observer.deliver(delivery.posted), on: target)
        }
      case .stop: return true
      case .handOver(let isNew):
        if isNew { schedule(target) }
        return false
      }
    }
  }

  /// Delivers the first event to an observer directly.
  ///
  /// - Parameter first: The first event, or `nil` to continue with events posted meanwhile.
  func start(_ observer: StoreObserver, with first: StoreEvent?, on target: DeliveryTarget) {
    let (reads, isFinished) = observer.start(with: first, share: Self.shareOfCommit)
    if isFinished { return register(observer.id, under: reads, on: target) }
    target.schedule { [weak self] in self?.start(observer, with: nil, on: target) }
  }

  /// Registers an observer of rows for the rows that it has just read, before the next event is
  /// delivered, so that it misses none.
  private func register(_ id: UInt64, under reads: RowReads?, on target: DeliveryTarget) {
    guard let reads else { return }
    let replaced = contents.withLock { $0.delivery.register(id, under: reads, on: target) }
    withExtendedLifetime(replaced) {}
  }

  /// Returns the observers that an event affects, in the order in which they were added.
  private func observers(
    of delivery: DeliveryState.Delivery, on target: DeliveryTarget
  ) -> [StoreObserver] {
    guard !delivery.detectors.isEmpty, case .state(_, _, let rows?) = delivery.posted.event else {
      return delivery.observers
    }
    let keys = delivery.isKeyed ? delivery.detectors.flatMap { rows.changedKeys(of: $0).all } : []
    let rowObservers = contents.withLock {
      $0.delivery.rowObservers(
        of: keys, on: target, acceptedBy: rows, registrationCount: delivery.posted.registrationCount
      )
    }
    var affected = rowObservers.found
    for (observer, filter) in rowObservers.filtered where rows.mayConcern(filter) {
      affected.append(observer)
    }
    if affected.isEmpty { return delivery.observers }
    return (delivery.observers + affected).sorted { $0.id < $1.id }
  }
}
