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

  /// Runs a delivery later, where it belongs.
  func schedule(_ delivery: @escaping @Sendable () -> Void) {
    switch self {
    case .passthrough: delivery()
    case .main, .asyncMain: DispatchQueue.main.async(execute: delivery)
    case .queue(let queue): queue.async(execute: delivery)
    case .actor(let actor): Task { await Self.run(delivery, on: actor) }
    }
  }

  private static func run(_ delivery: @Sendable () -> Void, on actor: isolated any Actor) {
    delivery()
  }
}
