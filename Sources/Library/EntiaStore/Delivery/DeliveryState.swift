/// The observers of a store by delivery target, and the events that have not been delivered.
///
/// The store's lock protects this value, so its methods never call or release an observer: removed
/// objects are returned to the caller.
struct DeliveryState {
  /// An event to deliver now.
  struct Delivery {
    var posted: PostedEvent
    /// The observers that receive the event regardless of the changed rows.
    let observers: [StoreObserver]
    /// The observed databases whose observers are looked up by the changed rows.
    var detectors: [DatabaseChangeDetector] = []
    /// Whether some observers of rows are looked up by keys.
    var isKeyed = false
  }

  /// The next step of a thread that delivers events.
  enum Step {
    case deliver(Delivery)
    /// No events are left.
    case stop
    /// The thread has delivered its share. Another delivery on the target delivers the rest. If
    /// `isNew`, the caller must schedule it; otherwise one is already scheduled.
    case handOver(isNew: Bool)
  }

  /// The objects to release without the lock.
  struct RemovedObserver {
    let observer: StoreObserver
    let registration: RowObserverIndex.Registration?
    let queue: ObserverQueue?
  }

  /// The queues, one for each target; there are few.
  private var queues: [ObserverQueue] = []
  /// The cached `comparisonRequest`, valid while `hasOpenState` is `false`; `nil` if observers have
  /// changed since it was collected. The request retains only objects that the queues also retain.
  private var collected: RowRouting.Request?
  private var sequence: UInt64 = 0
  /// The number of observers that have been added so far.
  private(set) var lastID: UInt64 = 0
  /// A number that increases when an observer of rows is registered and when an event is taken for
  /// delivery. The result of a filter may be outdated if the number has increased since the filter
  /// was called.
  private var revision: UInt64 = 0

  mutating func add(
    on target: DeliveryTarget, observedRegion: ObservedRegion, of subject: (any ObserverSubject)?,
    isStarting: Bool, receive: @escaping StoreObserver.Receive
  ) -> StoreObserver {
    lastID += 1
    collected = nil
    let observer = StoreObserver(
      id: lastID, since: sequence, of: subject, isStarting: isStarting, receive: receive)
    let index = indexOfQueue(for: target)
    queues[index].add(observer, for: observedRegion)
    queues[index].closeState()
    return observer
  }

  func contains(_ id: UInt64) -> Bool {
    queues.contains { $0.contains(id) }
  }

  /// The number of observers.
  var observerCount: Int { queues.reduce(0) { $0 + $1.allObservers.count } }

  /// An observer, its target, and whether it observes activities instead of the state.
  typealias ListedObserver = (
    observer: StoreObserver, target: DeliveryTarget, isOfActivities: Bool
  )

  /// The observers, in any order.
  var listedObservers: [ListedObserver] {
    queues.flatMap { queue in
      (queue.stateObservers + queue.rows.all).map { ($0, queue.target, false) }
        + queue.activityObservers.map { ($0, queue.target, true) }
    }
  }

  /// The observed databases, keys and filters for which a commit compares rows.
  ///
  /// A delivery target is left out if the commit's state coalesces with a state that is waiting
  /// there. Its rows are compared only once, when the coalesced state is delivered.
  var comparisonRequest: RowRouting.Request {
    mutating get {
      if var request = collected, !hasOpenState {
        request.revision = revision
        return request
      }
      let request = collectRequest()
      if !hasOpenState { collected = request }
      return request
    }
  }

  /// Whether the next state coalesces with a waiting state, on any target.
  private var hasOpenState: Bool {
    for index in queues.indices where queues[index].hasOpenState { return true }
    return false
  }

  private func collectRequest() -> RowRouting.Request {
    var request = RowRouting.Request(revision: revision)
    for index in queues.indices where !queues[index].hasOpenState {
      if queues[index].rows.isEmpty { continue }
      if request.detectors.isEmpty {
        request.detectors = queues[index].rows.detectors
      } else {
        request.detectors += queues[index].rows.detectors
      }
      if queues[index].rows.isKeyed { request.isKeyed = true }
      let filters = queues[index].rows.filters
      if !filters.isEmpty { request.filters.append(filters) }
    }
    return request
  }

  /// Whether there are no observers.
  var isEmpty: Bool { queues.isEmpty }

  /// Returns the affected observers of rows on a target as `found`, and the observers whose filters
  /// have yet to be called as `filtered`. An observer is affected if it is registered for a changed
  /// row or if its filter accepted the changes.
  func rowObservers(
    of keys: [RowKey], on target: DeliveryTarget, acceptedBy changes: RowChanges,
    registrationCount: UInt64?
  ) -> (found: [StoreObserver], filtered: [(observer: StoreObserver, filter: RowChangeFilter)]) {
    guard let index = index(of: target) else { return ([], []) }
    let rows = queues[index].rows
    let found = rows.observers(of: keys)
    if rows.registrationCount == registrationCount {
      return (found + rows.accepted(by: changes), [])
    }
    return (found, rows.filtered)
  }

  mutating func remove(_ id: UInt64) -> RemovedObserver? {
    collected = nil
    for index in queues.indices {
      if let (observer, registration) = queues[index].remove(id) {
        return RemovedObserver(
          observer: observer, registration: registration, queue: removeQueueIfUnused(at: index))
      }
    }
    return nil
  }

  /// Registers an observer for the rows that it read. Returns the old registration, to be released
  /// without the lock.
  mutating func register(
    _ id: UInt64, under reads: RowReads, on target: DeliveryTarget
  ) -> RowObserverIndex.Registration? {
    revision += 1
    // The cached request is released first. If it still referred to the filters, changing them
    // would copy them.
    collected = nil
    return index(of: target).flatMap { queues[$0].register(id, under: reads) }
  }

  mutating func removeAll() -> [ObserverQueue] {
    collected = nil
    let dropped = queues
    // A delivery in progress needs its queue, without events, in order to end.
    queues = dropped.compactMap { $0.isDelivering ? $0.withoutObserversAndEvents : nil }
    return dropped
  }

  /// Whether every event has been delivered.
  var isSilent: Bool {
    queues.allSatisfy(\.events.isEmpty)
  }

  /// Whether there are events that the caller has to deliver or schedule.
  var isUnattended: Bool {
    // By index, because an element that is passed to a closure would be copied.
    for index in queues.indices where queues[index].isUnattended { return true }
    return false
  }

  /// Posts a change of the state to all observers that it may affect.
  ///
  /// - Parameters:
  ///   - next: The new version.
  ///   - old: The version before.
  ///   - routing: The comparison of rows.
  ///   - thread: The committing thread.
  /// - Returns: The objects to release without the lock.
  mutating func post(
    _ next: AnyStateVersion, after old: AnyStateVersion, _ routing: borrowing RowRouting,
    by thread: ThreadIdentity
  ) -> [StoreEvent] {
    sequence += 1
    var replaced: [StoreEvent] = []
    // Created for the first queue that needs it: most commits affect no observer of rows.
    var changes: RowChanges?
    for index in queues.indices {
      if queues[index].hasOpenState {
        let event = StoreEvent.state(next, previous: old, rows: nil)
        if let coalesced = queues[index].coalesce(event, by: thread) { replaced.append(coalesced) }
      } else if queues[index].mayConcern(routing, revision: revision) {
        changes = changes ?? RowChanges(routing)
        var posted = PostedEvent(
          event: .state(next, previous: old, rows: changes), sequence: sequence, addressee: nil,
          poster: thread)
        posted.registrationCount = queues[index].registrationCount(of: routing, revision: revision)
        queues[index].append(posted)
      }
    }
    return replaced
  }

  /// Posts an activity or a milestone to all observers that it may affect.
  mutating func post(_ event: StoreEvent, by thread: ThreadIdentity) {
    sequence += 1
    for index in queues.indices where queues[index].mayConcern(event) {
      queues[index].append(
        PostedEvent(event: event, sequence: sequence, addressee: nil, poster: thread))
    }
  }

  /// Posts an event to one observer.
  mutating func post(
    _ event: StoreEvent, to id: UInt64, on target: DeliveryTarget, by thread: ThreadIdentity
  ) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: id, poster: thread)
    queues[indexOfQueue(for: target)].append(posted)
  }

  /// Prevents later states from coalescing with the states that wait for passthrough delivery.
  mutating func closePassthroughStates() {
    for index in queues.indices where queues[index].target == .passthrough {
      queues[index].closeState()
    }
  }

  /// Returns two results: `here` is the target whose events this thread has to deliver now, and
  /// `elsewhere` are the targets on which a delivery has to be scheduled.
  ///
  /// For a thread that is already delivering, `here` is `nil`. The thread calls this method again
  /// after the delivery.
  ///
  /// - Parameter handedOver: The targets whose events the thread has just handed over.
  mutating func claim(
    by thread: ThreadIdentity, onMain: Bool, except handedOver: [DeliveryTarget]
  ) -> (here: DeliveryTarget?, elsewhere: [DeliveryTarget]) {
    let isBusy = queues.contains { $0.isDelivering(by: thread) }
    var elsewhere: [DeliveryTarget] = []
    for index in queues.indices where queues[index].isUnattended {
      let target = queues[index].target
      if target.isHere(onMain: onMain) {
        if isBusy || handedOver.contains(target) || !queues[index].isDelivered(by: thread) {
          continue
        }
        queues[index].beginDelivery(by: thread)
        return (target, elsewhere)
      }
      if queues[index].schedule() { elsewhere.append(target) }
    }
    return (nil, elsewhere)
  }

  /// Begins a scheduled delivery; returns `false` if another thread delivers the events.
  mutating func beginScheduled(_ target: DeliveryTarget, by thread: ThreadIdentity) -> Bool {
    index(of: target).map { queues[$0].beginScheduledDelivery(by: thread) } ?? false
  }

  /// Removes the next event to deliver, or ends the delivery.
  ///
  /// Finding no event and ending the delivery are atomic under the lock, so no event is posted in
  /// between.
  ///
  /// - Parameters:
  ///   - target: The target. The thread has claimed its events.
  ///   - thread: The thread.
  ///   - share: The remaining number of events of other threads to deliver. Events that this thread
  ///     posted do not count.
  mutating func nextStep(
    on target: DeliveryTarget, by thread: ThreadIdentity, share: inout Int
  ) -> Step {
    guard let index = index(of: target) else { return .stop }
    if let first = queues[index].events.first, first.poster != thread {
      if share == 0 {
        queues[index].endDelivery()
        return .handOver(isNew: queues[index].schedule())
      }
      share -= 1
    }
    revision += 1
    guard let posted = queues[index].popFirst() else {
      queues[index].endDelivery()
      // Releasing the queue runs no user code, because it has no observers and no events, and the
      // caller retains its target.
      _ = removeQueueIfUnused(at: index)
      return .stop
    }
    if let addressee = posted.addressee {
      let observer = queues[index].observer(addressee)
      return .deliver(Delivery(posted: posted, observers: observer.map { [$0] } ?? []))
    }
    return .deliver(
      Delivery(
        posted: posted, observers: queues[index].observers(of: posted.event),
        detectors: queues[index].rows.detectors, isKeyed: queues[index].rows.isKeyed))
  }

  private func index(of target: DeliveryTarget) -> Int? {
    queues.firstIndex { $0.target == target }
  }

  /// Returns the index of the queue of a target, which is created if there is none.
  private mutating func indexOfQueue(for target: DeliveryTarget) -> Int {
    if let index = index(of: target) { return index }
    queues.append(ObserverQueue(target: target))
    return queues.count - 1
  }

  private mutating func removeQueueIfUnused(at index: Int) -> ObserverQueue? {
    guard !queues[index].hasObservers, !queues[index].isDelivering else { return nil }
    return queues.remove(at: index)
  }
}
