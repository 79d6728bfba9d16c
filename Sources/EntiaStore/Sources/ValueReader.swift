/// Reads a derived value that has been computed, without knowing its type.
@usableFromInline
final class ValueReader: Sendable {
  private let hub: StoreHub
  private let memory: OutputMemory?
  private let tracking: any ReadTracking

  init(_ source: some StateSource, _ tracking: any ReadTracking) {
    hub = source.hub
    memory = source.outputs
    self.tracking = tracking
  }

  /// The value for the current state; `nil` where it has still to be computed, or somebody tracks
  /// what this thread reads.
  @usableFromInline
  func remembered() -> AnySnapshot? {
    guard let memory, !tracking.isNoted else { return nil }
    return memory.output(atRoot: hub.version)
  }
}
