public import Dispatch

/// The queue of an observer that is not isolated to the main actor.
///
/// States coalesce: an observer that falls behind is called once with the newest state, whose
/// `previous` is the state of its last call, regardless of the number of commits in between.
/// Commits that together lead back to an equal state are not a change. Activities do not coalesce:
/// each is delivered, in order, after the state that was committed before it or a later one. An
/// observer that keeps up is called exactly once for each commit that changed its value.
public struct DeliveryQueue: Sendable {
  let target: DeliveryTarget

  /// Calls observers on the committing thread, before `commit` returns, as long as the observers
  /// keep up.
  ///
  /// If several threads commit concurrently, the thread that is already calling the observers also
  /// delivers the other commits, which return without waiting. It delivers a bounded number of
  /// them; the rest is delivered on a system queue, after `commit` has returned. A commit made by
  /// an observer is delivered on the same thread when the current delivery has ended.
  public static let passthrough = DeliveryQueue(target: .passthrough)

  /// Calls observers asynchronously on a custom queue.
  ///
  /// Only one observer is called at a time, even if the queue is concurrent.
  public static func asyncSerialQueue(_ queue: DispatchQueue) -> DeliveryQueue {
    DeliveryQueue(target: .queue(queue))
  }
}
