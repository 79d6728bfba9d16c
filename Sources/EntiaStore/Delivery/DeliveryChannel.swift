/// The observers that are called in one place, and the events they have not been told yet.
///
/// One thread at a time empties a channel; the others only add to it. That keeps events in order
/// and keeps an observer that commits from being called inside itself. Lives under the store's
/// lock.
struct DeliveryChannel<State: Sendable, Activity: Sendable> {
  typealias Observer = StoreObserver<State, Activity>

  let target: DeliveryTarget
  private(set) var stateObservers: [Observer] = []
  private(set) var activityObservers: [Observer] = []
  var events = FirstInFirstOut<PostedEvent<State, Activity>>()
  /// The thread that is telling the observers just now.
  var drainer: ThreadIdentity?
  /// Whether a delivery has been put on the target's queue and has not begun.
  var isScheduled = false

  init(target: DeliveryTarget) {
    self.target = target
  }

  var hasObservers: Bool { !stateObservers.isEmpty || !activityObservers.isEmpty }

  func observers(of event: StoreEvent<State, Activity>) -> [Observer] {
    switch event {
    case .state: stateObservers
    case .activity: activityObservers
    }
  }

  mutating func add(_ observer: Observer, for interest: StoreInterest) {
    switch interest {
    case .states: stateObservers.append(observer)
    case .activities: activityObservers.append(observer)
    }
  }

  func contains(_ id: UInt64) -> Bool {
    Self.index(of: id, in: stateObservers) != nil
      || Self.index(of: id, in: activityObservers) != nil
  }

  mutating func remove(_ id: UInt64) -> Observer? {
    if let index = Self.index(of: id, in: stateObservers) {
      return stateObservers.remove(at: index)
    }
    if let index = Self.index(of: id, in: activityObservers) {
      return activityObservers.remove(at: index)
    }
    return nil
  }

  /// Finds an observer by halving: they come in the order of their numbers.
  private static func index(of id: UInt64, in observers: [Observer]) -> Int? {
    var lower = 0
    var upper = observers.count
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if observers[middle].id < id { lower = middle + 1 } else { upper = middle }
    }
    return lower < observers.count && observers[lower].id == id ? lower : nil
  }
}

/// What an observer wants to be told.
enum StoreInterest: Sendable {
  case states
  case activities
}
