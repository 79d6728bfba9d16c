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
      _ activities: [AnyErasedValue]
    ) -> (mustDeliver: Bool, replaced: [StoreEvent]) {
      current = next
      if delivery.isEmpty { return (false, []) }
      let thread = ThreadIdentity.current
      let replaced = delivery.post(next, after: old, routing, by: thread)
      for activity in activities { delivery.post(.activity(activity), by: thread) }
      return (delivery.isUnattended, replaced)
    }
  }

  /// The result of a commit's first access to the contents.
  private struct Observed {
    let request: RowRouting.Request
    let lastID: UInt64
    /// The result of `swap`; `nil` if rows have to be compared before `swap` is called.
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

  var version: UInt64 { contents.withLock { $0.current.version } }

  /// Acquires the lock, and returns the current version without retaining it. The caller must call
  /// `unlockCurrent()` after copying the value.
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
    _ next: AnyStateVersion, after old: AnyStateVersion, _ activities: [AnyErasedValue]
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
    // Rows are compared without the broadcaster's lock, while the caller holds the commit lock.
    let routing = RowRouting(from: old, to: next, for: observed.request)
    let last = contents.withLock { contents in
      // An observer that was added during the comparison may observe rows that were not compared.
      // The change is then posted without the comparison.
      let isComplete = contents.delivery.lastID == observed.lastID
      return isComplete
        ? contents.swap(in: next, after: old, routing, activities)
        : contents.swap(in: next, after: old, RowRouting(), activities)
    }
    return withExtendedLifetime(last) { last.mustDeliver }
  }

  /// Replaces the current version by an equal one, without posting an event.
  ///
  /// The caller must hold the commit lock, and must retain the old version.
  func replaceCurrent(by equal: AnyStateVersion) { contents.withLock { $0.current = equal } }

  func publish(_ activity: AnyErasedValue) {
    contents.withLock { $0.delivery.post(.activity(activity), by: .current) }
  }

  /// Waits until everything that has been posted so far has been delivered.
  func waitForDelivery() async {
    await withCheckedContinuation { continuation in
      let milestone = Milestone { continuation.resume() }
      // The `deinit` of the milestone resumes the continuation, and must run without the lock. If
      // no events are waiting, no queue retains the milestone, so it is retained here.
      withExtendedLifetime(milestone) {
        contents.withLock { $0.delivery.post(.milestone(milestone), by: .current) }
      }
      deliver()
    }
  }

  /// Ends every subscription, because the store is being deinitialized.
  func end() {
    let (former, kept) = contents.withLock { contents in
      let kept = contents.kept
      contents.kept = [:]
      contents.isEnded = true
      return (contents.delivery.removeAll(), kept)
    }
    for listed in former.listedObservers { listed.observer.end() }
    withExtendedLifetime((former, kept)) {}
  }
}

/// The observation of a derived value for tracked reads. It ends when the value has no pending read
/// and no holder, as `ValueTracking` defines them.
protocol UnheldTracking: AnyObject, Sendable {
  /// Whether the value is still observed although it has no holder.
  var isUnheld: Bool { get }

  /// Ends the observation if the value has neither a holder nor a pending read.
  func stopIfUnused()
}

/// The derived values that have no holder, but are still observed because of tracked reads.
///
/// An observation usually ends when its value changes. But if the tracked scope has also read
/// another value and that value changes, the scope ends earlier. The observation is then unused,
/// but continues. When the number of entries has doubled since the last removal, the unused
/// observations are ended and their entries are removed.
final class UnheldTrackings: Sendable {
  private struct Entry {
    weak var tracking: (any UnheldTracking)?
  }

  private struct Contents {
    var entries: [Entry] = []
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// Adds a derived value whose last holder has been released.
  func add(_ tracking: any UnheldTracking) {
    let full = contents.withLock { contents -> [Entry] in
      contents.entries.append(Entry(tracking: tracking))
      guard contents.entries.count > contents.limit else { return [] }
      defer { contents.entries = [] }
      return contents.entries
    }
    if full.isEmpty { return }
    for entry in full { entry.tracking?.stopIfUnused() }
    let rest = full.filter { $0.tracking?.isUnheld == true }
    contents.withLock { contents in
      contents.entries += rest
      contents.limit = max(16, 2 * contents.entries.count)
    }
  }
}

extension StoreBroadcaster {
  /// The number of events of other threads that a committing thread delivers before a system queue
  /// takes over. It bounds the time that a commit spends on other threads' commits.
  static var shareOfCommit: Int { 4 }
  /// The number of events that a scheduled delivery delivers before the queue runs its other work.
  static var shareOfQueue: Int { 64 }

  /// Delivers the posted events: directly if the current thread is on the observers' target,
  /// otherwise by scheduling.
  @usableFromInline
  func deliver() { deliver(except: []) }

  private func deliver(except targets: [DeliveryTarget]) {
    // This check comes first, because determining the thread and the queue would be a considerable
    // part of the cost of a commit without observers.
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
      // An observer may have committed on this thread during `drain`. The events of that commit are
      // still waiting, because this thread was already delivering.
      deliver(except: handedOver)
    }
  }

  /// Delivers the events of a target that this thread has claimed.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - thread: This thread.
  ///   - share: The maximum number of events of other threads to deliver.
  /// - Returns: Whether no events are left; otherwise the rest is scheduled.
  private func drain(_ target: DeliveryTarget, by thread: ThreadIdentity, share: Int) -> Bool {
    var share = share
    while true {
      switch contents.withLock({ $0.delivery.nextStep(on: target, by: thread, share: &share) }) {
      case .deliver(var delivery):
        if !delivery.detectors.isEmpty { delivery.posted.event = delivery.posted.event.withRows }
        for case let observer? in observers(of: delivery, on: target) {
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
    let (reads, isFinished) = observer.start(
      with: first, by: .current, share: Self.shareOfCommit)
    if isFinished {
      contents.withLock { $0.delivery.endStart(observer.id) }
      return register(observer.id, under: reads, on: target)
    }
    target.schedule { [weak self] in self?.start(observer, with: nil, on: target) }
  }

  /// Registers an observer for the rows that it has just read. This happens before the next event
  /// is delivered, so the observer misses no event.
  private func register(_ id: UInt64, under reads: RowReads?, on target: DeliveryTarget) {
    guard let reads else { return }
    contents.release { $0.delivery.register(id, under: reads, on: target) }
  }

  /// Returns the observers that an event affects, in the order in which they were added, with `nil`
  /// for removed ones.
  private func observers(
    of delivery: DeliveryState.Delivery, on target: DeliveryTarget
  ) -> [StoreObserver?] {
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
    return (delivery.observers.compactMap(\.self) + affected).sorted { $0.id < $1.id }
  }
}

extension StoreBroadcaster: SubscriptionOwner {
  /// Adds an observer. It receives the current state first, unless `dropsFirst`, and then every
  /// later event that affects its region. `receive` returns the rows that the observer read.
  func observe(
    on target: DeliveryTarget, observedRegion: ObservedRegion = .states,
    of subject: (any ObserverSubject)? = nil, dropsFirst: Bool,
    receive: @escaping StoreObserver.Receive
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
    } else if !dropsFirst {
      deliver()
    }
    if isEnded, startsHere || dropsFirst { end(observer.id) }
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
