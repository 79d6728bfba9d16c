import Dispatch

/// The observers of one target, and the events that have not been delivered to them.
///
/// Only one thread at a time removes events from a queue; other threads only append. This keeps
/// events in order, and prevents reentrant calls of an observer that commits. Protected by the lock
/// of the broadcaster.
///
/// Undelivered states coalesce: a later state replaces a waiting state, but keeps the `previous` of
/// the waiting state. An added observer or a tracked read ends the coalescing with the waiting
/// state. Commits alone therefore never add a second waiting state. Activities do not coalesce.
struct ObserverQueue {
  /// The phase of the delivery of the events.
  ///
  /// ```
  ///         schedule           beginScheduledDelivery
  /// idle ─────────────▶ scheduled ─────────────▶ delivering
  ///   ▲ └──────────────── beginDelivery ────────────▲  │
  ///   └───────────────────── endDelivery ──────────────┘
  /// ```
  private enum Phase: Equatable {
    /// No thread delivers the events, and no delivery is scheduled.
    case idle
    /// A delivery has been scheduled on the target and has not begun.
    case scheduled
    /// A thread is calling the observers. `isScheduled` is whether a scheduled delivery is also
    /// waiting to begin. Both are possible at the same time, because a commit on the main actor
    /// delivers the events without waiting for the scheduled delivery.
    case delivering(by: ThreadIdentity, isScheduled: Bool)
  }

  let target: DeliveryTarget
  /// The number of the queue in the order in which queues were created.
  let number: UInt64
  /// Whether the queue is listed for `claim`.
  var isListed = false
  private(set) var stateObservers = ObserverList()
  private(set) var activityObservers = ObserverList()
  private(set) var rows: RowObserverIndex
  private(set) var events = FIFOQueue<PostedEvent>()
  /// The position of the waiting state that later states coalesce with.
  private var openState: Int?
  private var phase = Phase.idle

  init(target: DeliveryTarget, number: UInt64, slot: Int) {
    self.target = target
    self.number = number
    rows = RowObserverIndex(slot: slot)
  }

  var hasObservers: Bool {
    observesState || !activityObservers.isEmpty
  }

  var observesState: Bool { !stateObservers.isEmpty || !rows.isEmpty }

  /// The observers of the state and of rows, in any order.
  var observersOfState: [StoreObserver] { stateObservers.elements.compactMap(\.self) + rows.all }

  var observersOfActivities: [StoreObserver] { activityObservers.elements.compactMap(\.self) }

  var isDelivering: Bool {
    if case .delivering = phase { true } else { false }
  }

  var isBusy: Bool { isDelivering || !events.isEmpty }

  var hasOpenState: Bool { openState != nil }

  /// Whether a commit has to deliver or schedule events of the queue. This is the case if events
  /// are waiting, and neither a running nor a scheduled delivery will deliver them. A scheduled
  /// delivery counts only if `target.waitsForSchedule`.
  var isUnattended: Bool {
    if events.isEmpty { return false }
    switch phase {
    case .idle: return true
    case .scheduled: return !target.waitsForSchedule
    case .delivering: return false
    }
  }

  /// Returns whether a thread may deliver the waiting events. The target must allow the thread to
  /// call the observers directly.
  ///
  /// Passthrough events are delivered by the thread that posted them, before its commit returns. If
  /// another thread delivered them, the commit could return before its observers are called. The
  /// events of all other targets may be delivered by any thread that the target allows.
  func isDelivered(by thread: ThreadIdentity) -> Bool {
    guard target == .passthrough, let first = events.first, let last = events.last else {
      return true
    }
    if case .milestone = last.event { return first.isPosted(by: thread) }
    return first.isPosted(by: thread) || last.isPosted(by: thread)
  }

  /// Returns a copy of the queue without observers and events, in the same phase of delivery.
  func withoutObserversAndEvents(slot: Int) -> ObserverQueue {
    var empty = ObserverQueue(target: target, number: number, slot: slot)
    empty.phase = phase
    return empty
  }

  func isDelivering(by thread: ThreadIdentity) -> Bool {
    if case .delivering(thread, _) = phase { true } else { false }
  }

  /// Schedules a delivery; returns `false` if one is already scheduled.
  mutating func schedule() -> Bool {
    guard phase == .idle else { return false }
    phase = .scheduled
    return true
  }

  /// Begins a delivery by a thread; no other thread may be delivering.
  mutating func beginDelivery(by thread: ThreadIdentity) {
    phase = .delivering(by: thread, isScheduled: phase == .scheduled)
  }

  /// Begins the scheduled delivery; returns `false` if there are no events, or if another thread
  /// delivers them.
  mutating func beginScheduledDelivery(by thread: ThreadIdentity) -> Bool {
    if case .delivering(let other, _) = phase {
      phase = .delivering(by: other, isScheduled: false)
      return false
    }
    phase = events.isEmpty ? .idle : .delivering(by: thread, isScheduled: false)
    return !events.isEmpty
  }

  mutating func endDelivery() {
    if case .delivering(_, let isScheduled) = phase { phase = isScheduled ? .scheduled : .idle }
  }

  mutating func append(_ posted: PostedEvent) {
    let position = events.append(posted)
    if case .state = posted.event, posted.addressee == nil { openState = position }
  }

  /// Coalesces a state with the waiting state.
  ///
  /// - Returns: The event to release without the lock.
  mutating func coalesce(_ event: StoreEvent, by thread: ThreadIdentity) -> StoreEvent? {
    guard let openState, let waiting = events[openState] else { return nil }
    events[openState]?.event = waiting.event.coalesced(with: event)
    if waiting.poster != thread { events[openState]?.poster = nil }
    events[openState]?.registrationCount = nil
    return waiting.event
  }

  /// Prevents later states from coalescing with the waiting state. This is necessary if a new
  /// observer, or a tracked read, compares later states with the waiting state.
  mutating func closeState() { openState = nil }

  mutating func popFirst() -> PostedEvent? {
    if events.firstPosition == openState { openState = nil }
    return events.popFirst()
  }

  /// Returns the current number of registrations if all filters of the queue have been called for a
  /// change. Returns `nil` if a filter may not have been called, or may have been replaced since
  /// its call.
  ///
  /// - Parameters:
  ///   - routing: The comparison of rows for the change. The caller appends the change afterwards.
  ///   - revision: The current revision of the delivery.
  func registrationCount(of routing: borrowing RowRouting, revision: UInt64) -> UInt64? {
    guard routing.isCompared, !isBusy, routing.revision == revision else { return nil }
    return rows.registrationCount
  }

  /// Returns the observers that receive an event regardless of the changed rows, with `nil` for
  /// removed ones.
  func observers(of event: StoreEvent) -> [StoreObserver?] {
    switch event {
    case .state: stateObservers.elements
    case .activity: activityObservers.elements
    case .milestone: []
    }
  }

  mutating func add(
    _ observer: StoreObserver, for region: ObservedRegion, in index: inout RowQueueIndex
  ) {
    switch region {
    case .states: stateObservers.append(observer)
    case .activities: activityObservers.append(observer)
    case .rows(let observed): rows.add(observer, for: observed, in: &index)
    }
  }

  /// Removes an observer, and returns it with its registered rows.
  mutating func remove(
    _ id: UInt64, in index: inout RowQueueIndex
  ) -> (observer: StoreObserver, registration: RowObserverIndex.Registration?)? {
    if let observer = stateObservers.remove(id) { return (observer, nil) }
    if let observer = activityObservers.remove(id) { return (observer, nil) }
    return rows.remove(id, in: &index).map { ($0.observer, $0.registration) }
  }

  mutating func register(
    _ id: UInt64, under reads: RowReads, in index: inout RowQueueIndex
  ) -> RowObserverIndex.Registration? {
    rows.register(id, under: reads, in: &index)
  }

  /// Returns the observer with an ID, unless it observes activities. Called for an event that only
  /// one observer receives.
  func observer(_ id: UInt64) -> StoreObserver? {
    stateObservers.observer(id) ?? rows.observer(id)
  }
}

extension DeliveryState {
  struct Delivery {
    var posted: PostedEvent
    /// The observers that receive the event regardless of the changed rows, with `nil` for removed
    /// ones.
    let observers: [StoreObserver?]
    /// The observed databases whose observers are looked up by the changed rows.
    var detectors: [DatabaseChangeDetector] = []
    /// Whether some observers of rows are looked up by keys.
    var isKeyed = false
  }

  enum Step {
    case deliver(Delivery)
    case stop
    /// The thread has delivered its share. Another delivery on the target delivers the rest. If
    /// `isNew`, the caller must schedule it; otherwise one is already scheduled.
    case handOver(isNew: Bool)
  }
}

/// A first-in first-out queue with amortized O(1) append and removal.
package struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0
  /// The number of elements that have been discarded from the front of `elements`.
  private var discarded = 0

  /// Creates an empty queue.
  package init() {}

  package var isEmpty: Bool { head == elements.count }

  package var count: Int { elements.count - head }

  /// The position of the first element. Positions remain valid while other elements are appended
  /// and removed.
  package var firstPosition: Int { discarded + head }

  /// The positions of the elements.
  package var positions: Range<Int> { firstPosition..<discarded + elements.count }

  /// Appends an element.
  ///
  /// - Returns: The position of the element.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return discarded + elements.count - 1
  }

  /// Accesses the element at a position; reading returns `nil` after the element has been removed.
  package subscript(position: Int) -> Element? {
    get { position < firstPosition ? nil : elements[position - discarded] }
    _modify {
      precondition(position >= firstPosition, "the element at \(position) has been removed")
      yield &elements[position - discarded]
    }
  }

  package var first: Element? { isEmpty ? nil : elements[head] }

  package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// Removes the element that was appended last.
  package mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head].take()
    head += 1
    if head == elements.count {
      discarded += head
      elements.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      discarded += head
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}

/// An observer of a store, described for an inspection.
package struct InspectedObserver: Sendable {
  /// The number of the observer in the order in which observers were added.
  package let number: UInt64
  /// The observed value in words.
  package let subject: String
  /// The target on which the observer is called, such as `main`.
  package let target: String
  /// The query that produces the observed value, or `nil` if no query does.
  package let query: InspectedQuery?
}

extension StoreBroadcaster {
  /// The observers, in the order in which they were added.
  ///
  /// - Complexity: O(*n*) for *n* observers, plus the plans of their queries.
  func inspectedObservers(ofState state: String) -> [InspectedObserver] {
    let listed = contents.withLock { $0.delivery.listedObservers }
    // Describing a value may run user code, so it happens without the lock.
    return listed.sorted { $0.observer.id < $1.observer.id }.map { listed in
      let subject = listed.observer.subject
      return InspectedObserver(
        number: listed.observer.id,
        subject: subject?.subject ?? (listed.isOfActivities ? "activities" : state),
        target: listed.target.name, query: subject?.inspectedQuery)
    }
  }
}

extension DeliveryTarget {
  fileprivate var name: String {
    switch self {
    case .passthrough: "passthrough"
    case .main: "main"
    case .asyncMain: "asyncMain"
    case .queue(let queue): "queue \(queue.label)"
    case .actor(let actor): "actor \(type(of: actor))"
    }
  }
}
