import Foundation

/// Compiles the expressions of one predicate to closures, each once.
final class PredicateCompiler {
  /// The number of slots that the frame needs.
  private(set) var slotCount = 0
  /// The kinds of expressions that are left to `evaluate`, in the order in which they were
  /// visited.
  private(set) var interpreted: [String] = []
  private var slots: [PredicateExpressions.VariableID: Int] = [:]
  /// Closures that pass the values of the variables in scope to `evaluate`.
  private var bindings: [(PredicateFrame, inout PredicateBindings) -> Void] = []

  /// Assigns a slot to an input or to a closure's parameter.
  @discardableResult
  func declare<Value>(_ variable: PredicateExpressions.Variable<Value>) -> Int {
    let slot = slotCount
    slotCount += 1
    slots[variable.key] = slot
    bindings.append { frame, bindings in
      bindings[variable] = frame.read(slot, 0, as: Value.self)
    }
    return slot
  }

  /// Compiles the expressions in the scope of a closure's parameter.
  func scope<Value, Result>(
    _ variable: PredicateExpressions.Variable<Value>, _ body: (_ slot: Int) -> Result
  ) -> Result {
    let count = bindings.count
    defer { bindings.removeSubrange(count...) }
    return body(declare(variable))
  }

  func slot(of variable: PredicateExpressions.VariableID) -> Int? { slots[variable] }

  /// Compiles an expression. An expression of an unknown kind is left to `evaluate` and recorded.
  func compile<Expression: PredicateExpression>(
    _ expression: Expression
  ) -> CompiledExpression<Expression.Output> {
    if let known = expression as? any CompilableExpression<Expression.Output>,
      let compiled = known.compile(with: self)
    {
      return compiled
    }
    let name = String(describing: Expression.self).prefix { $0 != "<" }
    interpreted.append(String(name))
    let bindings = bindings
    return CompiledExpression(
      .computed { frame in
        var values = PredicateBindings()
        for bind in bindings { bind(frame, &values) }
        return try expression.evaluate(values)
      })
  }
}

/// An expression that can be compiled.
protocol CompilableExpression<Output>: PredicateExpression {
  /// Compiles the expression; `nil` leaves it to `evaluate`.
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>?
}
