import Dispatch

/// The delays between saves: the pause after one that succeeds, and the delays between the attempts
/// of one that fails.
struct SaveTimer: Sendable {
  static let firstDelay = Duration.milliseconds(100)
  static let longestDelay = Duration.seconds(4)
  /// The sum of the delays after which saves that are ending, because the store or the keepers have
  /// been released, are not tried again.
  static let longestEnding = Duration.seconds(60)

  /// The pause after a save, in which another one begins only when a call waits for it. It is the
  /// longest delay that a commit's save has because of the saves before it.
  var pause: Duration
  /// Calls a closure after a delay, on any thread.
  let after: @Sendable (_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Void

  /// The timer outside tests.
  static let system = SaveTimer(pause: .milliseconds(10)) { delay, body in
    DispatchQueue.global().asyncAfter(deadline: .now() + delay.interval, execute: body)
  }

  /// Returns the delay after another one that was not enough.
  static func delay(after delay: Duration) -> Duration { min(delay * 2, longestDelay) }
}

extension Duration {
  /// The duration for Dispatch, at most a day.
  var interval: DispatchTimeInterval {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(86_400)).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
