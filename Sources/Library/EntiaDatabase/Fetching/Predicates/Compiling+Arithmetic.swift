import Foundation

// Where `evaluate` would stop the process, on an overflow or a division by zero, the expression
// has no value.

extension PredicateExpressions.Arithmetic: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    if let integer = Output.self as? any FixedWidthInteger.Type {
      return checked(integer, first, second)
    }
    switch op {
    case .add: return first.combine(second) { $0 + $1 }
    case .subtract: return first.combine(second) { $0 - $1 }
    case .multiply: return first.combine(second) { $0 * $1 }
    @unknown default: return nil
    }
  }

  private func checked<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ a: CompiledExpression<Output>, _ b: CompiledExpression<Output>
  ) -> CompiledExpression<Output>? {
    guard let a = a as? CompiledExpression<Integer>, let b = b as? CompiledExpression<Integer>
    else { return nil }
    let result: CompiledExpression<Integer>
    switch op {
    case .add: result = a.combine(b) { try exact($0.addingReportingOverflow($1)) }
    case .subtract: result = a.combine(b) { try exact($0.subtractingReportingOverflow($1)) }
    case .multiply: result = a.combine(b) { try exact($0.multipliedReportingOverflow(by: $1)) }
    @unknown default: return nil
    }
    return result as? CompiledExpression<Output>
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
    func checked<Integer: FixedWidthInteger>(
      _ type: Integer.Type
    ) -> CompiledExpression<Output>? {
      guard let a = first as? CompiledExpression<Integer>,
        let b = second as? CompiledExpression<Integer>
      else { return nil }
      return a.combine(b) { try exact($0.dividedReportingOverflow(by: $1)) }
        as? CompiledExpression<Output>
    }
    if let integer = Output.self as? any FixedWidthInteger.Type { return checked(integer) }
    return first.combine(second) {
      guard $1 != 0 else { throw NoValue() }
      return $0 / $1
    }
  }
}

extension PredicateExpressions.IntRemainder: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    func checked<Integer: FixedWidthInteger>(
      _ type: Integer.Type
    ) -> CompiledExpression<Output>? {
      guard let a = first as? CompiledExpression<Integer>,
        let b = second as? CompiledExpression<Integer>
      else { return nil }
      return a.combine(b) { try exact($0.remainderReportingOverflow(dividingBy: $1)) }
        as? CompiledExpression<Output>
    }
    if let integer = Output.self as? any FixedWidthInteger.Type { return checked(integer) }
    return first.combine(second) {
      guard $1 != 0 else { throw NoValue() }
      return $0 % $1
    }
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
