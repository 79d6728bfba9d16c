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
  struct Failure: Error, Equatable {
    let code: Int32

    /// The system's own words, such as "No such file or directory".
    var message: String { String(cString: strerror(code)) }

    /// Whether the name leads nowhere.
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether a file of that name was already there.
    var isTaken: Bool { code == EEXIST }
  }

  /// Who may do what with a file.
  typealias Permissions = mode_t

  /// What a name stands for.
  struct Status {
    let isRegularFile: Bool
    let isDirectory: Bool
    let permissions: Permissions
    let size: Int
  }

  static func status(of path: String) throws(Failure) -> Status {
    var raw = stat()
    try check { stat(path, &raw) }
    let kind = raw.st_mode & S_IFMT
    return Status(
      isRegularFile: kind == S_IFREG, isDirectory: kind == S_IFDIR,
      permissions: raw.st_mode & 0o7777, size: Int(raw.st_size))
  }

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

  /// The name behind every symbolic link.
  static func resolved(_ path: String) throws(Failure) -> String {
    guard let pointer = realpath(path, nil) else { throw Failure(code: errno) }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// Reads up to the end of the file.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func readAll(_ descriptor: Int32, expecting size: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try check {
        chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Reads the next bytes into memory, as many as there are; none at the end.
  static func fill(
    _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32
  ) throws(Failure) -> Int {
    var count = 0
    while count < memory.count {
      let start = count
      let more = try check {
        read(descriptor, memory.baseAddress.map { $0 + start }, memory.count - start)
      }
      if more == 0 { break }
      count += more
    }
    return count
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

  @discardableResult
  private static func check<Number: FixedWidthInteger>(
    _ call: () -> Number
  ) throws(Failure) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw Failure(code: errno) }
    }
  }
}
