import Dispatch
import EntiaStore
import EntiaSystemSQLite
import Foundation

/// A short activity during which the system does not suspend the process.
///
/// An app may lock a file that it shares with its extensions. The system ends the app if it is
/// suspended while it holds the lock. The activity ends when the object is released.
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
        // If the process is about to be suspended, the system calls the closure again, and the
        // activity has a few seconds to end.
        isPermitted.withLock { if !isExpired { $0 = true } }
        begun.signal()
        if !isExpired { ended.wait() }
      }
      begun.wait()
      guard isPermitted.withLock({ $0 }) else { throw FileLock.Held(user: nil) }
    }

    deinit { ended.signal() }
  #else
    /// Does nothing, because this system does not end a suspended process that holds a lock.
    init() throws {}
  #endif

  /// Begins an activity, and runs a body during the activity. The body may lock a file.
  /// - Throws: `FileLock.Held` if the process is about to be suspended; the errors of the body.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    let activity = try ProcessActivity()
    return try withExtendedLifetime(activity, body)
  }
}

/// The mark of a process that follows the versions of a database file. A sole writer logs the
/// changes of its saves only while a following process has set its mark.
///
/// The mark is a lock on the lock file of the writer. Setting the mark therefore writes nothing,
/// and the system removes the mark when the following process ends.
final class FollowerMark {
  private let database: String
  private var descriptor: Int32 = -1
  private var marked: FileIdentity?

  /// Creates the mark for the database at a path. It is not set before `renew()`.
  init(_ database: String) { self.database = database }

  deinit { remove() }

  /// Sets the mark on the lock file of the current writer, unless it is already set there. Without
  /// a writer, no mark is set.
  func renew() {
    let path = FileLock.path(of: database)
    let current = FileIdentity(path)
    if current == marked { return }
    remove()
    guard current != nil else { return }
    // If the lock file cannot be opened, no mark is set. The writer then logs no changes, and this
    // process loads the whole file again for each version.
    descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return }
    entia_set_mark(descriptor, entia_follower, 1)
    marked = current
  }

  private func remove() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
    marked = nil
  }
}
