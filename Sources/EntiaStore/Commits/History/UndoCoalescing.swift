/// Whether an edit becomes a step of its own in a history, or part of the step before.
///
/// Typing is the usual reason: a word should be undone as a whole, not letter by letter.
public struct UndoCoalescing: Sendable {
  enum Kind {
    case never
    case always
    case sameName(within: Duration)
  }

  let kind: Kind

  /// The edit is a step of its own.
  public static let never = UndoCoalescing(kind: .never)

  /// The edit is part of the last step, if there is one that has not been undone or redone since.
  public static let withLast = UndoCoalescing(kind: .always)

  /// The edit is part of the last step if that has the same name, was made with `sameName` too, and
  /// was last added to no longer ago than this.
  public static func sameName(within duration: Duration) -> UndoCoalescing {
    UndoCoalescing(kind: .sameName(within: duration))
  }

  /// The time of an edit, asked for only when it counts.
  var now: UndoTime? {
    if case .sameName = kind { UndoTime(.now) } else { nil }
  }
}
