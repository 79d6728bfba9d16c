import Foundation

// Where `evaluate` would stop the process, on an overflow or a division by zero, the expression
// has no value.

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

  /// Returns the operation on two expressions, or `nil` when they are not of fixed-width integers.
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
