import Foundation

/// Removes unfinished files when a signal ends the process.
///
/// The handlers call only async-signal-safe functions. The tool runs on one thread, and blocks the
/// signals while it changes `paths`, which the handlers read.
enum SignalHandling {
  /// The paths of the files that the handlers remove, as C strings; `nil` for an unused element.
  nonisolated(unsafe) private static let paths = {
    let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    paths.initialize(repeating: nil, count: capacity)
    return paths
  }()

  /// A command registers at most one output file and one lock; two more are spare.
  private static let capacity = 4

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private static func handledSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    return signals
  }

  /// Whether the handlers are installed. Set once, before any other code runs. Stays `false` in
  /// tests, because they run the tool in their own process.
  nonisolated(unsafe) private static var isInstalled = false

  /// Handles SIGINT, SIGTERM, SIGHUP and SIGQUIT: removes the registered files and exits with 128
  /// plus the signal's number. For SIGQUIT, the handler of Swift's runtime would print a backtrace
  /// and go on.
  ///
  /// A signal that the parent process ignores for its children, as `nohup` does, stays ignored.
  static func installHandlers() {
    _ = paths
    isInstalled = true
    // The tool inherits the signal mask of its parent process. A signal that the parent has blocked
    // could not end the tool.
    var handled = handledSignals()
    pthread_sigmask(SIG_UNBLOCK, &handled, nil)
    for number in numbers {
      let previous = signal(number) { number in
        // A loop over a range may call code of the standard library, which is not safe here.
        var index = 0
        while index < SignalHandling.capacity {
          if let path = SignalHandling.paths[index] { unlink(path) }
          index += 1
        }
        _exit(128 + number)
      }
      if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Runs the closure while signals are blocked. No signal then occurs between creating a file and
  /// registering it.
  static func blockingSignals<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isInstalled else { return try body() }
    var handled = handledSignals()
    var old = sigset_t()
    pthread_sigmask(SIG_BLOCK, &handled, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    return try body()
  }

  /// Registers a file that the signal handlers remove.
  static func register(_ path: String) {
    guard isInstalled else { return }
    blockingSignals {
      for index in 0..<capacity where paths[index] == nil {
        paths[index] = strdup(path)
        return
      }
    }
  }

  /// Unregisters a file.
  static func unregister(_ path: String) {
    guard isInstalled else { return }
    blockingSignals {
      for index in 0..<capacity {
        guard let known = paths[index], strcmp(known, path) == 0 else { continue }
        paths[index] = nil
        free(known)
        return
      }
    }
  }
}
