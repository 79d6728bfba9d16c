extension StoreCore {
  /// Tells observers what has been posted: right here where that is their place, and by waking
  /// the other places.
  func deliver() {
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
    while let (posted, observers) = contents.withLock({ $0.board.nextDelivery(on: target) }) {
      for observer in observers { observer.deliver(posted) }
    }
  }
}
