import EntiaStore

/// A clock that advances by one millisecond each time it is read.
final class StepClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let count = Mutex(0)

  /// The number of times that the clock has been read.
  var reads: Int { count.withLock { $0 } }

  var now: Instant {
    Instant(
      offset: .milliseconds(
        count.withLock { count in
          count += 1
          return count
        }))
  }

  var minimumResolution: Duration { .milliseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
