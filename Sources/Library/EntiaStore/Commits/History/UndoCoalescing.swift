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

  /// The edit becomes part of the last step, if there is one that has not been undone or redone
  /// since.
  public static let withLast = UndoCoalescing(kind: .always)

  /// Returns a coalescing where the edit becomes part of the last step if that step has the same
  /// name, was also made with `sameName`, and its last edit was no longer ago than this duration.
  public static func sameName(within duration: Duration) -> UndoCoalescing {
    UndoCoalescing(kind: .sameName(within: duration))
  }

  /// Returns the coalescing of a write through a pointer: it becomes part of the last step if that
  /// is a write of the same target with the same name, at most a second ago.
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
