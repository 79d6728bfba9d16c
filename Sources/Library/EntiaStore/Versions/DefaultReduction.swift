/// Detects whether a state implements its own hook or uses the default one. Swift cannot query
/// this, and a commit should not pay for a hook that does nothing.
enum DefaultReduction {
  private static let flag = ThreadFlag()

  /// Records a call of the default hook.
  static func recordCall() { flag.set() }

  /// Returns whether a closure calls the default hook.
  static func isCalled(during call: () -> Void) -> Bool { flag.isSet(during: call) }
}
