import Foundation

extension PredicateExpressions.Conjunction: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    let (left, right) = (first.test, second.test)
    var result = CompiledExpression(
      test: { try left($0) && right($0) }, runTest: .both(first.runTest, second.runTest))
    result.condition = .both(first.rowCondition, second.rowCondition)
    return result
  }
}

extension PredicateExpressions.Disjunction: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (first, second) = (compiler.compile(lhs), compiler.compile(rhs))
    let (left, right) = (first.test, second.test)
    var result = CompiledExpression(
      test: { try left($0) || right($0) }, runTest: .either(first.runTest, second.runTest))
    result.condition = .either(first.rowCondition, second.rowCondition)
    return result
  }
}

extension PredicateExpressions.Negation: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let inner = compiler.compile(wrapped)
    let test = inner.test
    var result = CompiledExpression(test: { try !test($0) }, runTest: inner.runTest?.negated)
    // A negated Boolean field is a condition that the field is `false`.
    if let path = inner.path { result.condition = .equals(path, [false]) }
    return result
  }
}

extension PredicateExpressions.Conditional: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let test = compiler.compile(test).test
    let (accepted, refused) = (compiler.compile(trueBranch), compiler.compile(falseBranch))
    let (first, second) = (accepted.evaluation, refused.evaluation)
    return CompiledExpression(.computed { try test($0) ? first($0) : second($0) })
  }
}

extension CompiledExpression where Output == Bool {
  /// A necessary condition for the expression to be `true`.
  var rowCondition: RowCondition { constant == false ? .impossible : condition }
}
