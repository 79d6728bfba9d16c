/// The necessary conditions on the fields of one entity in a fetch.
struct FieldConditions {
  /// The fields that must equal one of several values.
  private(set) var values: [(path: AnyKeyPath, values: [Any], isIdentifier: Bool)] = []
  /// The collection fields that must contain a value.
  private(set) var members: [(path: AnyKeyPath, value: Any)] = []
  /// The fields that must be between bounds.
  private(set) var ranges: [(path: AnyKeyPath, lower: ConditionBound, upper: ConditionBound)] = []
  /// The string fields that must contain a substring.
  private(set) var parts: [(path: AnyKeyPath, part: WantedPart)] = []
  /// Groups of conditions. In each group, at least one condition must hold.
  private(set) var choices: [[RowCondition]] = []
  /// Whether no row can satisfy the conditions.
  private(set) var isImpossible = false

  init(_ condition: RowCondition, slot: Int) { add(condition, slot) }

  private mutating func add(_ condition: RowCondition, _ slot: Int) {
    switch condition {
    case .unknown: break
    case .impossible: isImpossible = true
    case .equals(let field, let wanted):
      if field.slot == slot { values.append((field.path, wanted, field.isIdentifier)) }
    case .contains(let field, let member):
      if field.slot == slot { members.append((field.path, member)) }
    case .between(let field, let lower, let upper):
      if field.slot == slot { ranges.append((field.path, lower, upper)) }
    case .begins(let field, let prefix):
      if field.slot == slot {
        ranges.append((field.path, .including(prefix), .including(PrefixEnd(of: prefix))))
      }
    case .includes(let field, let part):
      if field.slot == slot { parts.append((field.path, part)) }
    case .all(let conditions):
      for condition in conditions { add(condition, slot) }
    case .any(let conditions): choices.append(conditions)
    }
  }

  /// Returns the only value that a field may have, or `nil` when no condition requires one.
  func value(of path: AnyKeyPath) -> Any? {
    values.first { $0.path == path && $0.values.count == 1 }?.values[0]
  }

  /// Returns the bounds of a field: the first lower and the first upper bound among its
  /// conditions.
  func bounds(of path: AnyKeyPath) -> (lower: ConditionBound, upper: ConditionBound)? {
    let ranges = ranges.filter { $0.path == path }
    guard !ranges.isEmpty else { return nil }
    return (
      ranges.first { $0.lower.isBound }?.lower ?? .unbounded,
      ranges.first { $0.upper.isBound }?.upper ?? .unbounded
    )
  }
}

extension ConditionBound {
  var isBound: Bool {
    if case .unbounded = self { false } else { true }
  }

  /// Returns the bound in words: `including` or `excluding`, and then the value that the bound
  /// includes or excludes.
  func text(_ including: String, _ excluding: String) -> String {
    switch self {
    case .unbounded: ""
    case .including(let value): " \(including) \(valueText(value))"
    case .excluding(let value): " \(excluding) \(valueText(value))"
    }
  }
}

/// Whether a value is an optional without a value.
func isNil(_ value: Any) -> Bool { (value as? any AnyOptional)?.isNil == true }

/// Returns a value in words: a string in quotes, and the wrapped value of an optional.
func valueText(_ value: Any) -> String {
  if let text = value as? String { return "\"\(text)\"" }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional, let wrapped = mirror.children.first {
    return valueText(wrapped.value)
  }
  return String(describing: value)
}
