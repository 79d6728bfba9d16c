extension StoreCore {
  func send(_ activity: Activity) {
    let sent = SentActivity(activity)
    let isInside = commitLock.isHeldByThisThread
    if isInside, openCommit.isRunning { return openCommit.postpone(sent) }
    broadcaster.publish(sent)
    // If this thread holds the commit lock, the activity is delivered when the lock is released.
    if isInside { commitState.mustDeliver = true } else { broadcaster.deliver() }
  }

  func observeActivities(
    on target: DeliveryTarget, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    broadcaster.observeActivities(on: target) { event in
      if case .activity(let sent) = event { receive(sent.of(Activity.self)) }
    }
  }
}
