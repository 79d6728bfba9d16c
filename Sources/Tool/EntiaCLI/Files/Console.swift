/// The output of the tool: reports on standard output, errors and progress on standard error.
struct Console {
  /// Whether standard error is a terminal.
  var isTerminal = SystemCalls.isTerminal(Stream.error.rawValue)
  /// Writes bytes to an output stream of the process.
  var write: ([UInt8], Stream) throws(SystemCalls.Failure) -> Void = {
    (bytes, stream) throws(SystemCalls.Failure) in
    try SystemCalls.writeAll(bytes, to: stream.rawValue)
  }
  /// Returns the time elapsed since an arbitrary start.
  var now: () -> Duration = {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }()

  /// Prints text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - stream: The stream.
  ///   - file: The file that the command has already written. The message of a failure names this
  ///     file.
  /// - Throws: A failure with `cannotWrite`, for example if the reader of a pipe closed it.
  func print(
    _ text: String, to stream: Stream = .output, afterWriting file: String? = nil
  ) throws(CommandFailure) {
    do {
      try write(Array(text.utf8), stream)
    } catch {
      // A reader that stops early, such as `head`, is not an error to report.
      if error.isClosedPipe { throw CommandFailure(.cannotWrite, []) }
      throw CommandFailure(
        .cannotWrite,
        ["cannot write \(stream): \(error.message)"]
          + (file.map { ["the file '\($0)' was written"] } ?? []))
    }
  }

  /// Prints error messages. If they cannot be printed, only the exit code reports the error.
  func complain(_ lines: [String]) {
    if lines.isEmpty { return }
    let text = lines.map { $0 + "\n" }.joined()
    do { try print(text, to: .error) } catch {}
  }

  /// An output stream of the process.
  enum Stream: Int32, CustomStringConvertible {
    case output = 1
    case error = 2

    var description: String {
      switch self {
      case .output: "standard output"
      case .error: "standard error"
      }
    }
  }
}
