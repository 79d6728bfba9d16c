/// A necessary condition for a predicate to accept a row, in a form that an index can use.
///
/// It may hold for more rows than the predicate accepts, never for fewer.
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
  /// All of the conditions hold.
  case all([RowCondition])
  /// At least one of the conditions holds.
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

/// A bound of a range whose value is known, but not its type.
enum ConditionBound {
  case unbounded
  case including(Any)
  case excluding(Any)
}
