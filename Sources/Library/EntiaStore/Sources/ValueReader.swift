/// A reader of an already computed derived value, independent of its type.
@usableFromInline
final class ValueReader: Sendable {
  private let broadcaster: StoreBroadcaster
  private let cache: OutputCache?
  private let tracking: any ReadTracking

  init(_ source: some StateSource, _ tracking: any ReadTracking) {
    broadcaster = source.broadcaster
    cache = source.outputs
    self.tracking = tracking
  }

  /// Returns the value for the current state, or `nil` if it has not been computed, or if
  /// Observation tracks the current reads of this thread. The value is not retained: the caller
  /// must call `unlockCached()` after copying it.
  @usableFromInline
  func lockCached() -> Unmanaged<AnyStateVersion>? {
    guard let cache, !tracking.isTracked else { return nil }
    return cache.lockOutput(atRoot: broadcaster.version)
  }

  /// Releases the lock after `lockCached()` has returned a value.
  @usableFromInline
  func unlockCached() { cache?.unlockOutput() }
}
