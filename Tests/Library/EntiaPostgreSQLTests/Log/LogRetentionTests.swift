import EntiaTestSupport
import Testing

@testable import EntiaPostgreSQL
@testable import EntiaSharing

@Suite("Trimming of the log")
struct LogRetentionTests {
  @Test("A log that keeps many batches is trimmed less often: each is read a few times at most")
  func interval() {
    let retention = LogRetention()
    let count = shortened(1_000_000)
    for kept: Int64 in [0, 256, 4_096, 100_000, 1_000_000] {
      let times = (1...Int64(count)).filter { retention.isTrimmed(after: $0, kept: kept) }.count
      let reads = Double(times) * Double(kept) / Double(count)
      #expect(times > 0)
      #expect(reads <= 32, "\(kept) kept")
    }
    // A short log is trimmed at each interval.
    expectTrue(retention.isTrimmed(after: 512, kept: 512))
    expectFalse(retention.isTrimmed(after: 513, kept: 512))
  }
}
