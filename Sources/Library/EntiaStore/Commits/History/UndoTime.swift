/// The time of an edit or of the beginning of a commit.
///
/// Measured from a fixed instant of this process: the size of a clock's instant is known only at
/// run time, which made all steps of a history slow to move.
@usableFromInline
package struct UndoTime: Sendable {
  private static let origin = ContinuousClock.now

  /// The current time.
  @usableFromInline static var now: UndoTime { UndoTime(ContinuousClock.now) }

  /// The time of edits in this task instead of the current one, for tests.
  @TaskLocal package static var fixed: ContinuousClock.Instant?

  /// The time of an edit that is made now.
  static var ofEdit: UndoTime { fixed.map { UndoTime($0) } ?? now }

  let elapsed: Duration

  init(_ instant: ContinuousClock.Instant) {
    elapsed = Self.origin.duration(to: instant)
  }
}
