import EntiaDatabase

/// Receives the current value, and the value of the previous call.
typealias ValueReceiver<Value: Sendable> =
  @Sendable (StateVersion<Value>, _ previous: StateVersion<Value>?) -> Void

/// A source of a value and its changes: a store, or a value derived from a store.
///
/// Every derived value is a function of one version of one store's state. Several values read in
/// one version are therefore always consistent.
protocol StateSource<Value>: ObserverSubject {
  associatedtype Value: Sendable

  var broadcaster: StoreBroadcaster { get }

  var isState: Bool { get }

  /// The store's events that may affect the value.
  var observedRegion: ObservedRegion { get }

  /// The shared values derived from this source, or `nil` if it has none.
  var definitions: SharedObjects? { get }

  /// The tracking of the value for Observation, shared by all readers, or `nil` if each reader has
  /// its own.
  var tracking: ValueTracking? { get }

  /// The cache of the last value, or `nil` if the value cannot be read from a cache alone.
  var outputs: OutputCache? { get }

  /// The comparison that detects changes of the value.
  var equality: Equality<Value> { get }

  func value(at version: SourceVersion) -> StateVersion<Value>

  /// Returns the value. If observers are registered for the rows from which the value is computed,
  /// also returns these rows.
  func read(at version: SourceVersion) -> (value: StateVersion<Value>, reads: RowReads?)

  /// Calls `receive` with the current value, unless `dropsFirst`, and after each change.
  func observe(
    on target: DeliveryTarget, dropsFirst: Bool, receive: @escaping ValueReceiver<Value>
  ) -> StoreSubscription
}

extension StateSource {
  var isState: Bool { false }
  var subject: String { TypeName.of(Value.self) }
  var definitions: SharedObjects? { nil }
  var tracking: ValueTracking? { nil }
  var outputs: OutputCache? { nil }
  var equality: Equality<Value> { Equality() }

  func read(at version: SourceVersion) -> (value: StateVersion<Value>, reads: RowReads?) {
    (value(at: version), nil)
  }

  var current: StateVersion<Value> { value(at: SourceVersion(current: broadcaster.current)) }

  /// Returns the current value, and registers the read with Observation.
  func trackedValue(_ tracking: any ReadTracking) -> Value {
    guard tracking.registerRead(self) else { return current.value }
    // A commit after this read must not coalesce with a commit before it. Otherwise the two commits
    // together could restore an older value, and Observation would not be notified of the second
    // one. The waiting states are therefore closed and the version is read under one lock.
    let version = broadcaster.contents.withLock { contents in
      contents.delivery.closePassthroughStates()
      return contents.current
    }
    return value(at: SourceVersion(current: version)).value
  }

  /// The current value, for readers that store no `ReadTracking`. Reading this property registers
  /// the read with Observation.
  var observedValue: Value {
    let tracking = tracking ?? ValueTracking()
    guard tracking.isTracked else { return current.value }
    // The holder is needed only during the read. Afterwards, the observation continues as long as
    // the read is pending.
    tracking.addHolder()
    defer { tracking.removeHolder() }
    return trackedValue(tracking)
  }

  /// Observes the store, reads the source's value in each version, and ignores equal values.
  func observe(
    on target: DeliveryTarget, dropsFirst: Bool, receive: @escaping ValueReceiver<Value>
  ) -> StoreSubscription {
    let equality = equality
    let last = Mutex<StateVersion<Value>?>(nil)
    return broadcaster.observe(
      on: target, observedRegion: observedRegion, of: self, dropsFirst: dropsFirst
    ) { [self] event in
      guard case .state(let current, let before, let rows) = event else { return nil }
      let known = last.withLock { $0 }
      let previous = known ?? before.map { value(at: SourceVersion(current: $0)) }
      let version = SourceVersion(current: current, before: before, rows: rows)
      let (output, reads) = read(at: version)
      if let previous {
        if previous.version == output.version { return reads }
        if equality.areSurelyEqual(previous.value, output.value) { return reads }
      }
      // The observer is called for one event at a time, so no other call has changed `last`
      // meanwhile.
      last.withLock { $0 = output }
      withExtendedLifetime(known) {}
      receive(output, previous)
      return reads
    }
  }
}

/// Tracks the reads of a derived value for Observation, and notifies Observation of the value's
/// changes.
protocol ReadTracking: Sendable {
  var isTracked: Bool { get }

  /// Registers an additional object that reads the value through this tracking.
  func addHolder()

  /// Registers a read of a source's value with Observation; called before the read.
  ///
  /// - Returns: Whether the read is tracked.
  func registerRead(_ source: any StateSource) -> Bool

  /// Unregisters an object that `addHolder()` registered, after the object has been released.
  /// Tracked reads may still be pending.
  func removeHolder()
}

/// The tracking of rows for Observation. Readers are looked up by the keys of the rows.
struct TrackedRows: ReadTracking {
  let tracking: RowTracking
  let rows: RowObserverIndex.ObservedRows

  var isTracked: Bool { tracking.isTracked }
  func addHolder() {}
  func registerRead(_ source: any StateSource) -> Bool { tracking.registerRead(rows) }
  func removeHolder() {}
}

/// Returns the text of a key path without its root: `library.books` for `\AppState.library.books`,
/// and `state` for the root itself.
func pathName(_ path: AnyKeyPath) -> String {
  let text = String(describing: path)
  // The description of an identity key path ends in `self`.
  guard let dot = text.firstIndex(of: "."), text[dot...] != ".self" else { return "state" }
  return String(text[text.index(after: dot)...])
}
