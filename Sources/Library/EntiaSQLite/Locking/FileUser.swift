import Foundation

/// A process that has a database file open for writing.
package struct FileUser: Equatable, Sendable {
  /// The use of the file.
  enum Kind: String {
    /// No other process may write.
    case sole
    /// Other processes write, too.
    case shared
    /// A sharing process that is inside a transaction.
    case transaction
  }

  let kind: Kind
  /// The identifier of the process.
  package let process: Int32
  /// The time at which the process started, in the system's units; 0 if it is unknown. The time
  /// distinguishes the process from a later process with the same identifier.
  private let start: UInt64
  /// A number that distinguishes the objects of one process that share the file.
  let token: UInt32

  /// Creates the description of this process as a user of a file.
  init(_ kind: Kind, token: UInt32 = 0) {
    self.kind = kind
    process = getpid()
    start = Self.ownStart
    self.token = token
  }

  /// Reads a line of a lock file.
  init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 4, let kind = Kind(rawValue: String(words[0])),
      let process = Int32(words[1]), let start = UInt64(words[2]), let token = UInt32(words[3])
    else { return nil }
    (self.kind, self.process, self.start, self.token) = (kind, process, start, token)
  }

  /// Returns the line of the process in a lock file, padded with spaces to at least `length` bytes.
  func line(length: Int = 0) -> [UInt8] {
    let text = "\(kind.rawValue) \(process) \(start) \(token)"
    let spaces = String(repeating: " ", count: max(0, length - text.utf8.count - 1))
    return Array("\(text)\(spaces)\n".utf8)
  }

  /// Whether the process still exists. For a sharing object of this process, whether the object
  /// with the `token` still exists.
  var isAlive: Bool {
    if kind == .shared, process == getpid(), start == Self.ownStart {
      return FileLock.isSharing(token)
    }
    // With `EPERM`, the process exists, but belongs to another user of the system.
    guard kill(process, 0) == 0 || errno == EPERM else { return false }
    guard start != 0, let current = Self.start(of: process) else { return true }
    return current == start
  }

  private static let ownStart = start(of: getpid()) ?? 0

  /// Returns the time at which a process started; `nil` if it is unknown. Returns 0 for a process
  /// that has ended, but stays in the system's list until its parent reads the exit status.
  private static func start(of process: Int32) -> UInt64? {
    #if os(Linux)
      guard let text = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
        return nil
      }
      // The name of the program stands in parentheses, and may contain spaces.
      let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      guard let fields, fields.count > 19 else { return nil }
      return fields[0] == "Z" || fields[0] == "X" ? 0 : UInt64(fields[19])
    #else
      return nil
    #endif
  }
}

/// The text of a lock file: the process that holds the lock, and then the processes that share the
/// database, each on a line.
struct LockFileText {
  /// The length of the first line in bytes. It is fixed, because the line is overwritten in place.
  static var holderLength: Int { 64 }

  /// The process that acquired the lock last. It may have released the lock since.
  var holder: FileUser?
  var sharers: [FileUser] = []

  /// Reads the lock file at a path, or returns `nil` if there is none.
  init?(path: String) {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { _ = Foundation.close(descriptor) }
    self.init(descriptor: descriptor)
  }

  /// Reads an open file. Lines of a form that this version cannot read are ignored.
  init(descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    holder = lines.first.flatMap { FileUser(line: $0) }
    sharers = lines.dropFirst().compactMap { FileUser(line: $0) }
  }

  var bytes: [UInt8] {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Self.holderLength - 1)
    let first = holder?.line(length: Self.holderLength) ?? spaces + [UInt8(ascii: "\n")]
    return first + sharers.flatMap { $0.line() }
  }
}
