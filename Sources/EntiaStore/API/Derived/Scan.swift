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
final class ScanMemory<Element, Accumulated: Sendable>: Sendable {
  private let scan: Scan<Element, Accumulated>
  private let accumulated: Mutex<Accumulated>

  init(_ scan: Scan<Element, Accumulated>) {
    self.scan = scan
    accumulated = Mutex(scan.seed)
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
