import Dispatch
import EntiaStore

// The contents of the lock.
extension SaveQueue {
  /// A call that waits for a save.
  struct Waiter {
    /// The number of commits that must be saved.
    let count: Int
    let resume: @Sendable (DatabaseFileError?) -> Void
  }

  /// A part to save. The type is a class, because copying `work` would retain its closures.
  final class Entry: Sendable {
    let part: KeptPart
    let work: SaveWork

    init(part: KeptPart, work: SaveWork) { (self.part, self.work) = (part, work) }
  }

  /// The current activity of the saving thread.
  enum Activity: Equatable {
    case idle
    /// The pause with this number. Its end is scheduled.
    case paused(Int)
    /// A save is under way or scheduled.
    case busy
  }

  /// The objects that are released outside the lock, after parts have ended.
  struct Ended {
    var entries: [Entry]
    let waiters: [Waiter]
    let failure: DatabaseFileError?

    /// Releases the parts, and then resumes the waiters. If nothing else uses the file, the file is
    /// closed before the waiters resume.
    mutating func resumeWaiters() {
      entries = []
      for waiter in waiters { waiter.resume(failure) }
    }
  }

  /// The state that the threads share under the lock.
  struct Contents {
    /// The parts. A part is removed when it ends, so that its store and its file can be released.
    var entries: [Entry] = []
    /// The number of parts that are ending.
    var endingCount = 0
    /// Whether all parts have ended.
    var isEnded = false
    /// The number of commits so far, and the number of saved ones.
    var committed = 0
    var saved = 0
    /// The state of the commit that was counted last. It is used only while the queue saves several
    /// parts. Each part has an observer, and every observer is notified of every commit. The first
    /// observer counts the commit. The other observers find that the state is `counted`.
    var counted: CommittedState?
    var activity = Activity.idle
    /// Whether a pause follows the save that ended last.
    var mustPause = false
    /// The number of pauses.
    var pauses = 0
    /// The failure of the last save.
    var failure: DatabaseFileError?
    var delay = SaveTimer.firstDelay
    /// The sum of the delays that began while all parts were ending.
    var endingDelays = Duration.zero
    var waiters: [Waiter] = []
    /// The number of saves that were begun.
    var attempts = 0
    /// The number of commits that woke the saving thread.
    var wakeUps = 0

    var status: DatabaseKeeper.Status {
      if let failure { return .failed(failure) }
      return committed == saved ? .saved : .saving(pending: committed - saved)
    }

    var phase: FileKeeperPhase {
      if isEnded { return .ended }
      return !entries.isEmpty && endingCount == entries.count ? .ending : .active
    }

    /// Marks a save as scheduled, unless a save is already scheduled.
    /// - Parameter isUrgent: Whether the save does not wait for the end of a pause.
    /// - Returns: Whether the caller has to call `scheduleRun()`.
    mutating func schedule(isUrgent: Bool = true) -> Bool {
      if entries.isEmpty || activity == .busy { return false }
      if !isUrgent, activity != .idle { return false }
      activity = .busy
      return true
    }

    /// Marks a save as scheduled. Called after a commit was counted. Does nothing if a save is
    /// already scheduled, if a pause is under way, or if a failed save is tried again later.
    /// - Returns: Whether the caller has to call `scheduleRun()`.
    mutating func scheduleCommit() -> Bool {
      if let failure, failure.isTemporary { return false }
      guard schedule(isUrgent: false) else { return false }
      wakeUps += 1
      return true
    }

    /// Returns the delay before the next attempt of a failed save. Returns `nil` if all parts are
    /// ending, and the sum of the delays since then has reached `SaveTimer.longestEnding`.
    mutating func nextDelay() -> Duration? {
      if phase == .ending {
        if endingDelays >= SaveTimer.longestEnding { return nil }
        endingDelays += delay
      }
      defer { delay = SaveTimer.delay(after: delay) }
      return delay
    }

    /// Whether a save begins without waiting for the end of a pause.
    var isUrgent: Bool { !waiters.isEmpty || endingCount > 0 }

    /// Ends all parts whose phase is `ending`. Called when the commits are saved, or cannot be
    /// saved.
    /// - Returns: The objects to release; `nil` when no part was ending.
    mutating func finishParts() -> Ended? {
      if endingCount == 0 { return nil }
      let ending = entries.filter { $0.part.phase == .ending }
      entries.removeAll { $0.part.phase == .ending }
      endingCount = 0
      for entry in ending { entry.part.phase = .ended }
      guard entries.isEmpty else { return Ended(entries: ending, waiters: [], failure: nil) }
      isEnded = true
      counted = nil
      defer { waiters = [] }
      return Ended(entries: ending, waiters: waiters, failure: failure)
    }

    /// Ends the use of the saving thread, and begins a pause if `mustPause` is set.
    /// - Parameter isPossible: Whether a pause can begin.
    /// - Returns: The number of the pause; `nil` if none begins.
    mutating func beginPause(ifPossible isPossible: Bool) -> Int? {
      guard mustPause, isPossible else {
        activity = .idle
        return nil
      }
      mustPause = false
      pauses += 1
      activity = .paused(pauses)
      return pauses
    }

    mutating func removeWaiters(upTo count: Int) -> [Waiter] {
      let removed = waiters.filter { $0.count <= count }
      waiters.removeAll { $0.count <= count }
      return removed
    }
  }
}

/// The delays between saves: the pause after a successful save, and the delays between the attempts
/// of a failing one.
struct SaveTimer: Sendable {
  static let firstDelay = Duration.milliseconds(100)
  static let longestDelay = Duration.seconds(4)
  /// The longest time for which a failing save is tried again while all parts are ending. Only the
  /// delays between the attempts count.
  static let longestEnding = Duration.seconds(60)

  /// The pause after a save. During the pause, another save begins only when a call waits for it.
  /// A commit during the pause therefore waits for its save until the end of the pause at most.
  var pause: Duration
  /// Calls a closure after a delay, on any thread.
  let after: @Sendable (_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Void

  /// The timer outside tests.
  static let system = SaveTimer(pause: .milliseconds(10)) { delay, body in
    DispatchQueue.global().asyncAfter(deadline: .now() + delay.interval, execute: body)
  }

  /// Returns the delay after another failed attempt: twice `delay`, but at most `longestDelay`.
  static func delay(after delay: Duration) -> Duration { min(delay * 2, longestDelay) }
}

extension Duration {
  /// The duration for Dispatch, at most a day.
  var interval: DispatchTimeInterval {
    let (seconds, attoseconds) = min(max(self, .zero), .seconds(86_400)).components
    return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
