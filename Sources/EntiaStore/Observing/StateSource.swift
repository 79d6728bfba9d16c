/// Something with a current value that tells of its changes: a store, or a value derived from one.
protocol StateSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  var current: Snapshot<Value> { get }

  /// Calls `receive` with the current value, unless `dropsFirst`, and after each change.
  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription
}

extension StateSource {
  func sink(
    on queue: MainActorQueue, dropsFirst: Bool,
    receive: @escaping @MainActor @Sendable (Changes<Value>) -> Void
  ) -> StoreSubscription {
    observe(on: queue.target, dropsFirst: dropsFirst) { current, previous in
      // Both of these queues deliver on the main actor only.
      MainActor.assumeIsolated { receive(Changes(current, previous: previous)) }
    }
  }

  func sink(
    on queue: DeliveryQueue, dropsFirst: Bool,
    receive: @escaping @Sendable (Changes<Value>) -> Void
  ) -> StoreSubscription {
    observe(on: queue.target, dropsFirst: dropsFirst) { current, previous in
      receive(Changes(current, previous: previous))
    }
  }
}
