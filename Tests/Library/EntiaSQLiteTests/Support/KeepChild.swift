import Foundation
import Testing

/// A process that saves the history of a seed in a file, until it is killed.
final class KeepChild {
  private let process = Process()
  private let output = Pipe()
  private var read = Data()

  /// The task of a process: to save with a durability, to migrate the file, or to read it without
  /// permissions.
  enum Task: String { case durable, fast, migrate, read }

  /// Starts a process whose first save has the number after `first`.
  init(
    path: String, seed: UInt64, _ task: Task, after first: Int, last: Int = 1_000_000,
    failpoint: (name: String, time: Int)? = nil
  ) throws {
    process.executableURL = try Self.executable()
    process.arguments = [path, "\(seed)", task.rawValue, "\(first)", "\(last)"]
    var environment = ProcessInfo.processInfo.environment
    if let failpoint {
      environment["ENTIA_KEEP_FAILPOINT"] = failpoint.name
      environment["ENTIA_KEEP_FAILPOINT_REACHED"] = "\(failpoint.time)"
    }
    process.environment = environment
    process.standardOutput = output
    try process.run()
  }

  deinit { kill() }

  /// Ends the process, unless it has ended.
  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Waits until so many saves are acknowledged or the process has ended.
  func wait(forSaves count: Int) {
    while acknowledged.count < count {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return }
      read += data
    }
  }

  /// Waits for the end of the process.
  /// - Returns: Whether it was killed.
  func waitUntilEnd() -> Bool {
    wait(forSaves: .max)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  /// The numbers of the acknowledged saves of which is known.
  var acknowledged: [Int] {
    // Only whole lines.
    String(decoding: read, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().compactMap { Int($0) }
  }

  private static func executable() throws -> URL {
    #if canImport(Darwin)
      let bundle = try #require(
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL)
    #else
      let bundle = URL(filePath: CommandLine.arguments[0])
    #endif
    let url = bundle.deletingLastPathComponent().appending(path: "EntiaKeepChild")
    try #require(
      FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false)),
      "no executable at \(url.path(percentEncoded: false)): build EntiaKeepChild first")
    return url
  }
}
