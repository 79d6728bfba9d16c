import Dispatch
import EntiaStore
import Foundation

/// The files that this process has open. A file is closed a moment after its objects have been
/// released. Until then, a call that opens the file again finds the file here, and waits.
enum OpenFiles {
  /// The longest time to wait until a file has been closed.
  static let longestClosing = DispatchTimeInterval.seconds(10)

  /// The outcome of `waitUntilClosed(_:until:)`.
  enum Waiting {
    /// The file is in use.
    case open
    /// The process does not have the file open.
    case unknown
    /// The file has been closed.
    case closed
  }

  /// A file that is open.
  private final class Entry: Sendable {
    private let session: Mutex<WeakSession>
    /// The group whose `wait(timeout:)` succeeds when the file has been closed.
    let closing = DispatchGroup()

    init(_ session: FileSession) {
      self.session = Mutex(WeakSession(session: session))
      closing.enter()
    }

    /// Returns whether all objects of the file have been released. Waits for the last saves of
    /// ending keepers.
    func isReleased(until end: DispatchTime) -> Bool {
      guard let session = session.withLock({ $0.session }) else { return true }
      if session.isReleased { return true }
      do {
        try session.waitForEndingKeepers(
          timeout: .nanoseconds(Int64(clamping: end.uptimeNanoseconds) - now))
      } catch {
        // The pending commits cannot be saved now, and the file stays open.
        return false
      }
      return session.isReleased
    }

    private var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }
  }

  private struct WeakSession: Sendable {
    weak var session: FileSession?
  }

  /// An object that is attached to a connection, so that the object is deinitialized after the
  /// connection has been closed.
  private final class Closing: Sendable {
    let identity: FileIdentity
    let entry: Entry

    init(_ identity: FileIdentity, _ entry: Entry) {
      self.identity = identity
      self.entry = entry
    }

    deinit {
      OpenFiles.entries.withLock { entries in
        entries[identity]?.removeAll { $0 === entry }
        if entries[identity]?.isEmpty == true { entries[identity] = nil }
      }
      entry.closing.leave()
    }
  }

  private static let entries = Mutex<[FileIdentity: [Entry]]>([:])

  /// Adds a file.
  /// - Parameters:
  ///   - session: The open file.
  ///   - path: The path of the file.
  ///   - connection: The connection. The file counts as open until the connection is deinitialized.
  static func add(_ session: FileSession, at path: String, until connection: SQLiteConnection) {
    guard let identity = FileIdentity(path) else { return }
    let entry = Entry(session)
    entries.withLock { $0[identity, default: []].append(entry) }
    connection.attachment = Closing(identity, entry)
  }

  /// Waits until a file has been closed, if this process is still closing the file.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - end: The time until which to wait.
  /// - Returns: The outcome.
  static func waitUntilClosed(_ path: String, until end: DispatchTime) -> Waiting {
    guard let identity = FileIdentity(path), let found = entries.withLock({ $0[identity] }) else {
      return .unknown
    }
    for entry in found {
      guard entry.isReleased(until: end) else { return .open }
      guard entry.closing.wait(timeout: end) == .success else { return .open }
    }
    return .closed
  }
}
