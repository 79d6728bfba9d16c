import Foundation

/// The system calls of the tool. Interrupted calls are repeated, and errors are thrown as values.
enum SystemCalls {
  /// The error of a system call.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let code: Int32

    /// The reason in words: that a program has the database open, or the system's message, such as
    /// "No such file or directory".
    var message: String {
      switch self {
      case .isOpenDatabase: "a program has it open; close it there first"
      default: String(cString: strerror(code))
      }
    }

    /// Whether the path does not exist.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether a file with the name already exists.
    var isTaken: Bool { code == EEXIST }

    /// Whether the reader of a pipe closed it.
    var isClosedPipe: Bool { code == EPIPE }

    var description: String { message }

    /// The error for a folder in place of a file.
    static let isDirectory = Failure(code: EISDIR)

    /// The error for a disk without space.
    static let isFull = Failure(code: ENOSPC)

    /// The error for a file that cannot be written because of an I/O error.
    static let isUnwritable = Failure(code: EIO)

    /// The error for a database that another program has open. No error of the system has its
    /// code.
    static let isOpenDatabase = Failure(code: -1)
  }

  /// Configures the allocator to return every large piece of memory when it is freed. The C library
  /// of Linux otherwise keeps memory for reuse, but an import needs its large lists only once.
  static func returnFreedMemory() {
    #if canImport(Glibc)
      // The header with `mallopt` is not part of the module.
      guard let function = dlsym(nil, "mallopt") else { return }
      typealias Setting = @convention(c) (_ parameter: Int32, _ value: Int32) -> Int32
      let thresholdOfMapping: Int32 = -3
      _ = unsafeBitCast(function, to: Setting.self)(thresholdOfMapping, 1 << 17)
    #endif
  }

  /// The permissions of a file.
  typealias Permissions = mode_t

  static func openToRead(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_RDONLY | O_CLOEXEC) }
  }

  static func openToWrite(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_WRONLY | O_CLOEXEC) }
  }

  /// Creates a file, which must not exist.
  static func create(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
  }

  static func setPermissions(_ descriptor: Int32, _ permissions: Permissions) throws(Failure) {
    try check { fchmod(descriptor, permissions) }
  }

  /// Waits until the written bytes are on the disk, so that a rename cannot reach the disk before
  /// them.
  static func synchronize(_ descriptor: Int32) throws(Failure) {
    try check { fsync(descriptor) }
  }

  static func closeFile(_ descriptor: Int32) throws(Failure) {
    // Not repeated: on Linux an interrupted close has closed the descriptor.
    if close(descriptor) != 0, errno != EINTR { throw Failure(code: errno) }
  }

  static func move(_ old: String, over new: String) throws(Failure) {
    try check { rename(old, new) }
  }

  /// Removes a file and ignores errors, because the caller cannot handle them.
  static func removeIfPossible(_ path: String) {
    _ = unlink(path)
  }

  /// Writes all bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
    var start = 0
    while start < bytes.count {
      let from = start
      start += try check {
        bytes[from...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      }
    }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Ignores `SIGPIPE`, so that a closed pipe is an error of `write` and does not end the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Keeps a value until the process ends. The system then reclaims all memory at once, which is
  /// faster than releasing it row by row.
  static func keepUntilEnd(_ value: some Any) {
    _ = Unmanaged.passRetained(Kept(value))
  }

  private final class Kept<Value> {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Ends the process.
  static func endProcess(_ code: Int32) -> Never {
    exit(code)
  }

  /// Calls a function, repeats the call if a signal interrupts it, and throws its other errors.
  @discardableResult
  static func check<Number: FixedWidthInteger>(
    _ call: () -> Number
  ) throws(Failure) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw Failure(code: errno) }
    }
  }
}

extension SystemCalls {
  /// Opens a file for locking, and creates it if it is missing.
  static func openToLock(_ path: String) throws(Failure) -> Int32 {
    try openOrReadOnly(path, O_RDWR | O_CREAT)
  }

  /// Opens a file to check whether another process holds its lock.
  static func openToProbe(_ path: String) throws(Failure) -> Int32 {
    try openOrReadOnly(path, O_RDWR | O_NONBLOCK)
  }

  /// Opens a file, or only for reading if its permissions forbid opening it for writing. The locks
  /// of local file systems do not require that the file is open for writing. NFS requires it,
  /// because NFS implements locks as locks of byte ranges.
  private static func openOrReadOnly(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
    do throws(Failure) {
      return try check { open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o666) }
    } catch let failure {
      guard failure.code == EACCES else { throw failure }
      do throws(Failure) {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        return try check { open(path, flags) }
      } catch {
        throw failure
      }
    }
  }

  /// Acquires the exclusive lock of an open file. The system releases it when the process ends.
  ///
  /// Some file systems have no locks, or none for a file that is open only for reading. Without the
  /// lock, writing a database still detects a change by another process.
  ///
  /// - Returns: `false` if another process holds the lock and `waits` is `false`; otherwise `true`.
  static func lock(_ descriptor: Int32, waits: Bool) throws(Failure) -> Bool {
    do throws(Failure) {
      return try lockStrictly(descriptor, waits: waits)
    } catch {
      let codes = [ENOTSUP, EOPNOTSUPP, ENOLCK, ENOSYS, EINVAL, EBADF]
      if codes.contains(error.code) { return true }
      throw error
    }
  }

  /// Acquires the lock like `lock(_:waits:)`, but throws an error if the file system has no locks.
  static func lockStrictly(_ descriptor: Int32, waits: Bool) throws(Failure) -> Bool {
    do throws(Failure) {
      try check { flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.code == EWOULDBLOCK { return false }
      throw error
    }
  }
}

extension SystemCalls {
  /// Fills memory with the next bytes, or with the bytes from an offset of a regular file. Returns
  /// their number, which is less than the size of the memory only at the end of the input.
  static func fill(
    _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil
  ) throws(Failure) -> Int {
    var count = 0
    while count < memory.count {
      let start = count
      let (free, room) = (memory.baseAddress.map { $0 + start }, memory.count - start)
      let more = try check {
        if let offset {
          pread(descriptor, free, room, off_t(offset + start))
        } else {
          read(descriptor, free, room)
        }
      }
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// Returns the current offset of a descriptor.
  static func position(of descriptor: Int32) throws(Failure) -> Int {
    try Int(check { lseek(descriptor, 0, SEEK_CUR) })
  }

  /// Creates an unlinked file, which is deleted when it is closed.
  static func createTemporary() throws(Failure) -> Int32 {
    // `/tmp` is tried last: it is often in memory, and the temporary file is meant to save memory.
    let folders = [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"]
    var failure = Failure(code: ENOENT)
    for case .some(let folder) in folders where !folder.isEmpty {
      var template = Array("\(folder)/entia-XXXXXX".utf8CString)
      do throws(Failure) {
        return try SignalHandling.blockingSignals { () throws(Failure) in
          let descriptor = try check { mkstemp(&template) }
          unlink(template)
          return descriptor
        }
      } catch {
        failure = error
      }
    }
    throw failure
  }
}
