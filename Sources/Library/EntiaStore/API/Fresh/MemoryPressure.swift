#if canImport(Darwin)
  import Dispatch
#endif

/// Calls a function whenever the system is short of memory, until it is canceled. Only Apple
/// platforms report that.
final class MemoryPressure: @unchecked Sendable {
  #if canImport(Darwin)
    // Unchecked because of the source, which Dispatch synchronizes.
    private let source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.warning, .critical], queue: .global(qos: .utility))

    init(_ body: @escaping @Sendable () -> Void) {
      source.setEventHandler { body() }
      source.activate()
    }

    func cancel() { source.cancel() }
  #else
    init(_ body: @escaping @Sendable () -> Void) {}

    func cancel() {}
  #endif
}
