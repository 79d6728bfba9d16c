/// Detects whether a state implements its own hook or uses the default one. Swift cannot query
/// this, and a commit should not pay for a hook that does nothing.
enum DefaultReduction {
  private static let mark = ThreadFlag()

  /// Records a call of the default hook.
  static func note() { mark.set() }

  /// Returns whether a closure calls the default hook.
  static func isNoted(_ call: () -> Void) -> Bool { mark.isSet(during: call) }
}
