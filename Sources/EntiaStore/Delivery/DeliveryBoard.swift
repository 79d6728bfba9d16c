/// Who observes a store where, and what is on its way to them.
///
/// A value under the store's lock: nothing here calls an observer or releases one; what is taken
/// out is handed to the caller.
struct DeliveryBoard {
  /// An event to be delivered now.
  struct Delivery {
    let posted: PostedEvent
    /// Whom it concerns whatever changed.
    let observers: [StoreObserver]
    /// The databases with observers of rows, who are found by what changed.
    let feeds: [RowFeed]
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
  private var lastID: UInt64 = 0

  mutating func add(
    on target: DeliveryTarget, interest: StoreInterest, isStarting: Bool,
    receive: @escaping StoreObserver.Receive
  ) -> StoreObserver {
    lastID += 1
    let observer = StoreObserver(
      id: lastID, since: sequence, isStarting: isStarting, receive: receive)
    channels[openChannel(for: target)].add(observer, for: interest)
    return observer
  }

  func contains(_ id: UInt64) -> Bool {
    channels.contains { $0.contains(id) }
  }

  /// The databases whose rows are observed anywhere.
  var observedFeeds: [RowFeed] {
    channels.count == 1 ? channels[0].rows.feeds : channels.flatMap(\.rows.feeds)
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

  /// Whether nothing is on its way to anybody.
  var isSilent: Bool {
    channels.allSatisfy(\.events.isEmpty)
  }

  /// Puts an event on its way to everybody it concerns.
  mutating func post(_ event: StoreEvent) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: nil)
    for index in channels.indices where channels[index].mayConcern(event) {
      channels[index].events.append(posted)
    }
  }

  /// Puts an event on its way to one observer.
  mutating func post(_ event: StoreEvent, to id: UInt64, on target: DeliveryTarget) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: id)
    channels[openChannel(for: target)].events.append(posted)
  }

  /// Gives the place whose events this thread is to deliver now, and the queues to be woken.
  ///
  /// A thread that is delivering already is given nothing: it comes back when it is done.
  mutating func claim(
    by thread: ThreadIdentity, onMain: Bool
  ) -> (here: DeliveryTarget?, elsewhere: [DeliveryTarget]) {
    let isBusy = channels.contains { $0.drainer == thread }
    var elsewhere: [DeliveryTarget] = []
    for index in channels.indices {
      guard !channels[index].events.isEmpty, channels[index].drainer == nil else { continue }
      if channels[index].target.isHere(onMain: onMain) {
        guard !isBusy else { continue }
        channels[index].drainer = thread
        return (channels[index].target, elsewhere)
      }
      if !channels[index].isScheduled {
        channels[index].isScheduled = true
        elsewhere.append(channels[index].target)
      }
    }
    return (nil, elsewhere)
  }

  /// Begins a delivery that was scheduled; `false` when somebody else sees to it.
  mutating func beginScheduled(_ target: DeliveryTarget, by thread: ThreadIdentity) -> Bool {
    guard let index = index(of: target) else { return false }
    channels[index].isScheduled = false
    guard !channels[index].events.isEmpty, channels[index].drainer == nil else { return false }
    channels[index].drainer = thread
    return true
  }

  /// Takes the next event to be delivered, or ends the delivery when there is none.
  ///
  /// Looking and ending are one step under the lock, so no event can slip in between.
  mutating func nextDelivery(
    on target: DeliveryTarget
  ) -> Delivery? {
    guard let index = index(of: target) else { return nil }
    if let posted = channels[index].events.popFirst() {
      if let addressee = posted.addressee {
        let observer = channels[index].observer(addressee)
        return Delivery(posted: posted, observers: observer.map { [$0] } ?? [], feeds: [])
      }
      return Delivery(
        posted: posted, observers: channels[index].observers(of: posted.event),
        feeds: channels[index].rows.feeds)
    }
    channels[index].drainer = nil
    // Nothing but an empty list is dropped here.
    _ = closeChannelIfUnused(at: index)
    return nil
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
