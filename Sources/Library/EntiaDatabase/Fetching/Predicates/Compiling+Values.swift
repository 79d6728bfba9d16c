import EntiaCollections
import Foundation

extension PredicateExpressions.Variable: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    guard let slot = compiler.slot(of: key) else { return nil }
    var result = CompiledExpression<Output>(.field(slot: slot, offset: 0))
    result.path = compiler.path(of: key)
    return result
  }
}

extension PredicateExpressions.Value: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    CompiledExpression(.constant(value))
  }
}

extension PredicateExpressions.NilLiteral: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Wrapped?>? {
    CompiledExpression(.constant(nil))
  }
}

extension PredicateExpressions.KeyPath: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let root = compiler.compile(self.root)
    let path: Swift.KeyPath<Root.Output, Output> = keyPath
    if root.constant != nil { return root.map { $0[keyPath: path] } }
    var result =
      if case .field(let slot, let offset) = root.form,
        let inner = MemoryLayout<Root.Output>.offset(of: path)
      {
        CompiledExpression<Output>(.field(slot: slot, offset: offset + inner))
      } else {
        ofString(root) ?? root.map { $0[keyPath: path] }
      }
    if let outer = root.path {
      result.path = outer.path.appending(path: path).map { FieldPath(slot: outer.slot, path: $0) }
    } else if case .field(let slot, 0) = root.form, self.root is any AnyPredicateVariable {
      result.path = FieldPath(
        slot: slot, path: path, isIdentifier: Self.isStoredIdentifier(path))
    }
    return result
  }

  /// Compiles the two most common properties of strings, which are read without the key path.
  private func ofString(
    _ root: CompiledExpression<Root.Output>
  ) -> CompiledExpression<Output>? {
    guard let text = root as? CompiledExpression<String> else { return nil }
    let path: AnyKeyPath = keyPath
    if path == \String.isEmpty {
      return text.map { $0.isEmpty } as? CompiledExpression<Output>
    }
    if path == \String.count {
      return text.map { $0.count } as? CompiledExpression<Output>
    }
    return nil
  }

  /// Whether a path leads to the stored property by which the root conforms to `Identifiable`.
  ///
  /// The path is compared by name, because the key path in a predicate does not equal `\Self.id` in
  /// generic code.
  private static func isStoredIdentifier(_ path: Swift.KeyPath<Root.Output, Output>) -> Bool {
    func hasIdentifier<Identified: Identifiable>(_ type: Identified.Type) -> Bool {
      Identified.ID.self == Output.self
    }
    guard let type = Root.Output.self as? any Identifiable.Type, hasIdentifier(type),
      MemoryLayout<Root.Output>.offset(of: path) != nil
    else { return false }
    return fieldName(path) == "id"
  }
}

// The operations below have no value on an overflow or a division by zero, where `evaluate` would
// stop the process.

extension PredicateExpressions.Arithmetic: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    switch op {
    case .add: return IntegerOperation.add.compile(first, second) ?? first.combine(second, +)
    case .subtract:
      return IntegerOperation.subtract.compile(first, second) ?? first.combine(second, -)
    case .multiply:
      return IntegerOperation.multiply.compile(first, second) ?? first.combine(second, *)
    @unknown default: return nil
    }
  }
}

extension PredicateExpressions.UnaryMinus: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let inner = compiler.compile(wrapped)
    func checked<Integer: FixedWidthInteger>(
      _ type: Integer.Type
    ) -> CompiledExpression<Output>? {
      (inner as? CompiledExpression<Integer>)?.map {
        try exact(Integer.zero.subtractingReportingOverflow($0))
      } as? CompiledExpression<Output>
    }
    if let integer = Output.self as? any FixedWidthInteger.Type { return checked(integer) }
    return inner.map { -$0 }
  }
}

extension PredicateExpressions.IntDivision: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    return IntegerOperation.divide.compile(first, second)
      ?? first.combine(second) {
        guard $1 != 0 else { throw NoValue() }
        return $0 / $1
      }
  }
}

extension PredicateExpressions.IntRemainder: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    return IntegerOperation.remainder.compile(first, second)
      ?? first.combine(second) {
        guard $1 != 0 else { throw NoValue() }
        return $0 % $1
      }
  }
}

/// An operation on fixed-width integers. An operation that overflows has no value.
private enum IntegerOperation {
  case add, subtract, multiply, divide, remainder

  /// Returns the operation on two expressions, or `nil` when their values are not fixed-width
  /// integers.
  func compile<Output>(
    _ first: CompiledExpression<Output>, _ second: CompiledExpression<Output>
  ) -> CompiledExpression<Output>? {
    (Output.self as? any FixedWidthInteger.Type).flatMap { combine($0, first, second) }
  }

  private func combine<Integer: FixedWidthInteger, Output>(
    _ type: Integer.Type, _ a: CompiledExpression<Output>, _ b: CompiledExpression<Output>
  ) -> CompiledExpression<Output>? {
    guard let a = a as? CompiledExpression<Integer>, let b = b as? CompiledExpression<Integer>
    else { return nil }
    let result =
      switch self {
      case .add: a.combine(b) { try exact($0.addingReportingOverflow($1)) }
      case .subtract: a.combine(b) { try exact($0.subtractingReportingOverflow($1)) }
      case .multiply: a.combine(b) { try exact($0.multipliedReportingOverflow(by: $1)) }
      case .divide: a.combine(b) { try exact($0.dividedReportingOverflow(by: $1)) }
      case .remainder: a.combine(b) { try exact($0.remainderReportingOverflow(dividingBy: $1)) }
      }
    return result as? CompiledExpression<Output>
  }
}

extension PredicateExpressions.FloatDivision: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(lhs).combine(compiler.compile(rhs)) { $0 / $1 }
  }
}

@inline(__always)
private func exact<Integer>(
  _ result: (partialValue: Integer, overflow: Bool)
) throws -> Integer {
  if result.overflow { throw NoValue() }
  return result.partialValue
}

extension PredicateExpressions.Equal: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    var result = FastComparisons.equality(first, second)
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
    let equal = FastComparisons.equality(first, second)
    return equal.constant.map { CompiledExpression(.constant(!$0)) } ?? equal.negated
  }
}

extension PredicateExpressions.Comparison: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    guard let order = order else { return nil }
    var result = FastComparisons.order(first, second, order)
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

extension ComparisonOrder {
  fileprivate func condition(_ path: FieldPath, _ value: Any) -> RowCondition {
    switch self {
    case .less: .between(path, .unbounded, .excluding(value))
    case .lessOrEqual: .between(path, .unbounded, .including(value))
    case .greater: .between(path, .excluding(value), .unbounded)
    case .greaterOrEqual: .between(path, .including(value), .unbounded)
    }
  }
}

// A range with its bounds in the wrong order has no value. `evaluate` would stop the process.

extension PredicateExpressions.Range: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(lower).combine(compiler.compile(upper)) { lower, upper in
      guard lower <= upper else { throw NoValue() }
      return lower..<upper
    }
  }
}

extension PredicateExpressions.ClosedRange: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(lower).combine(compiler.compile(upper)) { lower, upper in
      guard lower <= upper else { throw NoValue() }
      return lower...upper
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (range, element) = (compiler.compile(range), compiler.compile(element))
    typealias Bound = Element.Output
    func holds(_ order: ComparisonOrder, _ bound: Bound) -> CompiledExpression<Bool> {
      FastComparisons.order(element, CompiledExpression(.constant(bound)), order)
    }
    func between(
      _ lower: Bound, _ order: ComparisonOrder, _ upper: Bound
    ) -> CompiledExpression<Bool> {
      if case .field = element.form {
        return .both(holds(.greaterOrEqual, lower), holds(order, upper))
      }
      // Two tests would compute the element twice.
      return element.map {
        ComparisonOrder.greaterOrEqual.holds($0, lower) && order.holds($0, upper)
      }
    }
    var result =
      switch element.constant == nil ? range.constant : nil {
      case let range as Swift.Range<Bound>: between(range.lowerBound, .less, range.upperBound)
      case let range as Swift.ClosedRange<Bound>:
        between(range.lowerBound, .lessOrEqual, range.upperBound)
      case let range as PartialRangeFrom<Bound>: holds(.greaterOrEqual, range.lowerBound)
      case let range as PartialRangeUpTo<Bound>: holds(.less, range.upperBound)
      case let range as PartialRangeThrough<Bound>: holds(.lessOrEqual, range.upperBound)
      default: range.combine(element) { $0.contains($1) }
      }
    if let path = element.path, let (lower, upper) = bounds(of: range.constant, Bound.self) {
      result.condition = .between(path, lower, upper)
    }
    return result
  }
}

/// Returns the bounds of a range, or `nil` if the value is no range of the type.
private func bounds<Bound: Comparable>(
  of range: Any?, _ type: Bound.Type
) -> (ConditionBound, ConditionBound)? {
  switch range {
  case let range as Swift.Range<Bound>:
    (.including(range.lowerBound), .excluding(range.upperBound))
  case let range as ClosedRange<Bound>:
    (.including(range.lowerBound), .including(range.upperBound))
  case let range as PartialRangeFrom<Bound>: (.including(range.lowerBound), .unbounded)
  case let range as PartialRangeUpTo<Bound>: (.unbounded, .excluding(range.upperBound))
  case let range as PartialRangeThrough<Bound>: (.unbounded, .including(range.upperBound))
  default: nil
  }
}
