/// Finds out whether somebody tracks what this thread reads just now.
///
/// Observation does not say so. But it notes what is read in a set of key paths, and for that it
/// hashes them; what is read outside of a tracking is not hashed. A path with a probe in it notices.
struct ReadProbe: Hashable, Sendable {
  private static let mark = ThreadMark()

  /// Whether a probe was hashed on this thread during a call.
  static func isNoted(_ access: () -> Void) -> Bool { mark.isSet(during: access) }

  static func == (first: ReadProbe, second: ReadProbe) -> Bool { true }

  func hash(into hasher: inout Hasher) { Self.mark.set() }
}
