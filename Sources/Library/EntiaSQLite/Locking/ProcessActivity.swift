import Dispatch
import EntiaStore
import Foundation

/// A short activity during which the system does not suspend the process. It ends an app that is
/// suspended while it holds a lock on a file that it shares with its extensions.
///
/// The activity ends when the object is released.
final class ProcessActivity: Sendable {
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins an activity.
    /// - Throws: `FileLock.Held` if the process is about to be suspended.
    init() throws {
      let isPermitted = Mutex(false)
      let begun = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "A database is written.") {
        [ended] isExpired in
        // It is called again if the process is about to be suspended during the activity, which
        // then has seconds to end.
        isPermitted.withLock { if !isExpired { $0 = true } }
        begun.signal()
        if !isExpired { ended.wait() }
      }
      begun.wait()
      guard isPermitted.withLock({ $0 }) else { throw FileLock.Held(user: nil) }
    }

    deinit { ended.signal() }
  #else
    /// Begins an activity, which other systems do not need.
    init() throws {}
  #endif

  /// Runs a body that holds the lock of a file.
  /// - Throws: `FileLock.Held` if the process is about to be suspended; the errors of the body.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    let activity = try ProcessActivity()
    return try withExtendedLifetime(activity, body)
  }
}
