import Foundation

/// Runs a piece of work on that many threads at once and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      work(index)
      group.leave()
    }
  }
  group.wait()
}

/// Runs a piece of work on another thread and waits for it.
func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
  onThreads(1) { _ in work() }
}

/// Work on a thread of its own that can be waited for later.
final class BackgroundWork: Sendable {
  private let group = DispatchGroup()

  /// Begins the work, and returns once its thread runs.
  func start(_ work: @escaping @Sendable () -> Void) {
    let begun = DispatchSemaphore(value: 0)
    group.enter()
    Thread.detachNewThread { [group] in
      begun.signal()
      work()
      group.leave()
    }
    begun.wait()
  }

  func wait() {
    group.wait()
  }
}
