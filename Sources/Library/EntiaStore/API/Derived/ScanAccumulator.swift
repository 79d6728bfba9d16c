/// The accumulated value of one observer.
final class ScanAccumulator<Element, Accumulated: Sendable>: Sendable {
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
