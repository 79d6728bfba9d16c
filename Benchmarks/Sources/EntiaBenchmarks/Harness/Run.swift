import BenchmarkReport
import CBenchmarkSupport

/// One contestant's turn at a case. It prepares, measures and adds to its checksum until its time
/// is used up.
struct Run {
  /// The maximum number of operations in a check, so that slow contestants can be checked as well.
  static let checkedOperations = 64

  /// The purpose of a turn.
  private enum Purpose {
    case check
    case count
    case time(Double)
  }

  private let purpose: Purpose
  private(set) var nanoseconds = 0.0
  private(set) var operations = 0
  private(set) var checksum = 0
  private var passes = 0
  private var blocks = 0.0
  private var bytes = 0.0

  private init(_ purpose: Purpose) { self.purpose = purpose }

  /// The correctness run: one untimed pass, whose checksum must match.
  static var check: Run { Run(.check) }

  /// One pass whose allocations are counted.
  static var count: Run { Run(.count) }

  /// Returns a turn that ends after this measured time.
  static func time(_ nanoseconds: Double) -> Run { Run(.time(nanoseconds)) }

  /// Whether this is the correctness run.
  var isCheck: Bool { if case .check = purpose { true } else { false } }

  /// Whether another pass should follow.
  var wantsMore: Bool {
    guard passes > 0, case .time(let wanted) = purpose else { return passes == 0 }
    return nanoseconds < wanted
  }

  /// The nanoseconds of one operation.
  var figure: Double { operations == 0 ? 0 : nanoseconds / Double(operations) }

  /// The allocations of one operation.
  var allocations: Allocations? {
    guard case .count = purpose, Heap.isCounting, operations > 0 else { return nil }
    return Allocations(count: blocks / Double(operations), bytes: bytes / Double(operations))
  }

  /// Returns the number of operations in the next pass.
  func size(_ count: Int) -> Int { isCheck ? min(count, Self.checkedOperations) : count }

  /// Measures the time of a pass of `count` operations, and adds its result to the checksum.
  ///
  /// It measures the processor time of the thread, so that other programs have less influence.
  mutating func measure(_ count: Int, _ body: () throws -> Int) rethrows {
    let isCounting = if case .count = purpose { true } else { false }
    if isCounting { begin_counting_allocations() }
    let start = thread_nanoseconds()
    let found: Int
    do {
      defer {
        nanoseconds += thread_nanoseconds() - start
        if isCounting { end_counting_allocations() }
      }
      found = try body()
    }
    if isCounting {
      let counts = counted_allocations()
      blocks += Double(counts.count)
      bytes += Double(counts.bytes)
    }
    operations += count
    passes += 1
    checksum = (checksum &* 31) &+ found
  }

  /// Adds a pass that was measured elsewhere, such as in another process.
  mutating func add(_ count: Int, nanoseconds: Double, result: Int) {
    self.nanoseconds += nanoseconds
    operations += count
    passes += 1
    checksum = (checksum &* 31) &+ result
  }

  /// Records a figure that is not a time, such as bytes per row.
  mutating func record(_ value: Double) {
    nanoseconds = value
    operations = 1
    passes += 1
  }
}
