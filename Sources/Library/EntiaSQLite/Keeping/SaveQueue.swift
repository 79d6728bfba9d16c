import Dispatch
import EntiaStore

/// The saves of the parts of one store in one file: one at a time, on a queue of its own.
///
/// Commits are counted. A save writes all parts of the committed state in one transaction, and
/// thereby every commit that was counted before the save began. All commits during a save, and in
/// the pause after it, become one further save. A commit during the pause does not wake the saving
/// thread, because a wake-up costs as much as several commits. A call that waits ends the pause.
final class SaveQueue: FileKeeper, Sendable {
  let file: String
  /// The status for its observers. The saving thread updates it.
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
  /// The number of commits that woke the saving thread.
  var wakeUps: Int { contents.withLock { $0.wakeUps } }

  /// Adds a part to the saves. If the part differs from the file, its first save begins at once.
  /// - Returns: `false` if the queue has already ended.
  func start(_ part: KeptPart, _ work: SaveWork) -> Bool {
    let isStarted = contents.withLock { contents in
      if contents.isEnded { return false }
      contents.entries.append(Entry(part: part, work: work))
      contents.counted = nil
      return true
    }
    if isStarted { noteCommit() }
    return isStarted
  }

  /// Stores a keeper in the store that `part` observes. The store retains the keeper until `part`
  /// ends.
  func hold(_ keeper: DatabaseKeeper, of part: KeptPart) {
    let entry = contents.withLock { contents in
      contents.entries.first { $0.part === part && part.phase == .active }
    }
    entry?.work.observation.hold(keeper)
  }

  /// Counts a commit of the store, and schedules a save.
  func noteCommit() {
    switch countPending() {
    case .counted(let mustSave): if mustSave { scheduleRun() }
    case .undecided: countChange()
    }
  }

  /// The outcome of `countPending()`.
  private enum Counting {
    case counted(mustSave: Bool)
    case undecided
  }

  /// Counts a commit without reading its state. This is possible only while other commits are
  /// pending. If the state decides whether the commit has to be counted, the commit is not counted,
  /// and the outcome is `undecided`.
  private func countPending() -> Counting {
    contents.withLock { contents in
      guard contents.committed != contents.saved, contents.entries.count == 1,
        contents.endingCount == 0, contents.counted == nil
      else { return .undecided }
      contents.committed += 1
      return .counted(mustSave: contents.scheduleCommit())
    }
  }

  /// Counts a commit, unless its state has been counted or is saved.
  private func countChange() {
    let (entries, isIdle) = contents.withLock { contents in
      (contents.entries, contents.committed == contents.saved)
    }
    guard let state = entries.first?.work.observation.state else { return }
    // While nothing is pending, a commit that changed other parts of the state is not counted.
    if isIdle, entries.allSatisfy({ $0.work.isSaved(state) }) { return }
    let (mustSave, former) = contents.withLock { contents -> (Bool, CommittedState?) in
      guard contents.phase == .active, !contents.entries.isEmpty else { return (false, nil) }
      if let counted = contents.counted, counted.isIdentical(to: state) { return (false, nil) }
      let former = contents.counted
      contents.counted = contents.entries.count == 1 ? nil : state
      contents.committed += 1
      return (contents.scheduleCommit(), former)
    }
    withExtendedLifetime(former) {}
    if mustSave { scheduleRun() }
  }

  /// Ends a part after a save of the pending commits.
  func end(_ part: KeptPart) {
    let (work, mustRun) = contents.withLock { contents -> (SaveWork?, Bool) in
      guard part.phase == .active,
        let entry = contents.entries.first(where: { $0.part === part })
      else { return (nil, false) }
      part.phase = .ending
      contents.endingCount += 1
      return (entry.work, contents.schedule())
    }
    work?.observation.end()
    if mustRun { scheduleRun() }
  }

  /// Calls a closure once all commits so far are saved, or the save has failed. If parts are
  /// ending, a successful save first ends them, and then calls the closure.
  func whenSaved(_ resume: @escaping @Sendable (DatabaseFileError?) -> Void) {
    let (isSaved, work, mustSave) = contents.withLock { contents -> (Bool, SaveWork?, Bool) in
      let isIdle =
        contents.committed == contents.saved && contents.endingCount == 0
      if isIdle || contents.entries.isEmpty { return (true, contents.entries.first?.work, false) }
      contents.waiters.append(Waiter(count: contents.committed, resume: resume))
      return (false, nil, contents.schedule())
    }
    if isSaved {
      // The saved commits are acknowledged only if the file is still at its path. If all parts have
      // ended, `queue` may still be releasing the file. The closure is therefore called on `queue`,
      // after the release.
      queue.async { resume(self.status.failure ?? work.flatMap(self.failureOfFile)) }
    }
    if mustSave { scheduleRun() }
  }

  func flush(timeout: Duration?) throws {
    if DispatchQueue.getSpecific(key: isOnQueue) == true || isInsideFile {
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

// Saving. `run()` and the methods that it calls run on the queue.
extension SaveQueue {
  private var isInsideFile: Bool {
    let work = contents.withLock { $0.entries.first?.work }
    return work?.session.isInUseByThisThread == true
  }

  /// Returns the error if the file was removed or replaced after its last save.
  private func failureOfFile(_ work: SaveWork) -> DatabaseFileError? {
    do {
      try work.session.save([])
      return nil
    } catch {
      // Of all errors, only `isReplaced` affects the saved commits. Another error may mean, for
      // example, that the file has been closed since the save.
      let failure = DatabaseFileError(saving: file, error)
      if case .isReplaced = failure { return failure }
      return nil
    }
  }

  private func scheduleRun() { queue.async { self.run() } }

  /// Saves until nothing is pending, or a save fails.
  private func run() {
    while let (works, count) = next() {
      publishStatus()
      do {
        try save(works)
        succeed(count)
      } catch {
        let failure = DatabaseFileError(saving: file, error)
        if endParts(after: failure, works[0]) {
          succeed(count)
        } else {
          fail(count, failure, works[0])
        }
      }
    }
    publishStatus()
  }

  /// Saves the parts that are not ending, and then ends the others. Called after a save has failed
  /// because a row cannot be encoded. Such a row in an ending part would prevent all further saves.
  /// - Returns: `false` if nothing was saved, for one of three reasons: `failure` is temporary; all
  ///   parts are ending, or none is; a part that is not ending cannot be saved either.
  private func endParts(after failure: DatabaseFileError, _ work: SaveWork) -> Bool {
    if failure.isTemporary { return false }
    let (others, count) = contents.withLock { contents in
      (contents.entries.filter { $0.part.phase != .ending }.map(\.work), contents.entries.count)
    }
    if others.isEmpty || others.count == count { return false }
    do {
      try save(others)
    } catch {
      return false
    }
    var ended = contents.withLock { $0.finishParts() }
    ended?.resumeWaiters()
    work.observation.report(StoreProblem(saving: file, isRetried: false, failure))
    return true
  }

  /// Saves the parts of one version of the state.
  private func save(_ works: [SaveWork]) throws {
    let state = works[0].observation.state
    try works[0].session.save(works.map { $0.saving(state) })
    for work in works { work.noteSaved(state) }
  }

  /// Returns the parts of the next save as `works`, and the number of commits that the save
  /// includes as `count`. Returns `nil` if no save begins now, for example because a pause begins.
  private func next() -> (works: [SaveWork], count: Int)? {
    let canPause = timer.pause > .zero
    var (next, waiters, ended, pause) = contents.withLock {
      contents -> (([SaveWork], Int)?, [Waiter], Ended?, Int?) in
      if contents.entries.isEmpty { return (nil, [], nil, nil) }
      let isSaved = contents.committed == contents.saved
      if isSaved || (contents.mustPause && canPause && !contents.isUrgent) {
        let pause = contents.beginPause(ifPossible: canPause)
        if !isSaved { return (nil, [], nil, pause) }
        let ended = contents.finishParts()
        return (nil, contents.removeWaiters(upTo: contents.saved), ended, pause)
      }
      // A save that has failed waits until it is scheduled again.
      if contents.failure != nil, contents.activity != .busy { return (nil, [], nil, nil) }
      contents.attempts += 1
      return ((contents.entries.map(\.work), contents.committed), [], nil, nil)
    }
    ended?.resumeWaiters()
    for waiter in waiters { waiter.resume(nil) }
    if let pause { timer.after(timer.pause) { self.endPause(pause) } }
    return next
  }

  /// Ends a pause, unless a waiting call has already ended it.
  private func endPause(_ number: Int) {
    let mustSave = contents.withLock { contents in
      guard contents.activity == .paused(number) else { return false }
      contents.activity = .idle
      return contents.committed != contents.saved && contents.schedule()
    }
    if mustSave { scheduleRun() }
  }

  private func succeed(_ count: Int) {
    let waiters = contents.withLock { contents in
      contents.saved = count
      contents.mustPause = true
      contents.failure = nil
      contents.delay = SaveTimer.firstDelay
      return contents.endingCount > 0 ? [] : contents.removeWaiters(upTo: count)
    }
    for waiter in waiters { waiter.resume(nil) }
  }

  private func fail(_ count: Int, _ failure: DatabaseFileError, _ work: SaveWork) {
    var (waiters, mustReport, delay, ended) = contents.withLock { contents in
      let isNew = contents.failure != failure
      contents.failure = failure
      contents.mustPause = false
      let waiters = contents.removeWaiters(upTo: count)
      // The save is tried again at once in two cases: a waiting call has arrived during this
      // attempt, or a row cannot be encoded and a commit during this attempt may have corrected the
      // row.
      let isAgain =
        !contents.waiters.isEmpty || (!failure.isTemporary && contents.committed > count)
      contents.activity = isAgain ? .busy : .idle
      var delay: Duration?
      var ended: Ended?
      if isAgain {
        // `run()` begins the next attempt.
      } else if failure.isTemporary {
        delay = contents.nextDelay()
      }
      // All parts are ending, and no attempt follows. Either a row cannot be encoded, and no commit
      // can correct the row any more, or the disk has not recovered in time. The parts are ended,
      // so that the file is released.
      if !isAgain, delay == nil, contents.phase == .ending { ended = contents.finishParts() }
      return (waiters, isNew || ended != nil, delay, ended)
    }
    for waiter in waiters { waiter.resume(failure) }
    let isRetried = failure.isTemporary && ended == nil
    ended?.resumeWaiters()
    publishStatus()
    if mustReport {
      work.observation.report(StoreProblem(saving: file, isRetried: isRetried, failure))
    }
    // The timer retains this queue, and thereby the state until it is saved.
    if let delay { timer.after(delay) { self.retry() } }
  }

  private func retry() {
    let mustSave = contents.withLock { $0.failure != nil && $0.schedule() }
    if mustSave { scheduleRun() }
  }

  /// Notifies the observers of `statuses`. `status` is read inside the commit, so that no commit
  /// replaces a status by an older status.
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
  var isTemporary: Bool {
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

/// A part of a store's state that is saved into a storage of a file.
final class KeptPart: FileKeeper, Sendable {
  /// The queue that saves all parts of one store into one file.
  let saves: SaveQueue
  private let currentPhase = Mutex(FileKeeperPhase.active)

  init(_ saves: SaveQueue) { self.saves = saves }

  /// Whether the part is active, ending or ended. Only `saves` sets the phase.
  var phase: FileKeeperPhase {
    get { currentPhase.withLock { $0 } }
    set { currentPhase.withLock { $0 = newValue } }
  }

  func flush(timeout: Duration?) throws { try saves.flush(timeout: timeout) }
}

/// The operations of a keeper on its store and its file.
struct SaveWork: Sendable {
  /// The observer of the store.
  let observation: CommitObservation
  /// The open file.
  let session: FileSession
  /// Returns whether the part in a state equals the version that was saved last.
  let isSaved: @Sendable (CommittedState) -> Bool
  /// Returns the save that writes the part as it is in a state.
  let saving: @Sendable (CommittedState) -> StorageSave
  /// Notes that the part in a state was saved.
  let noteSaved: @Sendable (CommittedState) -> Void
}
