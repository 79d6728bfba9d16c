import BenchmarkReport
import Foundation

/// Executes the options.
struct Command {
  let options: Options

  /// Measures or reads a report, and writes all requested outputs.
  /// - Returns: The exit code.
  /// - Throws: `FileFailure`, `ReportError` or the error of a case.
  func run() throws -> Int32 {
    if options.wantsHelp {
      show(Options.usage + "\n")
      return 0
    }
    // Files are read first, so that an invalid file is reported before minutes of measuring.
    let old = try options.comparedPath.map(Self.read)
    let page = try options.readmePath.map { path in
      try MarkedText(Self.text(of: path), file: path)
    }
    let report = try options.sourcePath.map(Self.read) ?? measured()
    if options.jsonPath == "-" {
      FileHandle.standardOutput.write(try report.json())
    } else {
      show(report.text)
      if options.isChecking { show("\n" + report.barsText) }
    }
    if let path = options.jsonPath, path != "-" { try Self.write(report.json(), to: path) }
    if let path = options.htmlPath { try Self.write(Data(report.html.utf8), to: path) }
    if let page, let path = options.readmePath {
      try Self.write(Data(page.replaced(with: ReadmeTable(report).markdown).utf8), to: path)
    }
    if let old {
      let comparison = try Comparison(old: old, new: report)
      // The figures may be written to standard output.
      if options.jsonPath == "-" { complain(comparison.text) } else { show("\n" + comparison.text) }
    }
    return options.isChecking && report.misses > 0 ? 1 : 0
  }

  private func measured() throws -> Report {
    if !Self.isBuiltWithOptimization {
      complain(
        """
        ******************************************************************************
        WARNING: built without optimization. These figures mean nothing; run
          swift run -c release --package-path Benchmarks entia-benchmarks
        ******************************************************************************
        """)
    }
    let runner = Runner(
      rounds: options.rounds ?? (options.isSmoke ? 3 : 7),
      turnNanoseconds: options.isSmoke ? 50_000 : 10_000_000, isSmoke: options.isSmoke,
      filter: options.filter, progress: Progress())
    let suites = try options.suites.flatMap { try runner.run($0, sizes: options.sizes) }
    return Report(
      machine: Machine.text, isOptimized: Self.isBuiltWithOptimization, isSmoke: options.isSmoke,
      rounds: runner.rounds, peakBytes: SystemMemory.peak, suites: suites)
  }

  /// Whether this program was built with optimization.
  private static var isBuiltWithOptimization: Bool {
    var isDebug = false
    // The condition of an assertion is evaluated only in builds without optimization.
    assert(
      {
        isDebug = true
        return true
      }())
    return !isDebug
  }

  private static func read(_ path: String) throws -> Report {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FileFailure(path: path, isWriting: false, reason: error.localizedDescription)
    }
    return try Report(json: data, file: path)
  }

  private static func text(of path: String) throws -> String {
    do {
      return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
    } catch {
      throw FileFailure(path: path, isWriting: false, reason: error.localizedDescription)
    }
  }

  private static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw FileFailure(path: path, isWriting: true, reason: error.localizedDescription)
    }
  }
}

/// A file that cannot be read or written.
struct FileFailure: Error, CustomStringConvertible {
  let path: String
  let isWriting: Bool
  let reason: String

  var description: String { "cannot \(isWriting ? "write" : "read") \(path): \(reason)" }
}

/// Writes to standard output.
func show(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

/// Writes a line to standard error.
func complain(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
