import EntiaCoding
import Foundation

/// A journal: a file with lines of JSON. Only one process at a time can open it.
///
/// Each line has a checksum. Lines are appended, and synchronized if they must survive a loss of
/// power. An incomplete last line is ignored. Only one thread at a time uses the journal.
final class OutboxFile {
  private let path: String
  /// The descriptor of the open, locked file; -1 after `close()`.
  private var descriptor: Int32 = -1
  private(set) var size = 0

  /// Opens a file, or creates it.
  /// - Throws: `SharedDatabaseError.outboxIsOpen`, `.outboxFailed`.
  init(_ path: String) throws(SharedDatabaseError) {
    self.path = path
    // Another process may replace the file between opening and locking it.
    while true {
      let opened = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard opened >= 0 else { throw failure("it cannot be opened") }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
        let isLocked = errno == EWOULDBLOCK
        let failure = failure("it cannot be locked")
        _ = Foundation.close(opened)
        throw isLocked ? .outboxIsOpen(file: path) : failure
      }
      if Self.isFile(opened, at: path) == true {
        descriptor = opened
        return
      }
      _ = Foundation.close(opened)
    }
  }

  deinit { close() }

  func close() {
    if descriptor < 0 { return }
    // If another thread is starting a process, that process has a copy of the descriptor until it
    // executes its program. Until then, closing this descriptor alone would not end the lock.
    _ = flock(descriptor, LOCK_UN)
    _ = Foundation.close(descriptor)
    descriptor = -1
  }

  /// Returns whether an open file is the file at a path; `nil` if there is no file at the path.
  private static func isFile(_ descriptor: Int32, at path: String) -> Bool? {
    var mine = stat()
    var current = stat()
    guard stat(path, &current) == 0 else { return nil }
    return fstat(descriptor, &mine) == 0 && mine.st_ino == current.st_ino
      && mine.st_dev == current.st_dev
  }

  /// Returns whether the file is still at its path; otherwise it was removed.
  /// - Throws: `SharedDatabaseError.outboxFailed` if another file is at the path.
  private func isInPlace() throws(SharedDatabaseError) -> Bool {
    let isMine = Self.isFile(descriptor, at: path)
    if isMine == false { throw .outboxFailed(file: path, reason: "another file is in its place") }
    return isMine == true
  }

  private func failure(_ what: String) -> SharedDatabaseError {
    .outboxFailed(file: path, reason: "\(what): \(String(cString: strerror(errno)))")
  }

  /// Returns the complete lines. `isComplete` is `false` if an incomplete line follows them.
  /// - Throws: `SharedDatabaseError.outboxFailed`, also for a file in which a complete line follows
  ///   an incomplete one. The end of a process or a loss of power does not leave such a file.
  func read() throws(SharedDatabaseError) -> (lines: [JSONValue], isComplete: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure("it cannot be read") }
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw failure("it cannot be read") }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    var lines: [JSONValue] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")),
      let line = Self.line(bytes[start..<end])
    {
      lines.append(line)
      start = end + 1
    }
    if Self.hasLine(bytes[start...]) {
      throw .outboxFailed(
        file: path,
        reason: """
          line \(lines.count + 1) is damaged, and batches may follow it: the file was left as it \
          is; move it away to begin an empty outbox
          """)
    }
    size = start
    return (lines, start == bytes.count)
  }

  /// Returns the value of a line, or `nil` if the checksum is wrong or the line is no JSON.
  private static func line(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    let text = bytes.dropFirst(checksumLength + 1)
    guard bytes.count > checksumLength + 1,
      bytes.dropFirst(checksumLength).first == UInt8(ascii: " "),
      bytes.prefix(checksumLength).elementsEqual(checksum(of: text))
    else { return nil }
    do {
      return try JSONValue.parse(Array(text))
    } catch {
      return nil
    }
  }

  /// Returns whether the bytes contain a complete line. The line may begin at any position, because
  /// the end of the line before it may be damaged.
  private static func hasLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { text in
      for start in text.indices.dropLast(checksumLength)
      where text[start + checksumLength] == UInt8(ascii: " ")
        && text[start..<start + checksumLength].allSatisfy(isDigit)
      {
        let line = bytes[(bytes.startIndex + start)...].prefix { $0 != UInt8(ascii: "\n") }
        if line.endIndex < bytes.endIndex, Self.line(line) != nil { return true }
      }
      return false
    }
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= character
      || UInt8(ascii: "a")...UInt8(ascii: "f") ~= character
  }

  private static let checksumLength = 16

  private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return Array((String(repeating: "0", count: checksumLength - digits.count) + digits).utf8)
  }

  static func bytes(of lines: [JSONValue]) -> [UInt8] {
    lines.flatMap { line -> [UInt8] in
      let text = line.bytes()
      return checksum(of: text[...]) + [UInt8(ascii: " ")] + text + [UInt8(ascii: "\n")]
    }
  }

  /// Appends lines.
  /// - Parameter isDurable: Whether the lines must survive a loss of power.
  /// - Throws: `SharedDatabaseError.outboxFailed`. The file may then contain some of the lines, and
  ///   must be replaced.
  func append(_ lines: [JSONValue], isDurable: Bool) throws(SharedDatabaseError) {
    let bytes = Self.bytes(of: lines)
    guard try isInPlace() else {
      throw .outboxFailed(file: path, reason: "it was removed while it was open")
    }
    guard lseek(descriptor, off_t(size), SEEK_SET) >= 0 else {
      throw failure("it cannot be written")
    }
    try write(bytes, to: descriptor)
    if isDurable, fsync(descriptor) != 0 { throw failure("it cannot be written") }
    size += bytes.count
  }

  /// Replaces the journal by other lines, atomically. Creates the file again if it was removed.
  /// - Throws: `SharedDatabaseError.outboxFailed`. The file is then unchanged, unless only the
  ///   synchronization of its folder failed.
  func replace(_ lines: [JSONValue]) throws(SharedDatabaseError) {
    _ = try isInPlace()
    let temporary = path + ".new"
    let created = Foundation.open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard created >= 0 else { throw failure("'\(temporary)' cannot be created") }
    do throws(SharedDatabaseError) {
      // The new file is locked before it is renamed to the journal.
      guard flock(created, LOCK_EX | LOCK_NB) == 0 else { throw failure("it cannot be locked") }
      let bytes = Self.bytes(of: lines)
      try write(bytes, to: created)
      guard fsync(created) == 0, rename(temporary, path) == 0 else {
        throw failure("it cannot be replaced")
      }
      _ = Foundation.close(descriptor)
      descriptor = created
      size = bytes.count
    } catch {
      _ = Foundation.close(created)
      _ = unlink(temporary)
      throw error
    }
    try synchronizeFolder()
  }

  /// Synchronizes the folder, so that the name of the file is durable.
  private func synchronizeFolder() throws(SharedDatabaseError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
    let opened = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw failure("its folder cannot be opened") }
    defer { _ = Foundation.close(opened) }
    guard fsync(opened) == 0 else { throw failure("its folder cannot be written") }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(SharedDatabaseError) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("it cannot be written") }
      start += count
    }
  }
}
