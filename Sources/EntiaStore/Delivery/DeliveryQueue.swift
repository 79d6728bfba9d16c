public import Dispatch

/// Where an observer that does not belong to the main actor is told of a change.
public struct DeliveryQueue: Sendable {
  let target: DeliveryTarget

  /// On the thread that commits, before `commit` returns.
  ///
  /// When several threads commit at once, the one that is already telling its observers tells
  /// them of the other commits too, in their order, and those return without waiting for it. The
  /// same holds for a commit made by an observer: it is told when everybody has been told of the
  /// commit before.
  public static let passthrough = DeliveryQueue(target: .passthrough)

  /// Later, on a queue of your own.
  ///
  /// One observer is called at a time even when the queue is a concurrent one.
  public static func asyncSerialQueue(_ queue: DispatchQueue) -> DeliveryQueue {
    DeliveryQueue(target: .queue(queue))
  }
}
