extension StoreHub {
  /// Tells observers what has been posted: right here where that is their place, and by waking
  /// the other places.
  @usableFromInline
  func deliver() {
    // Asking what runs just now would be a good part of the cost of a commit nobody observes.
    if contents.withLock({ $0.board.isSilent }) { return }
    let thread = ThreadIdentity.current
    let onMain = MainQueue.isCurrent
    while true {
      let (here, elsewhere) = contents.withLock { $0.board.claim(by: thread, onMain: onMain) }
      for target in elsewhere { wake(target) }
      guard let here else { return }
      drain(here)
    }
  }

  private func wake(_ target: DeliveryTarget) {
    target.schedule { [weak self] in
      guard let self else { return }
      if contents.withLock({ $0.board.beginScheduled(target, by: .current) }) {
        drain(target)
      }
      // Observers may have committed, and left what belongs here to this thread.
      deliver()
    }
  }

  private func drain(_ target: DeliveryTarget) {
    while let delivery = contents.withLock({ $0.board.nextDelivery(on: target) }) {
      for observer in observers(of: delivery, on: target) {
        file(observer.id, under: observer.deliver(delivery.posted), on: target)
      }
    }
  }

  /// Files an observer of rows under what it has just read; before the next event is looked at, so
  /// that none is missed.
  func file(_ id: UInt64, under reads: RowReads?, on target: DeliveryTarget) {
    guard let reads else { return }
    let outgrown = contents.withLock { $0.board.file(id, under: reads, on: target) }
    withExtendedLifetime(outgrown) {}
  }

  /// Everybody an event concerns, in the order in which they came.
  private func observers(
    of delivery: DeliveryBoard.Delivery, on target: DeliveryTarget
  ) -> [StoreObserver] {
    guard !delivery.feeds.isEmpty, case .state(_, _, let rows?) = delivery.posted.event else {
      return delivery.observers
    }
    let keys = delivery.feeds.flatMap { rows.changes(of: $0).keys }
    if keys.isEmpty { return delivery.observers }
    let concerned = contents.withLock { $0.board.rowObservers(of: keys, on: target) }
    if concerned.isEmpty { return delivery.observers }
    return (delivery.observers + concerned).sorted { $0.id < $1.id }
  }
}
