import Foundation

extension PredicateExpressions.Equal: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    var result =
      FastComparisons.equality(first, second, isNegated: false)
      ?? first.combine(second) { $0 == $1 }
    if let path = first.path, let value = second.constant {
      result.condition = .equals(path, [value])
    } else if let path = second.path, let value = first.constant {
      result.condition = .equals(path, [value])
    } else if second.constant as? Bool == true {
      result.condition = first.rowCondition
    } else if first.constant as? Bool == true {
      result.condition = second.rowCondition
    }
    return result
  }
}

extension PredicateExpressions.NotEqual: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    return FastComparisons.equality(first, second, isNegated: true)
      ?? first.combine(second) { $0 != $1 }
  }
}

extension PredicateExpressions.Comparison: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    guard let order = order else { return nil }
    var result =
      FastComparisons.order(first, second, order) ?? FastComparisons.compare(first, second, order)
    if let path = first.path, let value = second.constant {
      result.condition = order.condition(path, value)
    } else if let path = second.path, let value = first.constant {
      result.condition = order.turned.condition(path, value)
    }
    return result
  }

  private var order: ComparisonOrder? {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: nil
    }
  }
}

/// The four ordering operators.
enum ComparisonOrder {
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  /// The operator with its operands exchanged.
  var turned: ComparisonOrder {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  func condition(_ path: FieldPath, _ value: Any) -> RowCondition {
    switch self {
    case .less: .between(path, .unbounded, .excluding(value))
    case .lessOrEqual: .between(path, .unbounded, .including(value))
    case .greater: .between(path, .excluding(value), .unbounded)
    case .greaterOrEqual: .between(path, .including(value), .unbounded)
    }
  }
}
