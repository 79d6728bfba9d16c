import Testing

@testable import BenchmarkReport
