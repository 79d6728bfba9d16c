/// The part of a store that does not depend on the type of its state: the current version, the
/// observers and the undelivered events.
@usableFromInline
final class StoreBroadcaster: Sendable {
  struct Contents {
    var current: AnyStateVersion
    var delivery = DeliveryState()
    /// Subscriptions that are retained as long as the store exists.
    var kept: [UInt64: StoreSubscription] = [:]
    var isEnded = false

    /// Replaces the current version, and posts the change and the sent activities.
    ///
    /// - Returns: Whether the caller has to deliver events, and the objects to release without the
    ///   lock.
    mutating func swap(
      in next: AnyStateVersion, after old: AnyStateVersion, _ routing: borrowing RowRouting,
      _ activities: [AnySentActivity]
    ) -> (mustDeliver: Bool, replaced: [StoreEvent]) {
      current = next
      if delivery.isEmpty { return (false, []) }
      let thread = ThreadIdentity.current
      let replaced = delivery.post(next, after: old, routing, by: thread)
      for activity in activities { delivery.post(.activity(activity), by: thread) }
      return (delivery.isUnattended, replaced)
    }
  }

  /// The result of the first access of a commit that has observers.
  private struct Observed {
    let request: RowRouting.Request
    let lastID: UInt64
    /// The result of `swap`, or `nil` if rows have to be compared before it.
    let swapped: (mustDeliver: Bool, replaced: [StoreEvent])?
  }

  let contents: Mutex<Contents>

  let problems: ProblemLog
  /// The derived values that are observed only for tracked reads.
  let unheldTrackings = UnheldTrackings()

  init(_ initial: AnyStateVersion, _ problems: ProblemLog) {
    self.problems = problems
    contents = Mutex(Contents(current: initial))
  }

  /// The version of the current state.
  var version: UInt64 { contents.withLock { $0.current.version } }

  /// Acquires the lock, and returns the current version, which is not retained. The caller must
  /// call `unlockCurrent()` after copying a part of it.
  @usableFromInline
  func lockCurrent() -> Unmanaged<AnyStateVersion> {
    .passUnretained(contents.lockValue().pointee.current)
  }

  /// Releases the lock after `lockCurrent()`.
  @usableFromInline
  func unlockCurrent() { contents.unlockValue() }

  @usableFromInline var current: AnyStateVersion {
    contents.withLock { $0.current }
  }

  /// Replaces the current version, and posts the change and the sent activities.
  ///
  /// The caller must hold the commit lock, and must retain the old version so that it is not
  /// released under the broadcaster's lock.
  ///
  /// - Returns: Whether there are events to deliver.
  @usableFromInline
  func publish(
    _ next: AnyStateVersion, after old: AnyStateVersion, _ activities: [AnySentActivity]
  ) -> Bool {
    // If no rows have to be compared, a single access under the lock is enough.
    let observed = contents.withLock { contents -> Observed? in
      if contents.delivery.isEmpty {
        contents.current = next
        return nil
      }
      let request = contents.delivery.comparisonRequest
      return Observed(
        request: request, lastID: contents.delivery.lastID,
        swapped: request.detectors.isEmpty
          ? contents.swap(in: next, after: old, RowRouting(), activities) : nil)
    }
    guard let observed else { return false }
    if let swapped = observed.swapped {
      return withExtendedLifetime(swapped) { swapped.mustDeliver }
    }
    // Rows are compared without this lock, while the caller holds the commit lock.
    let routing = RowRouting(from: old, to: next, for: observed.request)
    let last = contents.withLock { contents in
      // An observer that was added meanwhile may observe rows that were not compared.
      let isComplete = contents.delivery.lastID == observed.lastID
      return isComplete
        ? contents.swap(in: next, after: old, routing, activities)
        : contents.swap(in: next, after: old, RowRouting(), activities)
    }
    return withExtendedLifetime(last) { last.mustDeliver }
  }

  /// Replaces the current version by an equal one, which is no event.
  ///
  /// The caller must hold the commit lock, and must retain the old version.
  func replaceCurrent(by equal: AnyStateVersion) { contents.withLock { $0.current = equal } }

  /// Posts an activity.
  func publish(_ activity: AnySentActivity) {
    contents.withLock { $0.delivery.post(.activity(activity), by: .current) }
  }

  /// Waits until everything that has been posted so far has been delivered.
  func waitForDelivery() async {
    await withCheckedContinuation { continuation in
      let milestone = Milestone { continuation.resume() }
      // The milestone is released without the lock, even if no events are waiting.
      withExtendedLifetime(milestone) {
        contents.withLock { $0.delivery.post(.milestone(milestone), by: .current) }
      }
      deliver()
    }
  }

  /// Ends every subscription, because the store is being deinitialized.
  func end() {
    let (queues, kept) = contents.withLock { contents in
      let kept = contents.kept
      contents.kept = [:]
      contents.isEnded = true
      return (contents.delivery.removeAll(), kept)
    }
    for queue in queues {
      for observer in queue.allObservers { observer.end() }
    }
    withExtendedLifetime((queues, kept)) {}
  }
}
