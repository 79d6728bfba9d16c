import Dispatch

/// Detects whether the current code runs on the main queue, and therefore on the main actor.
///
/// The current thread does not determine this: on Linux an asynchronous `main` gives up its thread,
/// and the main queue then runs on any thread.
enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: mark) ?? false
  }
}
