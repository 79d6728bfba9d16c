/// Calls a closure when everything that was posted before the milestone has been delivered on all
/// targets. At that time the last queue releases the milestone.
final class Milestone: Sendable {
  private let reached: @Sendable () -> Void

  init(_ reached: @escaping @Sendable () -> Void) { self.reached = reached }

  deinit { reached() }
}
