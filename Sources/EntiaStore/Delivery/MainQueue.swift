import Dispatch

/// Tells whether the main queue, and with it the main actor, is what runs just now.
///
/// The thread would be the wrong thing to ask: on Linux an asynchronous `main` gives its thread
/// away, and the main queue then runs on any thread.
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
