import Foundation

extension PredicateExpressions.OptionalFlatMap: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Result?>? {
    let outer = compiler.compile(wrapped).evaluation
    return compiler.scope(variable) { slot in
      let inner = compiler.compile(transform)
      // The transform returns a value or an optional; its type decides which.
      if let inner = inner as? CompiledExpression<Result?> {
        let transform = inner.evaluation
        return CompiledExpression(
          .computed { frame in
            guard let value = try outer(frame) else { return nil }
            return try frame.binding(slot, to: value) { try transform(frame) }
          })
      }
      guard let inner = inner as? CompiledExpression<Result> else { return nil }
      let transform = inner.evaluation
      return CompiledExpression(
        .computed { frame in
          guard let value = try outer(frame) else { return nil }
          return try frame.binding(slot, to: value) { try transform(frame) }
        })
    }
  }
}

extension PredicateExpressions.NilCoalesce: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (first, second) = (compiler.compile(lhs).evaluation, compiler.compile(rhs).evaluation)
    return CompiledExpression(.computed { try first($0) ?? second($0) })
  }
}

extension PredicateExpressions.ForcedUnwrap: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Wrapped>? {
    let inner = compiler.compile(inner)
    var result = inner.map { value in
      guard let value else { throw NoValue() }
      return value
    }
    // A comparison that holds for the value holds for the optional.
    result.path = inner.path
    return result
  }
}

extension PredicateExpressions.ConditionalCast: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Desired?>? {
    compiler.compile(input).map { $0 as? Desired }
  }
}

extension PredicateExpressions.ForceCast: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Desired>? {
    compiler.compile(input).map { value in
      guard let value = value as? Desired else { throw NoValue() }
      return value
    }
  }
}

extension PredicateExpressions.TypeCheck: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    compiler.compile(input).map { $0 is Desired }
  }
}
