import CBenchmarkSupport

/// One contestant's turn at a case: it prepares, measures and sums up what it found until its time is
/// used up.
struct Run {
  /// How many operations a check does where a run does more, so that slow contestants can follow.
  static let checkedOperations = 64

  /// Whether this is the correctness run: one pass, untimed, whose checksum must agree.
  let isCheck: Bool
  private(set) var nanoseconds = 0.0
  private(set) var operations = 0
  private(set) var checksum = 0
  private var passes = 0
  private let wanted: Double

  /// Begins a turn that ends when this much time was measured.
  init(nanoseconds wanted: Double) {
    self.wanted = wanted
    isCheck = false
  }

  private init() {
    wanted = 0
    isCheck = true
  }

  static var check: Run { Run() }

  /// Whether there is to be another pass.
  var wantsMore: Bool { passes == 0 || (!isCheck && nanoseconds < wanted) }

  /// The nanoseconds of one operation.
  var figure: Double { operations == 0 ? 0 : nanoseconds / Double(operations) }

  /// How many operations the next pass has.
  func size(_ count: Int) -> Int { isCheck ? min(count, Self.checkedOperations) : count }

  /// Times a pass of so many operations; what it returns goes into the checksum.
  ///
  /// What counts is the time on a processor, so that other programs disturb less.
  mutating func measure(_ count: Int, _ body: () throws -> Int) rethrows {
    let start = thread_nanoseconds()
    let found = try body()
    nanoseconds += thread_nanoseconds() - start
    operations += count
    passes += 1
    checksum = (checksum &* 31) &+ found
  }

  /// Records a figure that is not a time, such as bytes a row.
  mutating func record(_ value: Double) {
    nanoseconds = value
    operations = 1
    passes += 1
  }
}
