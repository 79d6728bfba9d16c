/// What a fetch asks of the fields of one entity, as far as all of it must hold.
struct FieldConditions {
  /// The values that a field may have.
  private(set) var values: [(path: AnyKeyPath, values: [Any], isIdentifier: Bool)] = []
  /// The values that a field, a collection, contains.
  private(set) var members: [(path: AnyKeyPath, value: Any)] = []
  /// The bounds that a field is between.
  private(set) var ranges: [(path: AnyKeyPath, lower: ConditionBound, upper: ConditionBound)] = []
  /// Groups of conditions of which one holds.
  private(set) var choices: [[RowCondition]] = []
  /// Whether no row can meet them.
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
      // The last scalar there is, and no character: nothing that begins with the prefix is beyond it.
      if field.slot == slot {
        ranges.append((field.path, .including(prefix), .excluding(prefix + "\u{10FFFF}")))
      }
    case .all(let conditions):
      for condition in conditions { add(condition, slot) }
    case .any(let conditions): choices.append(conditions)
    }
  }

  /// The one value that a field must have.
  func value(of path: AnyKeyPath) -> Any? {
    values.first { $0.path == path && $0.values.count == 1 }?.values[0]
  }

  /// The bounds that a field is between, taken from all that is asked of it.
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

  /// The bound as a lower or upper end in words.
  func text(_ including: String, _ excluding: String) -> String {
    switch self {
    case .unbounded: ""
    case .including(let value): " \(including) \(valueText(value))"
    case .excluding(let value): " \(excluding) \(valueText(value))"
    }
  }
}

/// A value in words: a string in quotes, and of an optional what it holds.
func valueText(_ value: Any) -> String {
  if let text = value as? String { return "\"\(text)\"" }
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional, let wrapped = mirror.children.first {
    return valueText(wrapped.value)
  }
  return String(describing: value)
}
