/// An accumulation over the calls of an observer.
///
/// ```swift
/// let calls = Scan<Changes<AppState>, Int>(seed: 0) { count, state in count += 1 }
/// store.sinkState(scan: calls) { state, count in print("call \(count)") }
/// ```
public struct Scan<Element, Accumulated: Sendable>: Sendable {
  /// The accumulated value before the first call.
  public let seed: Accumulated
  /// The function that adds an element to the accumulated value.
  public let accumulate: @Sendable (_ accumulated: inout Accumulated, _ element: Element) -> Void

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - seed: The accumulated value before the first call.
  ///   - accumulate: A function that adds an element to the accumulated value.
  public init(
    seed: Accumulated,
    accumulate: @escaping @Sendable (_ accumulated: inout Accumulated, _ element: Element) -> Void
  ) {
    self.seed = seed
    self.accumulate = accumulate
  }
}

/// The accumulated value of one observer.
private final class ScanMemory<Element, Accumulated: Sendable>: Sendable {
  private let scan: Scan<Element, Accumulated>
  private let accumulated: Protected<Accumulated>

  init(_ scan: Scan<Element, Accumulated>) {
    self.scan = scan
    accumulated = Protected(scan.seed)
  }

  /// Adds an element, and returns the accumulated value.
  func add(_ element: Element) -> Accumulated {
    let before = accumulated.withLock { $0 }
    var after = before
    scan.accumulate(&after, element)
    // The observer is called for one event at a time, so no element has been added meanwhile.
    accumulated.withLock { $0 = after }
    withExtendedLifetime(before) {}
    return after
  }
}

extension Store {
  /// Calls a closure on the main actor with the state and the accumulated value of a scan,
  /// immediately and after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan, which accumulates for this observer alone.
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - receive: A closure that is called with the state and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, queue: MainActorQueue = .main,
    dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanMemory(scan)
    return sinkState(queue: queue, dropsFirst: dropsFirst) { receive($0, memory.add($0)) }
  }

  /// Calls a closure on a queue with the state and the accumulated value of a scan, immediately and
  /// after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan, which accumulates for this observer alone.
  ///   - queue: The queue on which the closure is called.
  ///   - dropsFirst: Whether to omit the call with the current state.
  ///   - receive: A closure that is called with the state and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<State>, Accumulated>, queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<State>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanMemory(scan)
    return sinkState(queue: queue, dropsFirst: dropsFirst) { receive($0, memory.add($0)) }
  }
}

extension Derived {
  /// Calls a closure on the main actor with the value and the accumulated value of a scan,
  /// immediately and after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan, which accumulates for this observer alone.
  ///   - queue: The queue of the main actor; by default, the closure is called immediately if
  ///     possible.
  ///   - dropsFirst: Whether to omit the call with the current value.
  ///   - receive: A closure that is called with the value and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<Value>, Accumulated>, queue: MainActorQueue = .main,
    dropsFirst: Bool = false,
    receive: @escaping @MainActor @Sendable (Changes<Value>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanMemory(scan)
    return sinkState(queue: queue, dropsFirst: dropsFirst) { receive($0, memory.add($0)) }
  }

  /// Calls a closure on a queue with the value and the accumulated value of a scan, immediately and
  /// after each change.
  ///
  /// - Parameters:
  ///   - scan: The scan, which accumulates for this observer alone.
  ///   - queue: The queue on which the closure is called.
  ///   - dropsFirst: Whether to omit the call with the current value.
  ///   - receive: A closure that is called with the value and the accumulated value.
  /// - Returns: The subscription, which ends when it is released.
  public func sinkState<Accumulated: Sendable>(
    scan: Scan<Changes<Value>, Accumulated>, queue: DeliveryQueue, dropsFirst: Bool = false,
    receive: @escaping @Sendable (Changes<Value>, Accumulated) -> Void
  ) -> StoreSubscription {
    let memory = ScanMemory(scan)
    return sinkState(queue: queue, dropsFirst: dropsFirst) { receive($0, memory.add($0)) }
  }
}
