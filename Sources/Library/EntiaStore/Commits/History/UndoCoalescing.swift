public import EntiaDatabase

/// Whether an edit becomes a separate step of a history, or part of the previous step.
///
/// The usual purpose is typing: a word should be undone as a whole, not letter by letter.
public struct UndoCoalescing: Sendable {
  enum Kind {
    case never
    case always
    case sameName(within: Duration)
    case sameTarget(RefPath, within: Duration)
  }

  let kind: Kind

  /// The edit is a separate step.
  public static let never = UndoCoalescing(kind: .never)

  /// The edit becomes part of the last step, unless there is none or a step has been undone or
  /// redone since.
  public static let withLast = UndoCoalescing(kind: .always)

  /// Returns a coalescing by name and time. The edit becomes part of the last step if that step has
  /// the same name and was also made with `sameName`, and its last edit is no older than the
  /// duration.
  public static func sameName(within duration: Duration) -> UndoCoalescing {
    UndoCoalescing(kind: .sameName(within: duration))
  }

  /// Returns the coalescing of a write through a pointer. The write becomes part of the last step
  /// if that step is a write of the same target with the same name, at most a second ago.
  static func sameTarget(_ path: RefPath) -> UndoCoalescing {
    UndoCoalescing(kind: .sameTarget(path, within: .seconds(1)))
  }

  /// The time of an edit; the clock is read only if the time is needed.
  var now: UndoTime? {
    switch kind {
    case .never, .always: nil
    case .sameName, .sameTarget: UndoTime.ofEdit
    }
  }

  /// The target of a write through a pointer.
  var target: RefPath? {
    if case .sameTarget(let path, _) = kind { path } else { nil }
  }
}

/// The rows that an undo or a redo did not restore, because an unrecorded commit has changed them
/// since the step. Reported to the store's problem handler and logger.
public struct UndoConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rows: *base* is the step's version, *mine* is the kept version, and *theirs* is the
  /// version that was not restored.
  public let conflicts: [RowConflict]

  /// A description of the rows and the reasons.
  public var description: String {
    "rows have changed since the step: \(conflicts.map(\.description).joined(separator: "; "))"
  }
}

/// Whether a commit is an undo step.
public enum UndoRecording: Hashable, Sendable {
  /// The commit is a separate step.
  case step
  /// The commit is not a step, and undoing an earlier step keeps it.
  case none
}

/// The time of an edit or of the beginning of a commit.
///
/// Measured from a fixed instant of this process: the size of a clock's instant is known only at
/// run time, which would slow down moving steps.
@usableFromInline
package struct UndoTime: Sendable {
  private static let origin = ContinuousClock.now

  /// The current time.
  @usableFromInline static var now: UndoTime { UndoTime(ContinuousClock.now) }

  /// The time of edits in this task, which replaces the current time in tests.
  @TaskLocal package static var fixed: ContinuousClock.Instant?

  /// The time of an edit that is made now.
  static var ofEdit: UndoTime { fixed.map { UndoTime($0) } ?? now }

  let elapsed: Duration

  init(_ instant: ContinuousClock.Instant) {
    elapsed = Self.origin.duration(to: instant)
  }
}
