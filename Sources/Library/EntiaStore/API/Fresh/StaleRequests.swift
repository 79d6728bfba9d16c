import EntiaDatabase
import Foundation

/// Finds the requests of a store that should be sent again; see
/// ``StorePart/stale(_:of:in:within:every:now:)``.
actor StaleRequests<Request: Hashable & Sendable> {
  /// A request whose answer is observed.
  struct Observed: Sendable {
    let request: Request
    /// The time of the answer, or `nil` if there is none.
    let receivedAt: Date?
    let isInvalidated: Bool
  }

  /// A request that was returned, and its answer at that time.
  private struct Returned {
    let time: Date
    let receivedAt: Date?
    let isInvalidated: Bool
  }

  private let duration: Duration
  private let interval: Duration
  private let now: @Sendable () -> Date
  /// Returns the observed requests, or `nil` if the store does not exist any more.
  private let observed: @Sendable () -> [Observed]?
  private var returned: [Request: Returned] = [:]

  init(
    duration: Duration, interval: Duration, now: @escaping @Sendable () -> Date,
    observed: @escaping @Sendable () -> [Observed]?
  ) {
    self.duration = duration
    self.interval = interval
    self.now = now
    self.observed = observed
  }

  /// Returns the next request that should be sent again; `nil` when the store does not exist any
  /// more or the task is canceled.
  func next() async -> Request? {
    while !Task.isCancelled, let observed = observed() {
      if let stale = observed.first(where: isDue) {
        returned[stale.request] = Returned(
          time: now(), receivedAt: stale.receivedAt, isInvalidated: stale.isInvalidated)
        return stale.request
      }
      let requests = Set(observed.map(\.request))
      returned = returned.filter { requests.contains($0.key) }
      do { try await Task.sleep(for: interval) } catch { return nil }
    }
    return nil
  }

  private func isDue(_ observed: Observed) -> Bool {
    let now = now()
    if !observed.isInvalidated, let time = observed.receivedAt, isRecent(time, now) {
      return false
    }
    guard let last = returned[observed.request] else { return true }
    return last.receivedAt != observed.receivedAt || last.isInvalidated != observed.isInvalidated
      || !isRecent(last.time, now)
  }

  private func isRecent(_ time: Date, _ now: Date) -> Bool {
    isFresh(receivedAt: time, within: duration, at: now)
  }
}
