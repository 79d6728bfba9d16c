/// When an edit was made.
///
/// Measured from a moment of this process, because an instant of a clock is of a size that is only
/// known at run time, and that made all steps of a history slow to move.
struct UndoTime: Sendable {
  private static let origin = ContinuousClock.now

  let elapsed: Duration

  init(_ instant: ContinuousClock.Instant) {
    elapsed = Self.origin.duration(to: instant)
  }
}
