/// A version of a store's state for those who do not know its type, with what led to it if known.
struct SourceVersion: Sendable {
  let current: AnySnapshot
  var before: AnySnapshot?
  var rows: RowChanges?
}

/// Something with a current value that tells of its changes: a store, or a value derived from one.
///
/// Whatever is derived is a function of one version of one store's state. So several values looked
/// at in one version always fit together.
protocol StateSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// The store behind it.
  var hub: StoreHub { get }

  /// Which of the store's events may concern it.
  var interest: StoreInterest { get }

  /// What is derived from it and shared; `nil` where nothing is.
  var definitions: SharedDefinitions? { get }

  /// What tracks its value for Observation, for all that reads it; `nil` where each has its own.
  var tracking: ValueTracking? { get }

  /// Where its last value is remembered; `nil` where it cannot be read from there alone.
  var outputs: OutputMemory? { get }

  /// What it is in a version of the store's state.
  func value(at version: SourceVersion) -> Snapshot<Value>

  /// Calls `receive` with the current value, unless `dropsFirst`, and after each change.
  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription
}

extension StateSource {
  var definitions: SharedDefinitions? { nil }
  var tracking: ValueTracking? { nil }
  var outputs: OutputMemory? { nil }

  var current: Snapshot<Value> { value(at: SourceVersion(current: hub.current)) }

  /// The current value, read through what tracks it for Observation.
  func trackedValue(_ tracking: any ReadTracking) -> Value {
    guard tracking.willRead(self) else { return current.value }
    // In one step under the lock: later commits must not coalesce with earlier ones, because together
    // they may lead back to the value before this one.
    let snapshot = hub.contents.withLock { contents in
      contents.board.closePassthroughStates()
      return contents.current
    }
    return value(at: SourceVersion(current: snapshot)).value
  }

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

  /// Observes the store, looks at each version through the source, and passes over what is equal.
  func observeValues(
    by equality: Equality<Value>, on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<Snapshot<Value>?>(nil)
    return hub.observeStates(on: target, interest: interest, dropsFirst: dropsFirst) {
      [self] event in
      guard case .state(let snapshot, let before, let rows) = event else { return }
      let known = last.withLock { $0 }
      let previous = known ?? before.map { value(at: SourceVersion(current: $0)) }
      let output = value(at: SourceVersion(current: snapshot, before: before, rows: rows))
      if let previous {
        if previous.version == output.version { return }
        if equality.areSurelyEqual(previous.value, output.value) { return }
      }
      // The observer's calls come one at a time, so nobody else has changed `last` meanwhile.
      last.withLock { $0 = output }
      withExtendedLifetime(known) {}
      receive(output, previous)
    }
  }
}
