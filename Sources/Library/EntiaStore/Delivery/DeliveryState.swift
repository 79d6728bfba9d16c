/// The observers of a store by delivery target, and the events that have not been delivered.
///
/// The store's lock protects this value, so its methods never call or release an observer: removed
/// objects are returned to the caller.
struct DeliveryState {
  /// The objects to release without the lock.
  struct RemovedObserver {
    let observer: StoreObserver
    let registration: RowObserverIndex.Registration?
    let queue: ObserverQueue?
  }

  /// The queues, one for each target. A queue keeps its slot in this array. A free slot holds a
  /// queue without observers and events.
  private var queues: [ObserverQueue] = []
  private var freeSlots: [Int] = []
  private var slots: [DeliveryTarget: Int] = [:]
  private var slotsByObserver: [UInt64: Int] = [:]
  private var queueCount: UInt64 = 0
  /// The slots of the queues with observers of the whole state.
  private var stateQueues = SmallSet<Int>()
  /// The slots of the queues with observers of activities.
  private var activityQueues = SmallSet<Int>()
  /// The slots of the queues with observers of rows.
  private var rowQueues = RowQueueIndex()
  /// The observers whose first delivery is in progress. Each of these observers stores the events
  /// that its queue delivers during the first delivery.
  private var starting: Set<UInt64> = []
  /// The queues that have undelivered events or are being delivered.
  private var busy = SmallSet<Int>()
  /// The queues that threads are delivering, at most one for each thread.
  private var delivering: [Int] = []
  /// The queues that may be unattended, as `ObserverQueue.isUnattended` defines it. They became
  /// unattended after the last call of `claim`, or that call left their events to other threads.
  private var unattended: [Int] = []
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
    let observer = StoreObserver(
      id: lastID, since: sequence, of: subject, isStarting: isStarting, receive: receive)
    let slot = slotOfQueue(for: target)
    slotsByObserver[lastID] = slot
    if isStarting { starting.insert(lastID) }
    queues[slot].add(observer, for: observedRegion, in: &rowQueues)
    queues[slot].closeState()
    if !queues[slot].stateObservers.isEmpty { stateQueues.insert(slot) }
    if !queues[slot].activityObservers.isEmpty { activityQueues.insert(slot) }
    return observer
  }

  mutating func endStart(_ id: UInt64) { starting.remove(id) }

  func contains(_ id: UInt64) -> Bool { slotsByObserver[id] != nil }

  var observerCount: Int { slotsByObserver.count }

  /// An observer, its target, and whether it observes activities instead of the state.
  typealias ListedObserver = (
    observer: StoreObserver, target: DeliveryTarget, isOfActivities: Bool
  )

  var listedObservers: [ListedObserver] {
    queues.flatMap { queue in
      queue.observersOfState.map { ($0, queue.target, false) }
        + queue.observersOfActivities.map { ($0, queue.target, true) }
    }
  }

  /// The observed databases, keys and filters for which a commit compares rows.
  ///
  /// A queue is left out if it coalesces the state of the commit with a waiting state. The rows of
  /// the coalesced state are compared only once, when this state is delivered.
  var comparisonRequest: RowRouting.Request {
    let open = busy.compactMap { queues[$0].hasOpenState ? queues[$0].rows : nil }
    return rowQueues.request(without: open, revision: revision)
  }

  var isEmpty: Bool { slots.isEmpty }

  /// Returns two lists of observers of rows on a target. `found` are the observers that a change
  /// affects: they are registered for a changed row, or their filters accepted the changes.
  /// `filtered` are the observers whose filters have yet to be called.
  func rowObservers(
    of keys: [RowKey], on target: DeliveryTarget, acceptedBy changes: RowChanges,
    registrationCount: UInt64?
  ) -> (found: [StoreObserver], filtered: [(observer: StoreObserver, filter: RowChangeFilter)]) {
    guard let slot = slots[target] else { return ([], []) }
    let rows = queues[slot].rows
    let found = rows.observers(of: keys)
    if rows.registrationCount == registrationCount {
      return (found + rows.accepted(by: changes, in: rowQueues), [])
    }
    return (found, rows.filtered(in: rowQueues))
  }

  mutating func remove(_ id: UInt64) -> RemovedObserver? {
    guard let slot = slotsByObserver.removeValue(forKey: id),
      let (observer, registration) = queues[slot].remove(id, in: &rowQueues)
    else { return nil }
    starting.remove(id)
    if queues[slot].stateObservers.isEmpty { stateQueues.remove(slot) }
    if queues[slot].activityObservers.isEmpty { activityQueues.remove(slot) }
    return RemovedObserver(
      observer: observer, registration: registration, queue: removeQueueIfUnused(at: slot))
  }

  /// Registers an observer for the rows that it read. Returns the old registration, to be released
  /// without the lock.
  mutating func register(
    _ id: UInt64, under reads: RowReads, on target: DeliveryTarget
  ) -> RowObserverIndex.Registration? {
    revision += 1
    return slots[target].flatMap { queues[$0].register(id, under: reads, in: &rowQueues) }
  }

  /// Removes all observers and events. Returns the former contents, to be released without the
  /// lock.
  mutating func removeAll() -> DeliveryState {
    let former = self
    self = DeliveryState()
    (sequence, lastID, revision) = (former.sequence, former.lastID, former.revision)
    queueCount = former.queueCount
    // A delivery in progress needs its queue, without events, in order to end.
    for queue in former.queues where queue.isDelivering {
      let slot = queues.count
      queues.append(queue.withoutObserversAndEvents(slot: slot))
      slots[queue.target] = slot
      busy.insert(slot)
      delivering.append(slot)
    }
    return former
  }

  var isSilent: Bool { busy.allSatisfy { queues[$0].events.isEmpty } }

  /// Whether there are events that the caller has to deliver or schedule.
  var isUnattended: Bool {
    for slot in unattended where queues[slot].isUnattended { return true }
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
    let concerned = queuesOfRows(concernedBy: routing)
    sequence += 1
    let event = StoreEvent.state(next, previous: old, rows: nil)
    var replaced: [StoreEvent] = []
    // The changes are created for the first queue that needs them, because most commits affect no
    // observer of rows.
    var changes: RowChanges?
    // A busy queue receives each change. The rows that it observes are not yet certain, because an
    // observer may read other rows when it receives one of the waiting events.
    for slot in busy {
      if queues[slot].hasOpenState {
        if let former = queues[slot].coalesce(event, by: thread) { replaced.append(former) }
      } else if queues[slot].observesState {
        append(event, with: &changes, of: routing, to: slot, by: thread)
      }
    }
    for slot in stateQueues where !queues[slot].isBusy {
      append(event, with: &changes, of: routing, to: slot, by: thread)
    }
    for slot in concerned where !queues[slot].isBusy {
      append(event, with: &changes, of: routing, to: slot, by: thread)
    }
    return replaced
  }

  /// Returns the queues whose observers of rows a change may affect. The result contains all such
  /// queues that are not busy, and possibly some that are busy.
  private func queuesOfRows(concernedBy routing: borrowing RowRouting) -> Set<Int> {
    let request = comparisonRequest
    if request.detectors.isEmpty { return [] }
    if !routing.covers(request) {
      return Set(queues.indices.filter { !queues[$0].rows.isEmpty })
    }
    var found = rowQueues.queues(underKeysOf: routing)
    if request.filters.isEmpty { return found }
    if routing.revision == revision {
      found.formUnion(routing.filtered.compactMap { slotsByObserver[$0] })
    } else {
      // The filters were called without the lock. Since then, filters may have been replaced or
      // added.
      found.formUnion(request.filters.keys)
    }
    return found
  }

  private mutating func append(
    _ event: StoreEvent, with changes: inout RowChanges?, of routing: borrowing RowRouting,
    to slot: Int, by thread: ThreadIdentity
  ) {
    changes = changes ?? RowChanges(routing)
    var posted = PostedEvent(
      event: event.with(changes), sequence: sequence, addressee: nil, poster: thread)
    posted.registrationCount = queues[slot].registrationCount(of: routing, revision: revision)
    append(posted, to: slot)
  }

  private mutating func append(_ posted: PostedEvent, to slot: Int) {
    queues[slot].append(posted)
    busy.insert(slot)
    list(slot)
  }

  /// Lists a queue for `claim` if it is unattended.
  private mutating func list(_ slot: Int) {
    if queues[slot].isListed || !queues[slot].isUnattended { return }
    queues[slot].isListed = true
    unattended.append(slot)
  }

  /// Posts an activity to its observers, or a milestone to all queues with undelivered events or
  /// with observers whose first delivery is in progress.
  mutating func post(_ event: StoreEvent, by thread: ThreadIdentity) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: nil, poster: thread)
    if case .milestone = event {
      let slots = Set(busy).union(starting.compactMap { slotsByObserver[$0] })
      for slot in slots { append(posted, to: slot) }
    } else {
      for slot in activityQueues { append(posted, to: slot) }
    }
  }

  mutating func post(
    _ event: StoreEvent, to id: UInt64, on target: DeliveryTarget, by thread: ThreadIdentity
  ) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: id, poster: thread)
    append(posted, to: slotOfQueue(for: target))
  }

  /// Prevents later states from coalescing with the states that wait for passthrough delivery.
  mutating func closePassthroughStates() {
    if let slot = slots[.passthrough] { queues[slot].closeState() }
  }

  /// Begins a delivery by a thread, if there is one to begin. Returns two results: `here` is the
  /// target whose events the thread has to deliver now, and `elsewhere` are the targets on which
  /// the caller has to schedule a delivery.
  ///
  /// If the thread is already delivering, `here` is `nil`. The thread calls this method again after
  /// that delivery.
  ///
  /// - Parameter handedOver: The targets whose events the thread has just handed over.
  mutating func claim(
    by thread: ThreadIdentity, onMain: Bool, except handedOver: [DeliveryTarget]
  ) -> (here: DeliveryTarget?, elsewhere: [DeliveryTarget]) {
    let isBusy = delivering.contains { queues[$0].isDelivering(by: thread) }
    var elsewhere: [DeliveryTarget] = []
    var here: DeliveryTarget?
    // The queues are visited in the order in which they were created.
    if unattended.count > 1 {
      unattended = unattended.sorted { queues[$0].number < queues[$1].number }
    }
    var keptCount = 0
    for position in unattended.indices {
      let slot = unattended[position]
      if here == nil, queues[slot].isUnattended {
        let target = queues[slot].target
        if target.isHere(onMain: onMain) {
          if !isBusy, !handedOver.contains(target), queues[slot].isDelivered(by: thread) {
            queues[slot].beginDelivery(by: thread)
            delivering.append(slot)
            here = target
          }
        } else if queues[slot].schedule() {
          elsewhere.append(target)
        }
      }
      queues[slot].isListed = queues[slot].isUnattended
      if !queues[slot].isListed { continue }
      unattended[keptCount] = slot
      keptCount += 1
    }
    unattended.removeSubrange(keptCount...)
    return (here, elsewhere)
  }

  /// Begins a scheduled delivery; returns `false` if another thread delivers the events.
  mutating func beginScheduled(_ target: DeliveryTarget, by thread: ThreadIdentity) -> Bool {
    guard let slot = slots[target], queues[slot].beginScheduledDelivery(by: thread) else {
      return false
    }
    delivering.append(slot)
    return true
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
    guard let slot = slots[target] else { return .stop }
    if let first = queues[slot].events.first, first.poster != thread {
      if share == 0 {
        endDelivery(of: slot)
        defer { list(slot) }
        return .handOver(isNew: queues[slot].schedule())
      }
      share -= 1
    }
    revision += 1
    guard let posted = queues[slot].popFirst() else {
      endDelivery(of: slot)
      // Releasing the queue runs no user code, because it has no observers and no events, and the
      // caller retains its target.
      _ = removeQueueIfUnused(at: slot)
      return .stop
    }
    if case .milestone = posted.event {
      let observers = starting.filter { slotsByObserver[$0] == slot }
      return .deliver(Delivery(posted: posted, observers: observers.map(queues[slot].observer)))
    }
    if let addressee = posted.addressee {
      let observer = queues[slot].observer(addressee)
      return .deliver(Delivery(posted: posted, observers: observer.map { [$0] } ?? []))
    }
    return .deliver(
      Delivery(
        posted: posted, observers: queues[slot].observers(of: posted.event),
        detectors: queues[slot].rows.detectors, isKeyed: queues[slot].rows.isKeyed))
  }

  private mutating func endDelivery(of slot: Int) {
    queues[slot].endDelivery()
    delivering.removeAll { $0 == slot }
    if !queues[slot].isBusy { busy.remove(slot) }
  }

  /// Returns the slot of the queue of a target, which is created if there is none.
  private mutating func slotOfQueue(for target: DeliveryTarget) -> Int {
    if let slot = slots[target] { return slot }
    queueCount += 1
    let slot = freeSlots.popLast() ?? queues.count
    let queue = ObserverQueue(target: target, number: queueCount, slot: slot)
    if slot == queues.count { queues.append(queue) } else { queues[slot] = queue }
    slots[target] = slot
    return slot
  }

  /// Frees the slot of a queue that is no longer used. Returns the queue, to be released without
  /// the lock.
  private mutating func removeQueueIfUnused(at slot: Int) -> ObserverQueue? {
    guard !queues[slot].hasObservers, !queues[slot].isDelivering else { return nil }
    var queue = ObserverQueue(target: .passthrough, number: 0, slot: slot)
    swap(&queue, &queues[slot])
    slots[queue.target] = nil
    freeSlots.append(slot)
    busy.remove(slot)
    if queue.isListed { unattended.removeAll { $0 == slot } }
    return queue
  }
}
