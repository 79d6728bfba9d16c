extension StateSource {
  /// Observes the source on an actor.
  func sink<Place: Actor>(
    on place: Place, dropsFirst: Bool,
    receive: @escaping @Sendable (isolated Place, Changes<Value>) -> Void
  ) -> StoreSubscription {
    observe(on: .actor(place), dropsFirst: dropsFirst) { current, previous in
      // Deliveries to an actor run only on that actor.
      place.assumeIsolated { receive($0, Changes(current, previous: previous)) }
    }
  }
}
