import EntiaStore
import Foundation

/// A process that a test starts; see `SharingChild` for the lines that it writes.
public final class ChildProcess: Sendable {
  private struct Output {
    var unread = Data()
    var confirmed: [String] = []
    var rejected: [String] = []
    var libraries: [String] = []
    var lines: [String] = []
    var isStopped = false
    var hasEnded = false
  }

  /// The program was not built.
  private struct MissingProgram: Error {
    let path: String
  }

  private let process: SendableProcess
  private let input = Pipe()
  private let output = Mutex(Output())

  /// Starts a process.
  /// - Parameters:
  ///   - program: The name of a program beside the tests.
  ///   - arguments: Its arguments.
  public init(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try Self.executable(program)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardInput = input
    process.standardOutput = pipe
    // Another process must not hold the input open.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    self.process = SendableProcess(value: process)
    // A line to a process that was killed is an error, and does not end the tests.
    _ = Foundation.signal(SIGPIPE, SIG_IGN)
    try process.run()
    let reader = pipe.fileHandleForReading
    Thread.detachNewThread { [weak self] in
      while true {
        let data = reader.availableData
        guard !data.isEmpty, let self else { break }
        self.read(data)
      }
      self?.end()
    }
  }

  deinit { kill() }

  private func end() { output.withLock { $0.hasEnded = true } }

  private func read(_ data: Data) {
    output.withLock { output in
      // Only whole lines. A line may have many megabytes, and is searched once for its end.
      var rest = data[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        output.unread += rest[..<end]
        let line = String(decoding: output.unread, as: UTF8.self)
        output.unread = Data()
        rest = rest[(end + 1)...]
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("confirmed", 2): output.confirmed.append(words[1])
        case ("rejected", 2): output.rejected.append(words[1])
        case ("library", 2): output.libraries.append(words[1])
        case ("stopped", _): output.isStopped = true
        default: output.lines.append(line)
        }
      }
      output.unread += rest
    }
  }

  /// The names of the batches that are confirmed.
  public var confirmed: [String] { output.withLock { $0.confirmed } }
  /// The names of the batches that were rejected.
  public var rejected: [String] { output.withLock { $0.rejected } }
  /// The libraries that it has written as JSON.
  public var libraries: [String] { output.withLock { $0.libraries } }
  /// The other lines that it has written.
  public var lines: [String] { output.withLock { $0.lines } }
  /// Whether it commits no more.
  public var isStopped: Bool { output.withLock { $0.isStopped } }
  /// Whether the process has ended and everything that it wrote is read.
  public var hasEnded: Bool { output.withLock { $0.hasEnded } }
  /// The identifier of the process.
  public var identifier: Int32 { process.value.processIdentifier }

  /// Sends a line, unless the process has ended: one that kills itself may do so at any moment.
  /// - Throws: What the pipe reports, except that nobody reads it.
  public func send(_ line: String = "") throws {
    let bytes = Array("\(line)\n".utf8)
    let count = write(input.fileHandleForWriting.fileDescriptor, bytes, bytes.count)
    guard count == bytes.count || errno == EPIPE else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// How the process ended, if neither by itself without an error nor because it was killed: a
  /// crash or a reported error. `nil` while it runs.
  public var failure: String? {
    let process = process.value
    guard !process.isRunning else { return nil }
    let status = process.terminationStatus
    switch process.terminationReason {
    case .exit: return status == 0 ? nil : "process \(identifier) ended with status \(status)"
    case .uncaughtSignal:
      return status == SIGKILL ? nil : "process \(identifier) was ended by signal \(status)"
    @unknown default: return "process \(identifier) ended"
    }
  }

  /// Ends the process, unless it has ended.
  public func kill() {
    let process = process.value
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a signal to the process.
  public func signal(_ signal: Int32) {
    if process.value.isRunning { Foundation.kill(process.value.processIdentifier, signal) }
  }

  /// Whether a signal has stopped the process.
  public var isSuspended: Bool {
    var info = siginfo_t()
    let process = id_t(identifier)
    // The state stays for whoever waits for the process.
    guard waitid(P_PID, process, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 else { return false }
    return info.si_signo == SIGCHLD
  }

  private static func executable(_ program: String) throws -> URL {
    #if canImport(Darwin)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      let bundle = tests ?? URL(filePath: CommandLine.arguments[0])
    #else
      let bundle = URL(filePath: CommandLine.arguments[0])
    #endif
    let url = bundle.deletingLastPathComponent().appending(path: program)
    let path = url.path(percentEncoded: false)
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw MissingProgram(path: path)
    }
    return url
  }
}

/// A process that several threads may signal.
private struct SendableProcess: @unchecked Sendable {
  let value: Process
}
