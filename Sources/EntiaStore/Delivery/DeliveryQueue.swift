public import Dispatch

/// Where an observer that does not belong to the main actor is called.
///
/// States coalesce: an observer that is behind is called once with the newest state, whose `previous`
/// is that of its last call, however many commits there were in between. Commits that together lead
/// back to an equal state are no change. Activities do not coalesce: each is delivered, in order, after
/// the state that was committed before it or a later one. An observer that keeps up is called exactly
/// once for each commit that changed its value.
public struct DeliveryQueue: Sendable {
  let target: DeliveryTarget

  /// On the thread that commits, before `commit` returns, as long as the observers keep up.
  ///
  /// When several threads commit at once, the one that is already calling the observers calls them for
  /// the other commits too, and those return without waiting for it. It delivers a bounded number of
  /// them; what is left then is delivered on a queue of the system, after `commit` has returned. A
  /// commit made by an observer is delivered when the delivery under way has ended, on the same
  /// thread.
  public static let passthrough = DeliveryQueue(target: .passthrough)

  /// Later, on a queue of your own.
  ///
  /// One observer is called at a time even when the queue is a concurrent one.
  public static func asyncSerialQueue(_ queue: DispatchQueue) -> DeliveryQueue {
    DeliveryQueue(target: .queue(queue))
  }
}
