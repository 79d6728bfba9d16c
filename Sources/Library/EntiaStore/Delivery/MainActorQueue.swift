/// The queue of an observer that is isolated to the main actor.
///
/// States coalesce and activities do not, as described in ``DeliveryQueue``. Asynchronous
/// deliveries use the main queue, a bounded number of events at a time. In a program whose main
/// queue never runs, only commits on the main actor are delivered.
public struct MainActorQueue: Sendable {
  let target: DeliveryTarget

  /// Calls observers immediately if the change is made on the main actor, otherwise as soon as the
  /// main actor is free.
  ///
  /// An immediate delivery includes the changes that are already waiting for the main actor.
  public static let main = MainActorQueue(target: .main)

  /// Calls observers asynchronously, even if the change is made on the main actor.
  public static let asyncMain = MainActorQueue(target: .asyncMain)
}
