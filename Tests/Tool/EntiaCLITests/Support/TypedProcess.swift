import Foundation
import Testing

/// A tool whose input is typed while it runs.
final class TypedProcess {
  private let process = Process()
  private let input = Pipe()
  private let folder: TemporaryFolder

  /// Starts the tool.
  init(_ arguments: [String]) throws {
    folder = try TemporaryFolder()
    process.executableURL = try EntiaProcess.executable()
    process.arguments = arguments
    process.standardInput = input
    // Another process that is started meanwhile must not hold the input open.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    for name in ["output", "errors"] { _ = try folder.write("", to: name) }
    process.standardOutput = try FileHandle(
      forWritingTo: folder.url.appending(path: "output"))
    process.standardError = try FileHandle(
      forWritingTo: folder.url.appending(path: "errors"))
    try process.run()
  }

  deinit {
    // Only where a test failed before the end.
    if process.isRunning { process.terminate() }
  }

  /// Types a line.
  func type(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// What it has printed.
  var output: String {
    get throws { try folder.text(of: "output") }
  }

  /// Waits until it has printed a text.
  func wait(for text: String) throws {
    for _ in 0..<3000 {
      if try output.contains(text) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("waited in vain for '\(text)' after:\n\(try output)")
  }

  /// Ends the input, and waits for the end of the tool.
  /// - Returns: The exit code and what it printed.
  func finish() throws -> (exitCode: Int32, output: String, errors: String) {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return (process.terminationStatus, try output, try folder.text(of: "errors"))
  }
}
