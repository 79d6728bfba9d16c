/// Who observes a store where, and what is on its way to them.
///
/// A value under the store's lock: nothing here calls an observer or releases one; what is taken
/// out is handed to the caller.
struct DeliveryBoard {
  /// An event to be delivered now.
  struct Delivery {
    var posted: PostedEvent
    /// The observers that it concerns whatever changed.
    let observers: [StoreObserver]
    /// The databases with observers of rows, which are looked up by what changed.
    let feeds: [RowFeed]
  }

  /// What a thread that delivers has to do next.
  enum Step {
    case deliver(Delivery)
    /// Nothing is left.
    case stop
    /// The thread has delivered its share. The rest is scheduled, by the caller where `isNew`.
    case handOver(isNew: Bool)
  }

  /// What is to be released without the lock.
  struct RemovedObserver {
    let observer: StoreObserver
    let interest: RowAudience.Interest?
    let channel: DeliveryChannel?
  }

  /// A handful at most: one a place of delivery.
  private var channels: [DeliveryChannel] = []
  private var sequence: UInt64 = 0
  /// The number of observers that have been added so far.
  private(set) var lastID: UInt64 = 0

  mutating func add(
    on target: DeliveryTarget, interest: StoreInterest, isStarting: Bool,
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

  /// How many observers there are.
  var observerCount: Int { channels.reduce(0) { $0 + $1.allObservers.count } }

  /// The databases whose rows are compared at a commit, to find the observers that it concerns.
  ///
  /// Where a state is waiting, rows are compared once, when it is delivered.
  var comparedFeeds: [RowFeed] {
    if channels.count == 1 { return channels[0].hasOpenState ? [] : channels[0].rows.feeds }
    return channels.flatMap { $0.hasOpenState ? [] : $0.rows.feeds }
  }

  /// Whether there is nobody to tell anything.
  var isEmpty: Bool { channels.isEmpty }

  /// The observers of rows in one place whom a change concerns.
  func rowObservers(of keys: [RowKey], on target: DeliveryTarget) -> [StoreObserver] {
    index(of: target).map { channels[$0].rows.observers(of: keys) } ?? []
  }

  mutating func remove(_ id: UInt64) -> RemovedObserver? {
    for index in channels.indices {
      if let (observer, interest) = channels[index].remove(id) {
        return RemovedObserver(
          observer: observer, interest: interest, channel: closeChannelIfUnused(at: index))
      }
    }
    return nil
  }

  /// Files an observer of rows under what it read; gives what is to be released without the lock.
  mutating func file(
    _ id: UInt64, under reads: RowReads, on target: DeliveryTarget
  ) -> [RowKey] {
    index(of: target).flatMap { channels[$0].file(id, under: reads) } ?? []
  }

  mutating func removeAll() -> [DeliveryChannel] {
    let dropped = channels
    channels = dropped.compactMap { channel in
      // A delivery under way still needs to find its place, empty, to end there.
      guard let drainer = channel.drainer else { return nil }
      var empty = DeliveryChannel(target: channel.target)
      empty.drainer = drainer
      return empty
    }
    return dropped
  }

  /// Whether every event has been delivered.
  var isSilent: Bool {
    channels.allSatisfy(\.events.isEmpty)
  }

  /// Whether there are events that the caller has to deliver or to schedule.
  var isUnattended: Bool {
    channels.contains(where: \.isUnattended)
  }

  /// Posts an event to all observers that it concerns.
  ///
  /// - Returns: What must be released without the lock.
  mutating func post(_ event: StoreEvent, by thread: ThreadIdentity) -> [StoreEvent] {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: nil, poster: thread)
    var outgrown: [StoreEvent] = []
    for index in channels.indices {
      if case .state = event, let coalesced = channels[index].coalesce(event, by: thread) {
        outgrown.append(coalesced)
      } else if channels[index].mayConcern(event) {
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

  /// Keeps the states that wait for passthrough delivery apart from later ones.
  mutating func closePassthroughStates() {
    for index in channels.indices where channels[index].target == .passthrough {
      channels[index].closeState()
    }
  }

  /// Returns the place whose events this thread delivers now, and the places to schedule.
  ///
  /// A thread that is delivering already is given nothing: it comes back when it is done.
  ///
  /// - Parameter handedOver: Places whose events the thread has just left to others.
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

  /// Begins a delivery that was scheduled; `false` when another thread makes it.
  mutating func beginScheduled(_ target: DeliveryTarget, by thread: ThreadIdentity) -> Bool {
    guard let index = index(of: target) else { return false }
    channels[index].isScheduled = false
    guard !channels[index].events.isEmpty, channels[index].drainer == nil else { return false }
    channels[index].drainer = thread
    return true
  }

  /// Takes the next event to be delivered, or ends the delivery.
  ///
  /// Looking and ending are one step under the lock, so no event can slip in between.
  ///
  /// - Parameters:
  ///   - target: The place of delivery, whose events the thread has claimed.
  ///   - share: How many more events of other threads the thread delivers. Its own events do not
  ///     count: they come from observers that it calls.
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
    guard let posted = channels[index].popFirst() else {
      channels[index].drainer = nil
      // Nothing but an empty list is dropped here.
      _ = closeChannelIfUnused(at: index)
      return .stop
    }
    if let addressee = posted.addressee {
      let observer = channels[index].observer(addressee)
      return .deliver(Delivery(posted: posted, observers: observer.map { [$0] } ?? [], feeds: []))
    }
    return .deliver(
      Delivery(
        posted: posted, observers: channels[index].observers(of: posted.event),
        feeds: channels[index].rows.feeds))
  }

  private func index(of target: DeliveryTarget) -> Int? {
    channels.firstIndex { $0.target == target }
  }

  private mutating func openChannel(for target: DeliveryTarget) -> Int {
    if let index = index(of: target) { return index }
    channels.append(DeliveryChannel(target: target))
    return channels.count - 1
  }

  private mutating func closeChannelIfUnused(at index: Int) -> DeliveryChannel? {
    guard !channels[index].hasObservers, channels[index].drainer == nil else { return nil }
    return channels.remove(at: index)
  }
}
