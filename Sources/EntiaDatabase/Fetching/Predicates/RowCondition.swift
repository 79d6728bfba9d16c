/// What must hold of a row that a predicate accepts, as far as an index can make use of it.
///
/// It may hold of more rows than the predicate accepts, never of fewer.
indirect enum RowCondition {
  /// Nothing is known.
  case unknown
  /// No row is accepted.
  case impossible
  /// The field has one of the values.
  case equals(FieldPath, [Any])
  /// The field, a collection, contains the value.
  case contains(FieldPath, Any)
  /// The field is between the bounds.
  case between(FieldPath, ConditionBound, ConditionBound)
  /// The field, a string, begins with a prefix.
  case begins(FieldPath, String)
  /// All hold.
  case all([RowCondition])
  /// At least one holds.
  case any([RowCondition])

  static func both(_ a: RowCondition, _ b: RowCondition) -> RowCondition {
    switch (a, b) {
    case (.impossible, _), (_, .impossible): .impossible
    case (.unknown, let other), (let other, .unknown): other
    case (.all(let x), .all(let y)): .all(x + y)
    case (.all(let x), let y): .all(x + [y])
    case (let x, .all(let y)): .all([x] + y)
    default: .all([a, b])
    }
  }

  static func either(_ a: RowCondition, _ b: RowCondition) -> RowCondition {
    switch (a, b) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.impossible, let other), (let other, .impossible): other
    case (.any(let x), .any(let y)): .any(x + y)
    case (.any(let x), let y): .any(x + [y])
    case (let x, .any(let y)): .any([x] + y)
    default: .any([a, b])
    }
  }
}

/// An end of a range of which only the value, not its type, is known.
enum ConditionBound {
  case unbounded
  case including(Any)
  case excluding(Any)
}
