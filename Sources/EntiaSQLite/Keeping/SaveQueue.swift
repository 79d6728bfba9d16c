import Dispatch
import EntiaStore

/// The saves of a keeper: one at a time, on a queue of its own.
///
/// Commits are counted. A save writes the state that is committed when it begins, and with it every
/// commit that was counted by then, so that the commits during one save become one further save.
final class SaveQueue: FileKeeper, Sendable {
  private struct Waiter {
    /// The number of commits that must be saved.
    let count: Int
    let resume: @Sendable (DatabaseFileError?) -> Void
  }

  /// What ended saves release without the lock.
  private struct Ended {
    let work: SaveWork?
    let waiters: [Waiter]
    let failure: DatabaseFileError?

    func resumeWaiters() {
      for waiter in waiters { waiter.resume(failure) }
    }
  }

  private struct Contents {
    /// `nil` before the start, and after the end, where the store and the file are released.
    var work: SaveWork?
    var phase = FileKeeperPhase.active
    /// The number of commits so far, and of those that are saved.
    var committed = 0
    var saved = 0
    /// Whether a save is under way or scheduled.
    var isBusy = false
    /// The failure of the last save.
    var failure: DatabaseFileError?
    var delay = SaveTimer.firstDelay
    var waiters: [Waiter] = []
    /// The number of saves that were begun.
    var attempts = 0

    var status: DatabaseKeeper.Status {
      if let failure { return .failed(failure) }
      return committed == saved ? .saved : .saving(pending: committed - saved)
    }

    /// Marks a save as scheduled unless one is.
    /// - Returns: Whether the caller has to schedule it.
    mutating func schedule() -> Bool {
      if isBusy || work == nil { return false }
      isBusy = true
      return true
    }

    /// Ends the saves.
    mutating func finish() -> Ended {
      phase = .ended
      let ended = Ended(work: work, waiters: waiters, failure: failure)
      work = nil
      waiters = []
      return ended
    }

    mutating func removeWaiters(upTo count: Int) -> [Waiter] {
      let removed = waiters.filter { $0.count <= count }
      waiters.removeAll { $0.count <= count }
      return removed
    }
  }

  let file: String
  /// The status as its observers see it, which the saving thread updates.
  let statuses = Store<DatabaseKeeper.Status, Never>(initialState: .saved, undoDepth: 0)
  private let timer: SaveTimer
  private let contents = Mutex(Contents())
  private let queue = DispatchQueue(label: "entia.keeper")
  private let isOnQueue = DispatchSpecificKey<Bool>()

  init(file: String, timer: SaveTimer) {
    self.file = file
    self.timer = timer
    queue.setSpecific(key: isOnQueue, value: true)
  }

  var phase: FileKeeperPhase { contents.withLock { $0.phase } }
  var status: DatabaseKeeper.Status { contents.withLock { $0.status } }
  /// The number of saves that were begun.
  var attempts: Int { contents.withLock { $0.attempts } }

  /// Begins with the saves: at once if the committed part differs from what the file contains.
  func start(_ work: SaveWork) {
    contents.withLock { $0.work = work }
    noteCommit()
  }

  /// Stores the keeper in its store until the saves end.
  func hold(_ keeper: DatabaseKeeper) {
    let work = contents.withLock { $0.phase == .active ? $0.work : nil }
    work?.hold(keeper)
  }

  /// Counts a commit of the store, and schedules a save.
  func noteCommit() {
    // While nothing is pending, a commit that changed other parts of the state is not counted.
    let idle = contents.withLock { $0.committed == $0.saved ? $0.work : nil }
    if let idle, idle.isSaved() { return }
    let mustSave = contents.withLock { contents in
      guard contents.phase == .active, contents.work != nil else { return false }
      contents.committed += 1
      if let failure = contents.failure, failure.isTemporary { return false }
      return contents.schedule()
    }
    if mustSave { scheduleRun() }
  }

  /// Ends after a save of what is pending.
  func end() {
    let (work, mustRun) = contents.withLock { contents -> (SaveWork?, Bool) in
      guard contents.phase == .active else { return (nil, false) }
      contents.phase = contents.work == nil ? .ended : .ending
      return (contents.work, contents.schedule())
    }
    work?.end()
    if mustRun { scheduleRun() }
  }

  /// Calls a closure once everything committed so far is saved, or could not be. While the saves are
  /// ending, it is called at the end.
  func whenSaved(_ resume: @escaping @Sendable (DatabaseFileError?) -> Void) {
    let (isSaved, mustSave) = contents.withLock { contents in
      let isIdle = contents.phase == .active && contents.committed == contents.saved
      if isIdle || contents.work == nil { return (true, false) }
      contents.waiters.append(Waiter(count: contents.committed, resume: resume))
      return (false, contents.schedule())
    }
    if isSaved { resume(status.failure) }
    if mustSave { scheduleRun() }
  }

  func flush(timeout: Duration?) throws {
    let work = contents.withLock { $0.work }
    if DispatchQueue.getSpecific(key: isOnQueue) == true || work?.isInsideFile() == true {
      throw DatabaseFileError.isBusy(file: file)
    }
    let result = Mutex<DatabaseFileError?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    whenSaved { failure in
      result.withLock { $0 = failure }
      isDone.signal()
    }
    if let timeout {
      guard isDone.wait(timeout: .now() + timeout.interval) == .success else {
        throw DatabaseFileError.timedOut(file: file)
      }
    } else {
      isDone.wait()
    }
    if let failure = result.withLock({ $0 }) { throw failure }
  }
}

// On the queue.
extension SaveQueue {
  private func scheduleRun() { queue.async { self.run() } }

  /// Saves until nothing is pending, or a save fails.
  private func run() {
    while let (work, count) = next() {
      publishStatus()
      do {
        try work.save()
        succeed(count)
      } catch {
        fail(count, DatabaseFileError(saving: file, error), work)
      }
    }
    publishStatus()
  }

  /// Returns the work of the next save, and the number of commits that it includes; `nil` when there
  /// is none.
  private func next() -> (work: SaveWork, count: Int)? {
    let (next, ended) = contents.withLock { contents -> ((SaveWork, Int)?, Ended?) in
      guard let work = contents.work else { return (nil, nil) }
      if contents.committed == contents.saved {
        contents.isBusy = false
        return (nil, contents.phase == .ending ? contents.finish() : nil)
      }
      // A save that has failed waits until it is scheduled again.
      if contents.failure != nil, !contents.isBusy { return (nil, nil) }
      contents.attempts += 1
      return ((work, contents.committed), nil)
    }
    ended?.resumeWaiters()
    return next
  }

  private func succeed(_ count: Int) {
    let waiters = contents.withLock { contents in
      contents.saved = count
      contents.failure = nil
      contents.delay = SaveTimer.firstDelay
      return contents.phase == .active ? contents.removeWaiters(upTo: count) : []
    }
    for waiter in waiters { waiter.resume(nil) }
  }

  private func fail(_ count: Int, _ failure: DatabaseFileError, _ work: SaveWork) {
    let (waiters, isNew, delay, ended) = contents.withLock { contents in
      let isNew = contents.failure != failure
      contents.failure = failure
      let waiters = contents.removeWaiters(upTo: count)
      // A later call waits for another attempt, and a later commit may correct a row.
      contents.isBusy =
        !contents.waiters.isEmpty || (!failure.isTemporary && contents.committed > count)
      var delay: Duration?
      var ended: Ended?
      if contents.isBusy {
        // Tried again at once.
      } else if failure.isTemporary {
        delay = contents.delay
        contents.delay = SaveTimer.delay(after: contents.delay)
      } else if contents.phase == .ending {
        // No later commit can correct it.
        ended = contents.finish()
      }
      return (waiters, isNew, delay, ended)
    }
    for waiter in waiters { waiter.resume(failure) }
    ended?.resumeWaiters()
    publishStatus()
    if isNew { work.report(failure.isTemporary, failure) }
    // The timer retains the saves, and with them the state, until it is saved.
    if let delay { timer.after(delay) { self.retry() } }
  }

  private func retry() {
    let mustSave = contents.withLock { $0.failure != nil && $0.schedule() }
    if mustSave { scheduleRun() }
  }

  /// Notifies the observers of the status, which is read when it is their turn.
  private func publishStatus() {
    statuses.commit { $0 = status }
  }
}

extension DatabaseFileError {
  /// Creates the error of a save.
  fileprivate init(saving file: String, _ error: any Error) {
    self =
      error as? DatabaseFileError
      ?? .failed(file: file, code: 0, reason: String(describing: error))
  }

  /// Whether the same save may succeed later.
  fileprivate var isTemporary: Bool {
    switch self {
    case .cannotEncode, .isClosed: false
    default: true
    }
  }
}

extension DatabaseKeeper.Status {
  fileprivate var failure: DatabaseFileError? {
    if case .failed(let failure) = self { return failure }
    return nil
  }
}
