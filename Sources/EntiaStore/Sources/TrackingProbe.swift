/// Detects whether Observation tracks the current reads of this thread.
///
/// Observation has no API for this. But it stores tracked reads in a set of key paths, and
/// therefore hashes the key paths; untracked reads are not hashed. Hashing a key path with a probe
/// in it sets a flag.
struct TrackingProbe: Hashable, Sendable {
  private static let flag = ThreadFlag()

  /// Returns whether a probe was hashed on this thread during a call.
  static func isHashed(during access: () -> Void) -> Bool { flag.isSet(during: access) }

  static func == (lhs: TrackingProbe, rhs: TrackingProbe) -> Bool { true }

  func hash(into hasher: inout Hasher) { Self.flag.set() }
}
