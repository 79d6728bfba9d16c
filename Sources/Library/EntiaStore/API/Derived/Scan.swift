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
