import EntiaTestSupport
import Foundation
import Testing

/// The built `entia`, run as its users run it.
struct EntiaProcess {
  /// What a run left behind.
  struct Outcome {
    let exitCode: Int32
    let output: Data
    let errors: Data

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// The root of the repository: relative paths in the tests start there.
  static let root = Repository.root

  /// Runs the tool in the repository's root and waits for its end.
  static func run(
    _ arguments: [String], input: Data = Data(), in folder: URL = root
  ) throws -> Outcome {
    let running = try start(arguments, input: input, in: folder)
    let outcome = try running.outcome()
    expectEqual(
      running.process.terminationReason, .exit,
      "killed by signal \(running.process.terminationStatus)")
    return outcome
  }

  /// A tool that was started and may not have ended.
  struct Running {
    let process: Process
    fileprivate let streams: TemporaryFolder

    /// What it has written to standard error so far.
    var errorText: String {
      get throws { try streams.text(of: "errors") }
    }

    /// Waits for its end.
    func outcome() throws -> Outcome {
      process.waitUntilExit()
      return Outcome(
        exitCode: process.terminationStatus,
        output: try Data(contentsOf: streams.url.appending(path: "output")),
        errors: try Data(contentsOf: streams.url.appending(path: "errors")))
    }
  }

  /// Starts the tool, and does not wait.
  static func start(
    _ arguments: [String], input: Data = Data(), in folder: URL = root
  ) throws -> Running {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Files rather than pipes: a full pipe that nobody reads would stop the process.
    let streams = try TemporaryFolder()
    let names = ["input", "output", "errors"]
    for name in names { _ = try streams.write("", to: name) }
    try input.write(to: streams.url.appending(path: "input"))
    let handles = try names.map { name in
      let url = streams.url.appending(path: name)
      return name == "input"
        ? try FileHandle(forReadingFrom: url) : try FileHandle(forWritingTo: url)
    }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try process.run()
    return Running(process: process, streams: streams)
  }

  /// Runs a line of a shell in a folder, in which `entia` is the tool.
  static func shell(_ line: String, in folder: TemporaryFolder) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let tool = try executable().path(percentEncoded: false)
    process.arguments = ["-c", "entia() { '\(tool)' \"$@\"; }; (\(line)) >.output 2>.errors"]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    defer {
      for name in [".output", ".errors"] {
        do {
          try FileManager.default.removeItem(at: folder.url.appending(path: name))
        } catch {
          Issue.record(error)
        }
      }
    }
    return Outcome(
      exitCode: process.terminationStatus,
      output: try Data(contentsOf: folder.url.appending(path: ".output")),
      errors: try Data(contentsOf: folder.url.appending(path: ".errors")))
  }

  /// Waits until something is true, for as long as a slow machine may need.
  static func wait(for condition: () throws -> Bool) throws {
    for _ in 0..<3000 {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("waited in vain")
  }

  /// Runs a line of words, none of which holds a space.
  static func run(_ line: String, input: String = "") throws -> Outcome {
    try run(line.split(separator: " ").map(String.init), input: Data(input.utf8))
  }

  /// The executable beside the test bundle.
  static func executable() throws -> URL {
    #if canImport(Darwin)
      let bundle = try #require(
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL)
    #else
      let bundle = URL(filePath: CommandLine.arguments[0])
    #endif
    let url = bundle.deletingLastPathComponent().appending(path: "entia")
    try #require(
      FileManager.default.isExecutableFile(atPath: url.path(percentEncoded: false)),
      "no executable at \(url.path(percentEncoded: false)): build the product `entia` first")
    return url
  }
}
