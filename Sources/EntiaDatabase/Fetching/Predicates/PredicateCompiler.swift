import Foundation

/// Turns the expressions of one predicate into closures, each once.
final class PredicateCompiler {
  /// How many slots the frame needs.
  private(set) var slotCount = 0
  /// What had to be left to `evaluate`, in the order in which it was met.
  private(set) var interpreted: [String] = []
  private var slots: [PredicateExpressions.VariableID: Int] = [:]
  /// What tells `evaluate` the values of the variables in scope.
  private var bindings: [(PredicateFrame, inout PredicateBindings) -> Void] = []

  /// Gives an input or a closure's parameter a slot.
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

  /// Compiles what a closure's parameter is known in.
  func scope<Value, Result>(
    _ variable: PredicateExpressions.Variable<Value>, _ body: (_ slot: Int) -> Result
  ) -> Result {
    let count = bindings.count
    defer { bindings.removeSubrange(count...) }
    return body(declare(variable))
  }

  func slot(of variable: PredicateExpressions.VariableID) -> Int? { slots[variable] }

  /// Compiles an expression; one of an unknown kind is left to `evaluate`, and is noted.
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
