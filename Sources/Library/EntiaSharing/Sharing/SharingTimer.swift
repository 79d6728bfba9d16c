import Dispatch

struct SharingTimer: Sendable {
  static let firstDelay = Duration.milliseconds(50)
  static let longestDelay = Duration.seconds(2)

  /// Calls a closure after a delay, on any thread.
  let after: @Sendable (_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Void

  /// The timer of the system; tests use another one.
  static let system = SharingTimer { delay, body in
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: body)
  }

  /// Returns the delay before the next attempt. `delay` is the delay before the previous attempt.
  static func delay(after delay: Duration) -> Duration { min(delay * 2, longestDelay) }
}
