/// The turn that commits take: one commit at a time, for as long as its closure runs.
///
/// Only commits wait for it, asleep; readers and observers never do. A thread knows which turns it
/// has, so that a commit inside a commit is recognized instead of waiting for itself.
///
/// Sendable although it has a `var`: only the thread that has the turn touches it.
@usableFromInline
final class CommitTurn: @unchecked Sendable {
  /// The turn that a thread took last, of those that it has.
  private static let last = ThreadPointer()

  private let lock = Lock()
  private let last = CommitTurn.last
  /// The turn that the thread had already when it took this one: a commit to another store.
  private var outer: UnsafeRawPointer?

  deinit {
    lock.destroy()
  }

  @usableFromInline var isHeldByThisThread: Bool {
    let this = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    var next = last.value
    while let turn = next {
      if turn == this { return true }
      // Whoever has a turn holds it until it has been passed on.
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
