#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The reason why no further messages can be exchanged.
enum ChannelError: Error, Equatable, CustomStringConvertible {
  /// The input ended inside a message.
  case truncated(expected: Int, received: Int)
  /// A message announced an unreasonable length.
  case unreasonableLength(UInt64)
  /// A system call failed with this `errno`.
  case failed(operation: String, code: Int32)

  var description: String {
    switch self {
    case .truncated(let expected, let received):
      "the input ended after \(received) of a message's \(expected) bytes"
    case .unreasonableLength(let length):
      "a message announced \(length) bytes, more than any message has"
    case .failed(let operation, let code):
      "\(operation) failed with error \(code)"
    }
  }
}

/// Exchanges messages over two file descriptors. A message is an 8-byte little-endian length,
/// followed by that number of bytes.
struct MessageChannel {
  /// The file descriptor for received messages.
  let input: Int32
  /// The file descriptor for sent messages.
  let output: Int32

  private static let headerLength = 8
  private static let longestMessage: UInt64 = 1 << 30
  private static let pieceLength = 1 << 16

  /// Returns the next message, or `nil` at the end of the input.
  /// - Throws: `ChannelError` if the input ends inside a message, announces an unreasonable length
  ///   or cannot be read.
  func receive() throws(ChannelError) -> [UInt8]? {
    let header = try readBytes(Self.headerLength)
    if header.isEmpty { return nil }
    guard header.count == Self.headerLength else {
      throw .truncated(expected: Self.headerLength, received: header.count)
    }
    let length = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= Self.longestMessage else { throw .unreasonableLength(length) }
    let message = try readBytes(Int(length))
    guard message.count == Int(length) else {
      throw .truncated(expected: Int(length), received: message.count)
    }
    return message
  }

  /// Sends `message`.
  func send(_ message: [UInt8]) throws(ChannelError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerLength + message.count)
    for shift in 0..<Self.headerLength {
      bytes.append(UInt8(truncatingIfNeeded: UInt64(message.count) >> UInt64(shift * 8)))
    }
    bytes.append(contentsOf: message)
    try writeBytes(bytes)
  }

  /// Reads up to `count` bytes; fewer only at the end of the input. Memory grows with the received
  /// bytes, not with the announced length.
  private func readBytes(_ count: Int) throws(ChannelError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(count, Self.pieceLength))
    while bytes.count < count {
      let wanted = min(count - bytes.count, piece.count)
      let received = piece.withUnsafeMutableBytes { read(input, $0.baseAddress, wanted) }
      if received == 0 { break }
      if received < 0 {
        if errno == EINTR { continue }
        throw .failed(operation: "read", code: errno)
      }
      bytes.append(contentsOf: piece[..<received])
    }
    return bytes
  }

  private func writeBytes(_ bytes: [UInt8]) throws(ChannelError) {
    var written = 0
    while written < bytes.count {
      let result = bytes[written...].withUnsafeBytes {
        write(output, $0.baseAddress, $0.count)
      }
      if result < 0 {
        if errno == EINTR { continue }
        throw .failed(operation: "write", code: errno)
      }
      written += result
    }
  }
}

extension MessageChannel {
  /// Returns the channel to the compiler, over standard input and output.
  ///
  /// File descriptor 1 is redirected to standard error, so that a stray `print` cannot corrupt the
  /// messages. `SIGPIPE` is ignored, so that a terminated compiler causes a failed write, not a
  /// signal.
  static func toCompiler() throws(ChannelError) -> MessageChannel {
    signal(SIGPIPE, SIG_IGN)
    let output = dup(STDOUT_FILENO)
    guard output >= 0 else { throw .failed(operation: "dup", code: errno) }
    guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw .failed(operation: "dup2", code: errno)
    }
    return MessageChannel(input: STDIN_FILENO, output: output)
  }
}
