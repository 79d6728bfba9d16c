/// A value derived from a store: always the result of its derivation for the store's state.
///
/// It is computed when it is first read or delivered, and again only if its input has changed;
/// observers are called only if its result has changed. Immediately after `commit` has returned,
/// `value` is the new value.
///
/// It does not require another reference to the store: after the store has been released, it keeps
/// its last value. A subscription to it retains it; otherwise it is released with its last
/// reference.
///
/// Tracked by Observation: reading `value` in a tracked scope observes its next change. From its
/// first tracked read on, the value is computed after every commit that may affect it, until it is
/// released and no tracked read is pending. Store a derived value that views read in a property,
/// because each instance created from a closure is computed separately.
public final class Derived<Value: Sendable>: Sendable {
  let source: any StateSource<Value>
  let tracking: any ReadTracking
  @usableFromInline let reader: ValueReader

  init(_ source: any StateSource<Value>, tracking: (any ReadTracking)? = nil) {
    self.source = source
    let tracking = tracking ?? source.tracking ?? ValueTracking()
    tracking.addHolder()
    self.tracking = tracking
    reader = ValueReader(source, tracking)
  }

  convenience init<Input>(
    _ derivation: Derivation<Input, Value>, of source: any StateSource<Input>,
    tracking: (any ReadTracking)? = nil
  ) {
    self.init(derivation.core(of: source), tracking: tracking)
  }

  deinit { tracking.removeHolder() }

  /// The current value.
  ///
  /// - Complexity: O(1), without a call of the derivation, while the source is unchanged.
  @inlinable public var value: Value {
    // Most reads have the same version as the read before.
    guard let known = reader.lockCached() else { return computedValue }
    defer { reader.unlockCached() }
    return known._withUnsafeGuaranteedRef { $0.of(Value.self).value }
  }

  @usableFromInline var computedValue: Value {
    source.trackedValue(tracking)
  }

  /// The current value, under the name that it has in a store.
  public var state: Value { value }
}

extension Derived: StateObservable {
  /// The type of the observed values.
  public typealias State = Value

  /// The sequence of values, beginning with the current one. A slow loop skips to the newest value.
  public var states: StoreStates<Value> { StoreStates(source) }
}
