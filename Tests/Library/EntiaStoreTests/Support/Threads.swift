import Foundation

/// Runs a piece of work on that many threads at once and waits for all of them.
///
/// When this returns, the threads hold nothing of the work any more.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    let errand = Errand { work(index) }
    group.enter()
    Thread.detachNewThread {
      errand.run()
      group.leave()
    }
  }
  group.wait()
}

/// Work that is let go as soon as it is done, whoever still holds the errand.
///
/// Sendable although its work is a `var`: one thread makes it, and then one thread runs it.
private final class Errand: @unchecked Sendable {
  private var work: (() -> Void)?

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }

  func run() {
    work?()
    work = nil
  }
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
