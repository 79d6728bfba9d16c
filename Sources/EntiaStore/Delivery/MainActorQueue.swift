/// When an observer on the main actor is called.
///
/// States coalesce and activities do not, as ``DeliveryQueue`` says. What is delivered later goes
/// through the main queue, a bounded number of events at a time; in a program whose main queue never
/// runs, only what is committed on the main actor itself is delivered.
public struct MainActorQueue: Sendable {
  let target: DeliveryTarget

  /// At once when the change is made on the main actor, otherwise as soon as it is free.
  ///
  /// Changes that wait for the main actor are delivered with it.
  public static let main = MainActorQueue(target: .main)

  /// Later, also when the change is made on the main actor.
  public static let asyncMain = MainActorQueue(target: .asyncMain)
}
