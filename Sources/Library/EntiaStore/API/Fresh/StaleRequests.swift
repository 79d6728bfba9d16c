import EntiaDatabase
import Foundation

/// The requests of a store that should be sent again, as an asynchronous sequence; see
/// ``StorePart/stale(_:of:in:within:every:now:)``.
public struct StaleRequests<Request: Hashable & Sendable>: AsyncSequence, Sendable {
  /// A request whose answer is observed.
  struct Observed: Sendable {
    let request: Request
    /// The time of the answer, or `nil` if there is none.
    let receivedAt: Date?
    let isInvalidated: Bool
  }

  let duration: Duration
  let interval: Duration
  let now: @Sendable () -> Date
  /// Returns the observed requests, or `nil` if the store does not exist any more.
  let observed: @Sendable () -> [Observed]?

  /// Returns an iterator that checks the answers from now on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }

  /// The requests of one loop.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// A request that was returned, and its answer at that time.
    private struct Returned {
      let time: Date
      let receivedAt: Date?
      let isInvalidated: Bool
    }

    private let sequence: StaleRequests
    private var returned: [Request: Returned] = [:]

    fileprivate init(sequence: StaleRequests) { self.sequence = sequence }

    /// Returns the next request that should be sent again; `nil` when the store does not exist any
    /// more or the task is canceled.
    public mutating func next() async -> Request? {
      while !Task.isCancelled, let observed = sequence.observed() {
        if let stale = observed.first(where: isDue) {
          returned[stale.request] = Returned(
            time: sequence.now(), receivedAt: stale.receivedAt, isInvalidated: stale.isInvalidated)
          return stale.request
        }
        let requests = Set(observed.map(\.request))
        returned = returned.filter { requests.contains($0.key) }
        do { try await Task.sleep(for: sequence.interval) } catch { return nil }
      }
      return nil
    }

    private func isDue(_ observed: Observed) -> Bool {
      let now = sequence.now()
      if !observed.isInvalidated, let time = observed.receivedAt, isRecent(time, now) {
        return false
      }
      guard let last = returned[observed.request] else { return true }
      return last.receivedAt != observed.receivedAt || last.isInvalidated != observed.isInvalidated
        || !isRecent(last.time, now)
    }

    private func isRecent(_ time: Date, _ now: Date) -> Bool {
      isFresh(receivedAt: time, within: sequence.duration, at: now)
    }
  }
}
