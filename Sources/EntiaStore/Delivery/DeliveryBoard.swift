/// Who observes a store where, and what is on its way to them.
///
/// A value under the store's lock: nothing here calls an observer or releases one; what is taken
/// out is handed to the caller.
struct DeliveryBoard<State: Sendable, Activity: Sendable> {
  typealias Channel = DeliveryChannel<State, Activity>
  typealias Observer = StoreObserver<State, Activity>
  typealias Event = StoreEvent<State, Activity>

  /// A handful at most: one a place of delivery.
  private var channels: [Channel] = []
  private var sequence: UInt64 = 0
  private var lastID: UInt64 = 0

  mutating func add(
    on target: DeliveryTarget, interest: StoreInterest, isStarting: Bool,
    receive: @escaping @Sendable (Event) -> Void
  ) -> Observer {
    lastID += 1
    let observer = Observer(
      id: lastID, since: sequence, isStarting: isStarting, receive: receive)
    channels[openChannel(for: target)].add(observer, for: interest)
    return observer
  }

  func contains(_ id: UInt64) -> Bool {
    channels.contains { $0.contains(id) }
  }

  mutating func remove(_ id: UInt64) -> (observer: Observer, channel: Channel?)? {
    for index in channels.indices {
      if let observer = channels[index].remove(id) {
        return (observer, closeChannelIfUnused(at: index))
      }
    }
    return nil
  }

  mutating func removeAll() -> [Channel] {
    let dropped = channels
    channels = dropped.compactMap { channel in
      // A delivery under way still needs to find its place, empty, to end there.
      guard let drainer = channel.drainer else { return nil }
      var empty = Channel(target: channel.target)
      empty.drainer = drainer
      return empty
    }
    return dropped
  }

  /// Puts an event on its way to everybody it concerns.
  mutating func post(_ event: Event) {
    sequence += 1
    let posted = PostedEvent(event: event, sequence: sequence, addressee: nil)
    for index in channels.indices where !channels[index].observers(of: event).isEmpty {
      channels[index].events.append(posted)
    }
  }

  /// Puts an event on its way to one observer.
  mutating func post(_ event: Event, to id: UInt64, on target: DeliveryTarget) {
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
  ) -> (posted: PostedEvent<State, Activity>, observers: [Observer])? {
    guard let index = index(of: target) else { return nil }
    if let posted = channels[index].events.popFirst() {
      return (posted, channels[index].observers(of: posted.event))
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
    channels.append(Channel(target: target))
    return channels.count - 1
  }

  private mutating func closeChannelIfUnused(at index: Int) -> Channel? {
    guard !channels[index].hasObservers, channels[index].drainer == nil else { return nil }
    return channels.remove(at: index)
  }
}
