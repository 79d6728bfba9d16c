import EntiaSystemSQLite
import Foundation

/// The mark of a process that follows the versions of a database file. A sole writer logs the
/// changes of its saves only while there is one.
///
/// It is a lock on the lock file of the writer, so that nothing is written, and the system removes
/// it when the process ends.
final class FollowerMark {
  private let database: String
  private var descriptor: Int32 = -1
  private var marked: FileIdentity?

  /// Creates the mark of a database's path, which is not set before `renew()`.
  init(_ database: String) { self.database = database }

  deinit { remove() }

  /// Sets the mark, unless the lock file of the present writer has it. Without a writer there is
  /// none.
  func renew() {
    let path = FileLock.path(of: database)
    let current = FileIdentity(path)
    if current == marked { return }
    remove()
    guard current != nil else { return }
    // Without the mark, this process loads the whole file again for each version.
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
