import Foundation

/// A program that runs in a process of its own, with its processor time and its peak memory.
///
/// A small process in between starts it: the system counts the memory of the process that starts a
/// program as the program's own until the program has more.
enum MeasuredProgram {
  struct Usage {
    let nanoseconds: Double
    let peakBytes: Double
  }

  private static let variable = "ENTIA_BENCHMARKS_MEASURES"

  /// Runs a program to its end.
  /// - Throws: A `Disagreement` if it fails.
  static func run(_ path: String, _ arguments: [String]) throws -> Usage {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = "1"
    process.environment = environment
    process.arguments = [path] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2, process.terminationStatus == 0 else {
      throw Disagreement("\(path) \(arguments.joined(separator: " ")) fails: \(text)")
    }
    return Usage(nanoseconds: numbers[0], peakBytes: numbers[1])
  }

  /// Runs the program of the arguments if this process was started for it, and exits.
  static func runIfStarted() throws {
    var environment = ProcessInfo.processInfo.environment
    guard environment.removeValue(forKey: variable) != nil else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[1])
    process.arguments = Array(CommandLine.arguments.dropFirst(2))
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_CHILDREN, &usage)
    #else
      getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
    #endif
    func nanoseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3
    }
    #if canImport(Darwin)
      let unit = 1.0
    #else
      let unit = 1024.0
    #endif
    let peak = Double(usage.ru_maxrss) * unit
    print(nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime), peak)
    exit(process.terminationStatus)
  }
}
