import Dispatch

/// The target of a delivery; both public kinds of queue are converted to it.
enum DeliveryTarget: Equatable, Sendable {
  case passthrough
  case main
  case asyncMain
  case queue(DispatchQueue)
  case actor(any Actor)

  static func == (lhs: DeliveryTarget, rhs: DeliveryTarget) -> Bool {
    switch (lhs, rhs) {
    case (.passthrough, .passthrough), (.main, .main), (.asyncMain, .asyncMain): true
    case (.queue(let lhs), .queue(let rhs)): lhs === rhs
    case (.actor(let lhs), .actor(let rhs)): lhs === rhs
    default: false
    }
  }

  /// Returns whether observers may be called directly, without a queue.
  func isHere(onMain: Bool) -> Bool {
    switch self {
    case .passthrough: true
    case .main: onMain
    case .asyncMain, .queue, .actor: false
    }
  }

  /// Whether a scheduled delivery is left to the queue.
  ///
  /// A passthrough delivery is scheduled if observers cannot keep up with the commits of several
  /// threads, which then do not deliver themselves. A commit on the main actor delivers the events
  /// that are scheduled for it.
  var waitsForSchedule: Bool {
    switch self {
    case .main: false
    case .passthrough, .asyncMain, .queue, .actor: true
    }
  }

  /// Schedules a delivery on the target.
  func schedule(_ delivery: @escaping @Sendable () -> Void) {
    switch self {
    case .passthrough: DispatchQueue.global().async(execute: delivery)
    case .main, .asyncMain: DispatchQueue.main.async(execute: delivery)
    case .queue(let queue): queue.async(execute: delivery)
    case .actor(let actor): Task { await Self.run(delivery, on: actor) }
    }
  }

  private static func run(_ delivery: @Sendable () -> Void, on actor: isolated any Actor) {
    delivery()
  }
}
