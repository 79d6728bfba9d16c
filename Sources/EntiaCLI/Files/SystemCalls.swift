#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The few system calls the tool needs, with interruptions retried and errors thrown as values.
enum SystemCalls {
  /// What the operating system said no to.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let code: Int32

    /// The system's own words, such as "No such file or directory".
    var message: String { String(cString: strerror(code)) }

    /// Whether the name leads nowhere.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether a file of that name was already there.
    var isTaken: Bool { code == EEXIST }

    /// Whether the reader of a pipe closed it.
    var isClosedPipe: Bool { code == EPIPE }

    var description: String { message }

    /// A folder stands where a file is needed.
    static let isDirectory = Failure(code: EISDIR)
  }

  /// Who may do what with a file.
  typealias Permissions = mode_t

  static func openToRead(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_RDONLY | O_CLOEXEC) }
  }

  static func openToWrite(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_WRONLY | O_CLOEXEC) }
  }

  /// Opens a file that was not there before.
  static func create(_ path: String) throws(Failure) -> Int32 {
    try check { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
  }

  static func setPermissions(_ descriptor: Int32, _ permissions: Permissions) throws(Failure) {
    try check { fchmod(descriptor, permissions) }
  }

  /// Waits until what was written is on the disk, so that a rename cannot outrun it.
  static func synchronize(_ descriptor: Int32) throws(Failure) {
    try check { fsync(descriptor) }
  }

  static func closeFile(_ descriptor: Int32) throws(Failure) {
    // Not retried: on Linux an interrupted close has closed.
    if close(descriptor) != 0, errno != EINTR { throw Failure(code: errno) }
  }

  static func move(_ old: String, over new: String) throws(Failure) {
    try check { rename(old, new) }
  }

  /// Removes a file, and does not mind when that fails: there is nothing left to do about it.
  static func removeIfPossible(_ path: String) {
    _ = unlink(path)
  }

  /// Writes every byte.
  ///
  /// - Complexity: O(*n*) in the bytes.
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

  /// Turns a reader that went away into an error of `write` instead of the end of the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Keeps a value until the process ends: the system takes all memory back at once, which is faster
  /// than letting go of it row by row.
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

  /// Makes a call again while a signal interrupts it, and throws its error.
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
