import Dispatch

/// Where observers are called: what both public kinds of queue come down to.
enum DeliveryTarget: Equatable, Sendable {
  case passthrough
  case main
  case asyncMain
  case queue(DispatchQueue)
  case actor(any Actor)

  static func == (first: DeliveryTarget, second: DeliveryTarget) -> Bool {
    switch (first, second) {
    case (.passthrough, .passthrough), (.main, .main), (.asyncMain, .asyncMain): true
    case (.queue(let first), .queue(let second)): first === second
    case (.actor(let first), .actor(let second)): first === second
    default: false
    }
  }

  /// Whether observers may be called right here, without going through a queue.
  func isHere(onMain: Bool) -> Bool {
    switch self {
    case .passthrough: true
    case .main: onMain
    case .asyncMain, .queue, .actor: false
    }
  }

  /// Whether a delivery that has been scheduled is left to the queue.
  ///
  /// A passthrough delivery is scheduled when observers cannot keep up with the commits of several
  /// threads, which then need not deliver. The main actor delivers what is scheduled for it as soon
  /// as it commits itself.
  var waitsForSchedule: Bool {
    switch self {
    case .main: false
    case .passthrough, .asyncMain, .queue, .actor: true
    }
  }

  /// Runs a delivery later, where it belongs.
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
