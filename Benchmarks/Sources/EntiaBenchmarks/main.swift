import BenchmarkReport
import Foundation

private func fail(_ error: any Error, code: Int32, hint: String = "") -> Never {
  complain("entia-benchmarks: \(error)\(hint)")
  exit(code)
}

do {
  try MeasuredProgram.runIfStarted()
  #if canImport(CPostgreSQL)
    try FollowingProcess.runIfStarted()
  #endif
  exit(try Command(options: Options(Array(CommandLine.arguments.dropFirst()))).run())
} catch let error as UsageError {
  fail(error, code: 64, hint: "\nSee --help.")
} catch let error as ReportError {
  fail(error, code: 65)
} catch let error as FileFailure {
  fail(error, code: error.isWriting ? 73 : 66)
} catch {
  fail(error, code: 70)
}
