#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Removes unfinished files when a signal ends the process.
///
/// The handlers call only what a signal handler may call, and read only memory that is written while
/// signals are blocked. The tool runs on one thread.
enum Interruption {
  /// Where the handlers find the files: C strings, or nil.
  nonisolated(unsafe) private static let paths = {
    let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    paths.initialize(repeating: nil, count: capacity)
    return paths
  }()

  /// One file that is written and one lock, and two more.
  private static let capacity = 4

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  private static func handledSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    return signals
  }

  /// Set once, before anything else runs. Tests run the tool inside their own process, whose signals
  /// are not the tool's to handle.
  nonisolated(unsafe) private static var isInstalled = false

  /// Handles SIGINT, SIGTERM and SIGHUP: removes the registered files and exits with 128 plus the
  /// signal's number.
  ///
  /// A signal that the parent process ignores for its children, as `nohup` does, stays ignored.
  static func installHandlers() {
    _ = paths
    isInstalled = true
    // Programs that start others from a thread of their own may pass on its blocked signals, and
    // a tool that cannot be ended is of no use.
    var handled = handledSignals()
    pthread_sigmask(SIG_UNBLOCK, &handled, nil)
    for number in numbers {
      let previous = signal(number) { number in
        // A loop over a range may run code of the language's library, which is not safe here.
        var index = 0
        while index < Interruption.capacity {
          if let path = Interruption.paths[index] { unlink(path) }
          index += 1
        }
        _exit(128 + number)
      }
      if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }

  /// Runs the closure while signals wait, so that creating a file and registering it are one step.
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

  /// Has a signal remove a file from now on.
  static func register(_ path: String) {
    guard isInstalled else { return }
    blockingSignals {
      for index in 0..<capacity where paths[index] == nil {
        paths[index] = strdup(path)
        return
      }
    }
  }

  /// Has signals leave a file alone from now on.
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
