/// The lock that serializes commits: it is held while a commit's closure runs.
///
/// Only commits wait for it, blocked; readers and observers never do. Each thread records the turns
/// that it holds, so that a nested commit is detected instead of deadlocking.
///
/// Sendable despite a `var`: only the thread that holds the turn accesses it.
@usableFromInline
final class CommitTurn: @unchecked Sendable {
  /// The turn that a thread acquired last, of those that it still holds.
  private static let last = ThreadPointer()

  private let lock = Lock()
  private let last = CommitTurn.last
  /// The turn that the thread already held when it acquired this one: a commit to another store.
  private var outer: UnsafeRawPointer?

  deinit {
    lock.destroy()
  }

  @usableFromInline var isHeldByThisThread: Bool {
    let this = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    var next = last.value
    while let turn = next {
      if turn == this { return true }
      // The holder of a turn keeps it alive until the turn is released.
      next = Unmanaged<CommitTurn>.fromOpaque(turn).takeUnretainedValue().outer
    }
    return false
  }

  @usableFromInline
  func take() {
    lock.lock()
    outer = last.value
    last.value = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  @usableFromInline
  func pass() {
    last.value = outer
    outer = nil
    lock.unlock()
  }
}
