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
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Runs the tool in the repository's root and waits for its end.
  static func run(
    _ arguments: [String], input: Data = Data(), in folder: URL = root
  ) throws -> Outcome {
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
    process.waitUntilExit()
    #expect(process.terminationReason == .exit, "killed by signal \(process.terminationStatus)")
    return Outcome(
      exitCode: process.terminationStatus,
      output: try Data(contentsOf: streams.url.appending(path: "output")),
      errors: try Data(contentsOf: streams.url.appending(path: "errors")))
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
