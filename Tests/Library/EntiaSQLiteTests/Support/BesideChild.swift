import EntiaStore
import Foundation
import Testing

/// A process that shares a library in a file; see `EntiaBesideChild`.
final class BesideChild: Sendable {
  private struct Output {
    var unread = Data()
    var confirmed: [String] = []
    var rejected: [String] = []
    var libraries: [String] = []
    var isStopped = false
    var hasEnded = false
  }

  private let process: SendableProcess
  private let input = Pipe()
  private let output = Mutex(Output())

  /// Starts a process.
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - seed: The seed of its batches.
  ///   - failpoint: The point at which it kills itself, and how often it reaches it before.
  init(_ path: String, seed: UInt64, dyingAt failpoint: (name: String, time: Int)? = nil) throws {
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = [path, "\(seed)"] + (failpoint.map { [$0.name, "\($0.time)"] } ?? [])
    let pipe = Pipe()
    process.standardInput = input
    process.standardOutput = pipe
    // Another process must not hold the input open.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    self.process = SendableProcess(value: process)
    try process.run()
    let reader = pipe.fileHandleForReading
    Thread.detachNewThread { [weak self] in
      while true {
        let data = reader.availableData
        guard !data.isEmpty, let self else { break }
        self.read(data)
      }
      self?.output.withLock { $0.hasEnded = true }
    }
  }

  deinit { kill() }

  private func read(_ data: Data) {
    output.withLock { output in
      output.unread += data
      // Only whole lines.
      while let end = output.unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: output.unread[..<end], as: UTF8.self)
        output.unread = Data(output.unread[(end + 1)...])
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("confirmed", 2): output.confirmed.append(words[1])
        case ("rejected", 2): output.rejected.append(words[1])
        case ("library", 2): output.libraries.append(words[1])
        case ("stopped", _): output.isStopped = true
        default: break
        }
      }
    }
  }

  /// The names of the batches that are in the file.
  var confirmed: [String] { output.withLock { $0.confirmed } }
  /// The names of the batches that were rejected.
  var rejected: [String] { output.withLock { $0.rejected } }
  /// The libraries that it has written as JSON.
  var libraries: [String] { output.withLock { $0.libraries } }
  var isStopped: Bool { output.withLock { $0.isStopped } }
  /// Whether the process has ended and everything that it wrote is read.
  var hasEnded: Bool { output.withLock { $0.hasEnded } }
  var identifier: Int32 { process.value.processIdentifier }

  /// Sends a line.
  func send() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
  }

  /// Ends the process, unless it has ended.
  func kill() {
    let process = process.value
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a signal to the process.
  func signal(_ signal: Int32) {
    if process.value.isRunning { Foundation.kill(process.value.processIdentifier, signal) }
  }

  private static func executable() throws -> URL {
    #if canImport(Darwin)
      let bundle = try #require(
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL)
    #else
      let bundle = URL(filePath: CommandLine.arguments[0])
    #endif
    let url = bundle.deletingLastPathComponent().appending(path: "EntiaBesideChild")
    try #require(
      FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false)),
      "no executable at \(url.path(percentEncoded: false)): build EntiaBesideChild first")
    return url
  }
}

/// A process that several threads may signal.
private struct SendableProcess: @unchecked Sendable {
  let value: Process
}
