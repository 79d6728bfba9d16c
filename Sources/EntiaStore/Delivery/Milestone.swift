/// Calls a closure when everything posted before it has been delivered on all targets, which is
/// when the last queue releases it.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}
