/// What the tool says: reports on standard output, complaints and progress on standard error.
struct Console {
  /// Says whether a person sees what goes to standard error.
  var isTerminal = SystemCalls.isTerminal(Stream.error.rawValue)
  /// Writes to a way out of the process.
  var write: ([UInt8], Stream) throws(SystemCalls.Failure) -> Void = {
    (bytes, stream) throws(SystemCalls.Failure) in
    try SystemCalls.writeAll(bytes, to: stream.rawValue)
  }
  /// The time, counted from any moment.
  var now: () -> Duration = {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }()

  /// Prints text that somebody asked for.
  ///
  /// Throws `cannotWrite`, for example when the reader of a pipe has gone.
  func print(_ text: String, to stream: Stream = .output) throws(CommandFailure) {
    do {
      try write(Array(text.utf8), stream)
    } catch {
      // A reader that has seen enough, such as `head`, is no mistake to report.
      if error.isClosedPipe { throw CommandFailure(.cannotWrite, []) }
      throw CommandFailure(.cannotWrite, "cannot write \(stream): \(error.message)")
    }
  }

  /// Says what went wrong. When even that cannot be said, the exit code has to do.
  func complain(_ lines: [String]) {
    if lines.isEmpty { return }
    let text = lines.map { $0 + "\n" }.joined()
    do { try print(text, to: .error) } catch {}
  }

  /// A way out of the process.
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
