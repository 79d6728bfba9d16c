/// The entry of one task in its store. It is created before the task, so that the task can be
/// canceled and awaited from the start.
final class TaskSlot: Sendable {
  private struct Contents {
    var isCanceled = false
    var isDone = false
    var cancel: (@Sendable () -> Void)?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  /// Sets the closure that cancels the task, and calls it if cancellation has already been
  /// requested.
  func attach(cancel: @escaping @Sendable () -> Void) {
    let isCanceled = contents.withLock { contents in
      if !contents.isDone { contents.cancel = cancel }
      return contents.isCanceled
    }
    if isCanceled { cancel() }
  }

  func cancel() {
    let cancel = contents.withLock { contents in
      contents.isCanceled = true
      return contents.cancel
    }
    cancel?()
  }

  func finish() {
    let done = contents.withLock { contents in
      let done = contents
      contents.isDone = true
      contents.cancel = nil
      contents.waiters = []
      return done
    }
    for waiter in done.waiters { waiter.resume() }
  }

  /// Waits until the task has ended.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if !contents.isDone { contents.waiters.append(continuation) }
        return contents.isDone
      }
      if isDone { continuation.resume() }
    }
  }
}
