import EntiaStore
import Foundation
import Testing

/// A process that shares a library; see `EntiaShareChild`.
final class ShareChild: Sendable {
  private struct Output {
    var unread = Data()
    var confirmed: [String] = []
    var rejected: [String] = []
    var libraries: [String] = []
    var lines: [String] = []
    var isStopped = false
    var hasEnded = false
  }

  private let process: SendableProcess
  private let input = Pipe()
  private let output = Mutex(Output())

  init(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = arguments
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
      self?.end()
    }
  }

  deinit { kill() }

  private func end() { output.withLock { $0.hasEnded = true } }

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
        default: output.lines.append(line)
        }
      }
    }
  }

  /// The names of the batches that the server has confirmed.
  var confirmed: [String] { output.withLock { $0.confirmed } }
  /// The names of the batches that were rejected.
  var rejected: [String] { output.withLock { $0.rejected } }
  /// The libraries that it has written as JSON.
  var libraries: [String] { output.withLock { $0.libraries } }
  var lines: [String] { output.withLock { $0.lines } }
  var isStopped: Bool { output.withLock { $0.isStopped } }
  /// Whether the process has ended and everything that it wrote is read.
  var hasEnded: Bool { output.withLock { $0.hasEnded } }

  /// Sends a line.
  func send(_ line: String = "") throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
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
    let url = bundle.deletingLastPathComponent().appending(path: "EntiaShareChild")
    try #require(
      FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false)),
      "no executable at \(url.path(percentEncoded: false)): build EntiaShareChild first")
    return url
  }
}

/// A process that several threads may signal.
private struct SendableProcess: @unchecked Sendable {
  let value: Process
}
