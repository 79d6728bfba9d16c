/// The turn that commits take: one commit at a time, for as long as its closure runs.
///
/// Only commits wait for it, asleep; readers and observers never do. It knows which thread has it,
/// so that a commit inside a commit is recognized instead of waiting for itself.
final class CommitTurn: Sendable {
  private let lock = Lock()
  private let holder = Protected<ThreadIdentity?>(nil)

  deinit {
    lock.destroy()
  }

  var isHeldByThisThread: Bool {
    let current = ThreadIdentity.current
    return holder.withLock { $0 == current }
  }

  func take() {
    lock.lock()
    let current = ThreadIdentity.current
    holder.withLock { $0 = current }
  }

  func pass() {
    holder.withLock { $0 = nil }
    lock.unlock()
  }
}
