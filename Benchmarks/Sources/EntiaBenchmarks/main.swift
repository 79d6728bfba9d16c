import Foundation

private func complain(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}

private func show(_ data: Data) { FileHandle.standardOutput.write(data) }

private func run(_ options: Options) throws -> Int32 {
  if options.wantsHelp {
    show(Data((Options.usage + "\n").utf8))
    return 0
  }
  if !Report.isBuiltWithOptimization {
    complain(
      """
      ******************************************************************************
      WARNING: built without optimization. These figures mean nothing; run
        swift run -c release --package-path Benchmarks entia-benchmarks
      ******************************************************************************
      """)
  }
  let runner = Runner(
    rounds: options.isSmoke ? 3 : 7, turnNanoseconds: options.isSmoke ? 50_000 : 10_000_000,
    progress: Progress())
  let suites = try options.suites.flatMap { suite in
    try options.sizes.map { try runner.run(suite, size: $0) }
  }
  let report = Report(
    isOptimized: Report.isBuiltWithOptimization, isSmoke: options.isSmoke, rounds: runner.rounds,
    suites: suites)
  if options.jsonPath == "-" {
    show(try report.json())
  } else {
    show(Data(report.text.utf8))
    if options.isChecking { show(Data(("\n" + report.barsText).utf8)) }
    if let path = options.jsonPath {
      do {
        try report.json().write(to: URL(fileURLWithPath: path))
      } catch {
        complain("cannot write \(path): \(error.localizedDescription)")
        return 73
      }
    }
  }
  return options.isChecking && report.misses > 0 ? 1 : 0
}

do {
  exit(try run(Options(Array(CommandLine.arguments.dropFirst()))))
} catch let error as UsageError {
  complain("entia-benchmarks: \(error)\nSee --help.")
  exit(64)
} catch {
  complain("entia-benchmarks: \(error)")
  exit(70)
}
