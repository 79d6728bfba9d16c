import Dispatch

/// Detects whether the current code runs on the main queue, and therefore on the main actor.
///
/// The current thread does not determine this: on Linux an asynchronous `main` gives up its thread,
/// and the main queue then runs on any thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) ?? false
  }
}
