/// Detects whether Observation tracks the current reads of this thread.
///
/// Observation has no API for this. But it stores tracked reads in a set of key paths, and
/// therefore hashes the key paths; untracked reads are not hashed. Hashing a key path with a probe
/// in it sets a flag.
struct TrackingProbe: Hashable, Sendable {
  private static let mark = ThreadFlag()

  /// Returns whether a probe was hashed on this thread during a call.
  static func isNoted(_ access: () -> Void) -> Bool { mark.isSet(during: access) }

  static func == (first: TrackingProbe, second: TrackingProbe) -> Bool { true }

  func hash(into hasher: inout Hasher) { Self.mark.set() }
}
