/// Finds out whether a state has a hook of its own, or the one that does nothing: which of the two it
/// is cannot be asked, and a commit should not pay for a hook that does nothing.
enum DefaultReduction {
  private static let mark = ThreadMark()

  /// Called by the hook that does nothing.
  static func note() { mark.set() }

  /// Whether it was the hook that does nothing that a closure called.
  static func isNoted(_ call: () -> Void) -> Bool { mark.isSet(during: call) }
}
