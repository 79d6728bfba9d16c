import EntiaStore
import EntiaSystemSQLite
import Foundation

/// The lock for writing a database file, which all programs that use Entia respect.
///
/// The lock is a lock of `flock` on a file beside the database, `NAME-entia`. A sole writer holds
/// the lock until it closes the database. A sharing process holds the lock only during each
/// transaction, and therefore not while the process is suspended. The system releases the lock when
/// the process ends. The lock file also lists the processes that use the database; see
/// `LockFileText`. The last of these processes removes the lock file.
final class FileLock {
  /// An attempt to acquire the lock while another process holds it.
  struct Held: Error {
    /// The process that holds the lock, if it is known.
    let user: FileUser?
  }

  /// The error of the system when the file cannot be opened or locked.
  struct Failure: Error {
    let reason: String
  }

  /// The path of the lock file.
  let path: String
  /// The path of the database.
  private let database: String
  private var descriptor: Int32 = -1
  /// Whether the lock file has been opened, and `acquire()` has not acquired the lock since then.
  private var isNew = false
  /// The line of this object in the list of sharing processes; `nil` for a sole writer.
  private var sharer: FileUser?
  /// The activity while the lock is held between transactions, after `hold()`.
  private var activity: ProcessActivity?
  /// Whether `giveWay()` returns immediately, because a waiting process did not acquire the lock
  /// within `longestWay`.
  private var ignoresWaiters = false

  private init(of database: String) {
    self.database = database
    path = Self.path(of: database)
  }

  /// The tokens of the objects of this process that share a database.
  private static let sharers = Mutex<Set<UInt32>>([])

  /// Whether an object of this process shares a database under a token.
  static func isSharing(_ token: UInt32) -> Bool { sharers.withLock { $0.contains(token) } }

  deinit {
    removeUser()
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
  }

  /// Returns the path of the lock file of a database. If the path of the database is a link, the
  /// lock file is beside the file to which the link leads. So is the log of SQLite.
  static func path(of database: String) -> String { resolved(database) + "-entia" }

  /// Returns the absolute path of a database without links; the path itself if there is no file.
  static func resolved(_ database: String) -> String {
    guard let resolved = realpath(database, nil) else { return database }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the process that has a database open for writing: the sole writer or, without one, a
  /// sharing process. Returns `nil` if no process has the database open for writing.
  package static func user(of database: String) -> FileUser? {
    guard let text = LockFileText(path: path(of: database)) else { return nil }
    if let holder = text.holder, holder.isAlive, holder.kind == .sole { return holder }
    return text.sharers.first { $0.isAlive }
  }

  /// Acquires the lock of a sole writer, until the object is deinitialized.
  /// - Throws: `Held` if a sole writer or a sharing process has the database open; `Failure`.
  static func sole(_ database: String) throws -> FileLock {
    let lock = FileLock(of: database)
    guard try lock.lockIfFree() else { throw Held(user: lock.holder) }
    var text = LockFileText(descriptor: lock.descriptor)
    if let sharer = text.sharers.first(where: \.isAlive) { throw Held(user: sharer) }
    text.sharers = []
    text.holder = FileUser(.sole)
    try lock.write(text)
    return lock
  }

  /// Acquires the lock of a sole writer again if the lock file was removed.
  /// - Throws: `Held` if another process has acquired the lock meanwhile; `Failure`.
  func renew() throws {
    if isShared || isCurrent { return }
    var isAcquired = false
    defer {
      if !isAcquired {
        // Without a descriptor, the next call opens the file and tries again.
        _ = Foundation.close(descriptor)
        descriptor = -1
      }
    }
    guard try lockIfFree() else { throw Held(user: holder) }
    var text = LockFileText(descriptor: descriptor)
    if let sharer = text.sharers.first(where: \.isAlive) { throw Held(user: sharer) }
    text.holder = FileUser(.sole)
    try write(text)
    isAcquired = true
  }

  /// Whether the path leads to the file that is locked.
  private var isCurrent: Bool {
    var mine = stat()
    var current = stat()
    return fstat(descriptor, &mine) == 0 && stat(path, &current) == 0
      && mine.st_ino == current.st_ino && mine.st_dev == current.st_dev
  }

  /// Adds this process to the processes that share a database.
  /// - Throws: `Held` if a sole writer has the database open, or if the transaction of another
  ///   process lasts too long; `Failure`.
  static func shared(_ database: String) throws -> FileLock {
    let lock = FileLock(of: database)
    return try ProcessActivity.run {
      try lock.acquire()
      defer { lock.release() }
      var text = LockFileText(descriptor: lock.descriptor)
      let sharer = FileUser(.shared, token: .random(in: 1...UInt32.max))
      sharers.withLock { _ = $0.insert(sharer.token) }
      lock.sharer = sharer
      text.sharers = text.sharers.filter(\.isAlive) + [sharer]
      try lock.write(text)
      return lock
    }
  }

  /// The longest time that a transaction waits for the transaction of another process.
  static var longestWait: Duration { .seconds(1) }
  /// The time after which a process that waits for the lock sets the mark of a waiting process.
  private static var shortWait: Duration { .milliseconds(50) }
  /// The longest time for which this process gives way to others before its transaction.
  private static var longestWay: Duration { .milliseconds(100) }

  /// Runs the transaction of a sharing process under the lock. If `hold()` has acquired the lock,
  /// this transaction uses it, and releases it after the body.
  /// - Throws: `Held` if another process holds the lock for too long; `Failure`; the error of the
  ///   body.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try ProcessActivity.run {
      try acquire()
      defer { release() }
      return try body()
    }
  }

  /// Acquires the lock of a sharing process. The lock is released by `endHolding()`, or earlier at
  /// the end of the next transaction.
  /// - Throws: `Held`, `Failure`.
  func hold() throws {
    let begun = try ProcessActivity()
    try acquire()
    activity = begun
  }

  /// Releases the lock that `hold()` has acquired.
  func endHolding() { release() }

  /// Announces a new version, which is already in the log, to the processes that watch the
  /// database. If the announcement fails, these processes find the version later.
  func announceVersion() {
    guard descriptor >= 0 else { return }
    var end = UInt8(ascii: "\n")
    _ = pwrite(descriptor, &end, 1, off_t(LockFileText.holderLength - 1))
  }

  /// Whether a process follows the versions of the database.
  var hasFollowers: Bool {
    // On a system without marks, every writer logs its changes. The call then returns its last
    // argument, 1.
    descriptor >= 0 && entia_is_marked(descriptor, entia_follower, 1) != 0
  }

  /// Whether another process has waited for its transaction for longer than `shortWait`.
  private var hasWaiters: Bool {
    descriptor >= 0 && entia_is_marked(descriptor, entia_waiter, 0) != 0
  }

  /// Waits while `hasWaiters` is `true`, but not longer than `longestWay`. A process that writes
  /// without a pause holds the lock nearly always, and would otherwise keep the other processes
  /// out.
  private func giveWay() {
    let clock = ContinuousClock()
    let end = clock.now + Self.longestWay
    while hasWaiters {
      // A process that does not take its turn was perhaps stopped while it waited.
      if clock.now > end { ignoresWaiters = true }
      if ignoresWaiters { return }
      usleep(200)
    }
    ignoresWaiters = false
  }

  /// Acquires the lock of a sharing process. Waits while another sharing process holds it, and
  /// gives way to processes that have waited for longer than `shortWait`.
  private func acquire() throws {
    // After `hold()`, this object already has the lock, and does not give way.
    if activity == nil { giveWay() }
    let clock = ContinuousClock()
    let start = clock.now
    var pause: UInt32 = 50
    var isMarked = false
    defer { if isMarked { entia_set_mark(descriptor, entia_waiter, 0) } }
    while try !lockIfFree() {
      let holder = holder
      let wait = clock.now - start
      if holder?.kind == .sole || wait > Self.longestWait { throw Held(user: holder) }
      if wait > Self.shortWait, descriptor >= 0 {
        entia_set_mark(descriptor, entia_waiter, 1)
        isMarked = true
      }
      usleep(pause)
      // The pauses are short, because a process that writes without a pause releases the lock for a
      // moment only.
      pause = min(pause * 2, 400)
    }
    do {
      try writeHolder()
    } catch {
      // Other processes would wait for a transaction that never begins.
      release()
      throw error
    }
  }

  /// Writes the line by which other processes find out for which process they wait.
  private func writeHolder() throws {
    if isNew, let sharer {
      // The lock file was removed, and the new one does not list this object.
      var text = LockFileText(descriptor: descriptor)
      text.sharers.append(sharer)
      try write(text)
    }
    isNew = false
    let line = FileUser(.transaction).line(length: LockFileText.holderLength)
    guard pwrite(descriptor, line, line.count, 0) == line.count else { throw Self.failure() }
  }

  /// Acquires the lock, unless another process holds the lock. `releaseIfShared()` or the
  /// deinitialization of this object releases the lock.
  /// - Returns: Whether this object holds the lock.
  func tryLock() -> Bool {
    do {
      return try lockIfFree()
    } catch {
      // The lock file cannot be opened or locked. The callers then act as if another process held
      // the lock.
      return false
    }
  }

  /// Releases the lock that `tryLock()` has acquired. The lock of a sole writer stays acquired.
  func releaseIfShared() {
    if isShared { release() }
  }

  /// Whether other processes may write the database, too.
  var isShared: Bool { sharer != nil }

  private func release() {
    _ = flock(descriptor, LOCK_UN)
    activity = nil
  }

  /// The process that holds the lock, according to the lock file.
  private var holder: FileUser? { LockFileText(path: path)?.holder }

  /// Opens the lock file if necessary, and tries to lock it. A created lock file gets the
  /// permissions of the database. Returns whether this object holds the lock.
  private func lockIfFree() throws -> Bool {
    while true {
      if descriptor < 0 {
        let mode = FileIdentity(database)?.permissions ?? 0o600
        let opened = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode)
        guard opened >= 0 else { throw Self.failure() }
        descriptor = opened
        isNew = true
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { return false }
        throw Self.failure()
      }
      if isCurrent { return true }
      // The file was removed meanwhile, and its lock protects nothing.
      _ = Foundation.close(descriptor)
      descriptor = -1
    }
  }

  private func write(_ text: LockFileText) throws {
    let bytes = text.bytes
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    else { throw Self.failure() }
  }

  /// Removes this object from the list, and removes the file if the list is then empty. Waits for
  /// the transaction of another process. If that transaction lasts too long, the object stays in
  /// the list until this process ends.
  private func removeUser() {
    if let sharer { Self.sharers.withLock { _ = $0.remove(sharer.token) } }
    guard descriptor >= 0 else { return }
    let clock = ContinuousClock()
    let end = clock.now + Self.longestWait
    while !tryLock() {
      if descriptor < 0 || clock.now > end { return }
      usleep(1_000)
    }
    var text = LockFileText(descriptor: descriptor)
    text.sharers.removeAll { $0 == sharer || !$0.isAlive }
    if text.sharers.isEmpty {
      // A process that waits for the lock finds by `isCurrent` that the file was removed, and opens
      // a new file.
      _ = unlink(path)
      return
    }
    do {
      try write(text)
    } catch {
      // The object stays in the list until this process ends.
    }
  }

  private static func failure() -> Failure { Failure(reason: String(cString: strerror(errno))) }
}
