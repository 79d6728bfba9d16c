import Foundation

extension PredicateExpressions.CollectionContainsCollection: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    compiler.compile(base).combine(compiler.compile(other)) { $0.contains($1) }
  }
}

extension PredicateExpressions.CollectionIndexSubscript: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(wrapped).combine(compiler.compile(index)) { elements, index in
      guard index >= elements.startIndex, index < elements.endIndex else { throw NoValue() }
      return elements[index]
    }
  }
}

extension PredicateExpressions.CollectionRangeSubscript: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(wrapped).combine(compiler.compile(range)) { elements, range in
      guard range.lowerBound >= elements.startIndex, range.upperBound <= elements.endIndex
      else { throw NoValue() }
      return elements[range]
    }
  }
}

extension PredicateExpressions.DictionaryKeySubscript: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Value?>? {
    compiler.compile(wrapped).combine(compiler.compile(key)) { $0[$1] }
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let found = compiler.compile(wrapped).combine(compiler.compile(key)) { $0[$1] }.evaluation
    let other = compiler.compile(`default`).evaluation
    return CompiledExpression(.computed { try found($0) ?? other($0) })
  }
}
