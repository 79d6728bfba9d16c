/// When the main actor is told of a change.
public struct MainActorQueue: Sendable {
  let target: DeliveryTarget

  /// At once when the change is made on the main actor, otherwise as soon as it is free.
  ///
  /// Changes still on their way to the main actor are always told first.
  public static let main = MainActorQueue(target: .main)

  /// Later, also when the change is made on the main actor.
  public static let asyncMain = MainActorQueue(target: .asyncMain)
}
