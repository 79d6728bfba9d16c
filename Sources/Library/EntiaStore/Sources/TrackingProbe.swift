import Observation

/// Detects whether Observation tracks the current reads of a thread.
///
/// Observation has no API for this. But it stores tracked reads in a set of key paths, and
/// therefore hashes the key paths; untracked reads are not hashed. Hashing a key path with a mark
/// in it sets a flag.
///
/// It stands for the object that is read. It is not generic, because the runtime looks up the
/// conformance of a generic object at every read. An object that is read often keeps a reference to
/// it, because each access to a global constant is a call.
final class TrackingProbe: Observable, Sendable {
  /// The mark in the key path.
  private struct Mark: Hashable, Sendable {
    static let flag = ThreadFlag()

    static func == (lhs: Mark, rhs: Mark) -> Bool { true }

    func hash(into hasher: inout Hasher) { Self.flag.set() }
  }

  static let shared = TrackingProbe()

  private let flag = Mark.flag
  /// A key path that is never notified.
  private let path: any KeyPath<TrackingProbe, Void> & Sendable = \.[Mark()]

  private init() {}

  /// The target of the key path; never read.
  private subscript(mark: Mark) -> Void { () }

  /// Returns whether Observation tracks what this thread reads from an object with a registrar.
  func isTracked(by registrar: ObservationRegistrar) -> Bool {
    flag.isSet { registrar.access(self, keyPath: path) }
  }
}
