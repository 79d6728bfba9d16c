/// The observers of a store by delivery target, and the events that have not been delivered.
///
/// A value protected by the store's lock. It never calls or releases an observer: removed objects
/// are returned to the caller.
struct DeliveryState {
  /// An event to deliver now.
  struct Delivery {
    var posted: PostedEvent
    /// The observers of the event that do not depend on the changed rows.
    let observers: [StoreObserver]
    /// The databases with observers of rows, which are looked up by the changed rows.
    var detectors: [DatabaseChangeDetector] = []
    /// Whether some of these observers are looked up by keys.
    var isKeyed = false
  }

  /// The next step of a thread that delivers events.
  enum Step {
    case deliver(Delivery)
    /// No events are left.
    case stop
    /// The thread has delivered its share. A scheduled delivery continues; the caller must schedule
    /// it if `isNew`.
    case handOver(isNew: Bool)
  }

  /// The objects to release without the lock.
  struct RemovedObserver {
    let observer: StoreObserver
    let registration: RowObserverIndex.Registration?
    let channel: ObserverQueue?
  }

  /// The channels, one for each target; there are few.
  private var channels: [ObserverQueue] = []
  private var sequence: UInt64 = 0
  /// The number of observers that have been added so far.
  private(set) var lastID: UInt64 = 0
  /// A number that increases when an observer of rows is registered and when an event is taken for
  /// delivery. Filters that were called before may be outdated then.
  private var revision: UInt64 = 0

  mutating func add(
    on target: DeliveryTarget, interest: ObservedRegion, isStarting: Bool,
    receive: @escaping StoreObserver.Receive
  ) -> StoreObserver {
    lastID += 1
    let observer = StoreObserver(
      id: lastID, since: sequence, isStarting: isStarting, receive: receive)
    let index = openChannel(for: target)
    channels[index].add(observer, for: interest)
    channels[index].closeState()
    return observer
  }

  func contains(_ id: UInt64) -> Bool {
    channels.contains { $0.contains(id) }
  }

  /// The number of observers.
  var observerCount: Int { channels.reduce(0) { $0 + $1.allObservers.count } }

  /// The observed databases, keys and filters for which a commit compares rows.
  ///
  /// If a state is waiting, rows are compared once, when it is delivered.
  var audience: RowChanges.Audience {
    var audience = RowChanges.Audience(revision: revision)
    for index in channels.indices where !channels[index].hasOpenState {
      if channels[index].rows.isEmpty { continue }
      if audience.detectors.isEmpty {
        audience.detectors = channels[index].rows.detectors
      } else {
        audience.detectors += channels[index].rows.detectors
      }
      if channels[index].rows.isKeyed { audience.isKeyed = true }
      let filters = channels[index].rows.filters
      if !filters.isEmpty { audience.filters.append(filters) }
    }
    return audience
  }

  /// Whether there are no observers.
  var isEmpty: Bool { channels.isEmpty }

  /// Returns the observers on a target that are registered for any of the changed rows or whose
  /// filter has accepted them, and those whose filter has to be called.
  func rowObservers(
    of keys: [RowKey], on target: DeliveryTarget, acceptedBy changes: RowChanges, filing: UInt64?
  ) -> (found: [StoreObserver], filtered: [(observer: StoreObserver, filter: RowChangeFilter)]) {
    guard let index = index(of: target) else { return ([], []) }
    let rows = channels[index].rows
    let found = rows.observers(of: keys)
    if rows.filing == filing { return (found + rows.accepted(by: changes), []) }
    return (found, rows.filtered)
  }

  mutating func remove(_ id: UInt64) -> RemovedObserver? {
    for index in channels.indices {
      if let (observer, registration) = channels[index].remove(id) {
        return RemovedObserver(
          observer: observer, registration: registration, channel: closeChannelIfUnused(at: index))
      }
    }
    return nil
  }

  /// Registers an observer of rows for the rows that it read, and returns the old
  /// registration, to be released without the lock.
  mutating func file(
    _ id: UInt64, under reads: RowReads, on target: DeliveryTarget
  ) -> RowObserverIndex.Registration? {
    revision += 1
    return index(of: target).flatMap { channels[$0].file(id, under: reads) }
  }

  mutating func removeAll() -> [ObserverQueue] {
    let dropped = channels
    channels = dropped.compactMap { channel in
      // A delivery in progress has to find its channel, empty, in order to end.
      guard let drainer = channel.drainer else { return nil }
      var empty = ObserverQueue(target: channel.target)
      empty.drainer = drainer
      return empty
    }
    return dropped
  }

  /// Whether every event has been delivered.
  var isSilent: Bool {
    channels.allSatisfy(\.events.isEmpty)
  }

  /// Whether there are events that the caller has to deliver or schedule.
  var isUnattended: Bool {
    channels.contains(where: \.isUnattended)
  }

  /// Posts an event to all observers that it may affect.
  ///
  /// - Returns: The objects to release without the lock.
  mutating func post(_ event: StoreEvent, by thread: ThreadIdentity) -> [StoreEvent] {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: nil, poster: thread)
    var outgrown: [StoreEvent] = []
    for index in channels.indices {
      if case .state = event, let coalesced = channels[index].coalesce(event, by: thread) {
        outgrown.append(coalesced)
      } else if channels[index].mayConcern(event, revision: revision) {
        var posted = posted
        posted.filing = channels[index].filing(of: event, revision: revision)
        channels[index].append(posted)
      }
    }
    return outgrown
  }

  /// Posts an event to one observer.
  mutating func post(
    _ event: StoreEvent, to id: UInt64, on target: DeliveryTarget, by thread: ThreadIdentity
  ) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: id, poster: thread)
    channels[openChannel(for: target)].append(posted)
  }

  /// Prevents the states that wait for passthrough delivery from coalescing with later ones.
  mutating func closePassthroughStates() {
    for index in channels.indices where channels[index].target == .passthrough {
      channels[index].closeState()
    }
  }

  /// Returns the target whose events this thread delivers now, and the targets to schedule.
  ///
  /// A thread that is already delivering receives no target: it calls this method again when it is
  /// done.
  ///
  /// - Parameter handedOver: The targets whose events the thread has just handed over.
  mutating func claim(
    by thread: ThreadIdentity, onMain: Bool, except handedOver: [DeliveryTarget]
  ) -> (here: DeliveryTarget?, elsewhere: [DeliveryTarget]) {
    let isBusy = channels.contains { $0.drainer == thread }
    var elsewhere: [DeliveryTarget] = []
    for index in channels.indices {
      guard channels[index].isUnattended else { continue }
      let target = channels[index].target
      if target.isHere(onMain: onMain) {
        if isBusy || handedOver.contains(target) { continue }
        channels[index].drainer = thread
        return (target, elsewhere)
      }
      if !channels[index].isScheduled {
        channels[index].isScheduled = true
        elsewhere.append(target)
      }
    }
    return (nil, elsewhere)
  }

  /// Begins a scheduled delivery; returns `false` if another thread delivers the events.
  mutating func beginScheduled(_ target: DeliveryTarget, by thread: ThreadIdentity) -> Bool {
    guard let index = index(of: target) else { return false }
    channels[index].isScheduled = false
    guard !channels[index].events.isEmpty, channels[index].drainer == nil else { return false }
    channels[index].drainer = thread
    return true
  }

  /// Removes the next event to deliver, or ends the delivery.
  ///
  /// The check and the end are atomic under the lock, so no event is posted between them.
  ///
  /// - Parameters:
  ///   - target: The target, whose events the thread has claimed.
  ///   - share: The number of events of other threads that the thread still delivers. Its own
  ///     events do not count: they are posted by observers that it calls.
  mutating func nextStep(on target: DeliveryTarget, share: inout Int) -> Step {
    guard let index = index(of: target) else { return .stop }
    if let first = channels[index].events.first {
      let isForeign = first.poster != channels[index].drainer
      if isForeign, share == 0 {
        channels[index].drainer = nil
        let isNew = !channels[index].isScheduled
        channels[index].isScheduled = true
        return .handOver(isNew: isNew)
      }
      if isForeign { share -= 1 }
    }
    revision += 1
    guard let posted = channels[index].popFirst() else {
      channels[index].drainer = nil
      // Only an empty array is released here.
      _ = closeChannelIfUnused(at: index)
      return .stop
    }
    if let addressee = posted.addressee {
      let observer = channels[index].observer(addressee)
      return .deliver(Delivery(posted: posted, observers: observer.map { [$0] } ?? []))
    }
    return .deliver(
      Delivery(
        posted: posted, observers: channels[index].observers(of: posted.event),
        detectors: channels[index].rows.detectors, isKeyed: channels[index].rows.isKeyed))
  }

  private func index(of target: DeliveryTarget) -> Int? {
    channels.firstIndex { $0.target == target }
  }

  private mutating func openChannel(for target: DeliveryTarget) -> Int {
    if let index = index(of: target) { return index }
    channels.append(ObserverQueue(target: target))
    return channels.count - 1
  }

  private mutating func closeChannelIfUnused(at index: Int) -> ObserverQueue? {
    guard !channels[index].hasObservers, channels[index].drainer == nil else { return nil }
    return channels.remove(at: index)
  }
}
