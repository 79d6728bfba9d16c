/// A reader of an already computed derived value, independent of its type.
@usableFromInline
final class ValueReader: Sendable {
  private let broadcaster: StoreBroadcaster
  private let memory: OutputMemory?
  private let tracking: any ReadTracking

  init(_ source: some StateSource, _ tracking: any ReadTracking) {
    broadcaster = source.broadcaster
    memory = source.outputs
    self.tracking = tracking
  }

  /// Returns the value for the current state, or `nil` if it has not been computed, or if
  /// Observation tracks the current reads of this thread.
  @usableFromInline
  func remembered() -> AnyStateVersion? {
    guard let memory, !tracking.isNoted else { return nil }
    return memory.output(atRoot: broadcaster.version)
  }
}
