import Foundation

/// Compiles the expressions of one predicate to closures, each once.
final class PredicateCompiler {
  /// The number of slots that the frame needs.
  private(set) var slotCount = 0
  /// The kinds of expressions that cannot be compiled and are left to Foundation's `evaluate`, in
  /// the order in which they were visited.
  private(set) var interpreted: [String] = []
  private var slots: [PredicateExpressions.VariableID: Int] = [:]
  /// The paths of variables that stand for the value of an optional field.
  private var paths: [PredicateExpressions.VariableID: FieldPath] = [:]
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
  /// - Parameters:
  ///   - variable: The parameter.
  ///   - path: The path of the optional field whose value is the parameter, if there is one.
  ///   - body: Compiles the expressions.
  func scope<Value, Result>(
    _ variable: PredicateExpressions.Variable<Value>, at path: FieldPath? = nil,
    _ body: (_ slot: Int) -> Result
  ) -> Result {
    let count = bindings.count
    paths[variable.key] = path
    defer { bindings.removeSubrange(count...) }
    return body(declare(variable))
  }

  func slot(of variable: PredicateExpressions.VariableID) -> Int? { slots[variable] }

  func path(of variable: PredicateExpressions.VariableID) -> FieldPath? { paths[variable] }

  /// Compiles an expression. An expression of an unknown kind is left to `evaluate`, and its kind
  /// is added to `interpreted`.
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
  /// Returns the compiled expression, or `nil` to leave the expression to `evaluate`.
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>?
}

extension PredicateExpressions.CollectionContainsCollection: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (base, part) = (compiler.compile(base), compiler.compile(other))
    var result = base.combine(part) { $0.contains($1) }
    if let path = base.path, Base.Output.self == String.self, let part = part.constant as? String {
      result.condition = .includes(path, WantedPart(text: part))
    }
    return result
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

extension PredicateExpressions.Conjunction: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    .both(compiler.compile(lhs), compiler.compile(rhs))
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
    var result = inner.negated
    // A negated Boolean field is a condition that the field is `false`.
    if let path = inner.path { result.condition = .equals(path, [false]) }
    return result
  }
}

extension PredicateExpressions.Conditional: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let condition = compiler.compile(self.test)
    let (accepted, refused) = (compiler.compile(trueBranch), compiler.compile(falseBranch))
    let (test, first, second) = (condition.test, accepted.evaluation, refused.evaluation)
    var result = CompiledExpression(.computed { try test($0) ? first($0) : second($0) })
    result.condition = .either(
      .both(condition.rowCondition, accepted.rowCondition), refused.rowCondition)
    return result
  }
}

extension CompiledExpression {
  /// A necessary condition for the expression to be `true`. An optional is `true` if its value is.
  var rowCondition: RowCondition {
    guard Output.self == Bool.self || Output.self == Bool?.self else { return .unknown }
    if let constant { return constant as? Bool == true ? .unknown : .impossible }
    if case .unknown = condition, let path { return .equals(path, [true]) }
    return condition
  }
}

/// The inputs of a compiled predicate. The row under test and each parameter of the predicate's
/// closures have a slot, which holds an address.
struct PredicateFrame {
  private let slots: UnsafeMutablePointer<UnsafeRawPointer>

  // The unsafe steps of compiled predicates. They are sound because
  // - a slot has one type, because `declare` assigns each number once;
  // - the value at the address in a slot outlives the closure call that set the slot, and the
  //   slot is read only during that call;
  // - an offset is a result of `MemoryLayout.offset(of:)`, which is documented for this use, or
  //   0;
  // - a frame is on the stack of one evaluation, so that threads never share one.

  /// Runs the closure with a frame of a number of slots, none of which is set.
  static func with<Result>(
    slotCount: Int, _ body: (PredicateFrame) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: max(1, slotCount)) {
      memory in
      guard let slots = memory.baseAddress else { preconditionFailure("a frame without a slot") }
      memory.initialize(repeating: UnsafeRawPointer(slots))
      return try body(PredicateFrame(slots: slots))
    }
  }

  /// Sets a slot to the address of a value. The address must stay valid while the slot is read.
  @inline(__always)
  func set(_ slot: Int, to address: UnsafeRawPointer) { slots[slot] = address }

  /// Runs the closure with a slot set to the address of a value.
  @inline(__always)
  func binding<Value, Result>(
    _ slot: Int, to value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: value) {
      slots[slot] = UnsafeRawPointer($0)
      return try body()
    }
  }

  /// Returns the address in a slot.
  @inline(__always)
  func address(of slot: Int) -> UnsafeRawPointer { slots[slot] }

  /// Reads the value at an offset from the address in a slot.
  @inline(__always)
  func read<Value>(_ slot: Int, _ offset: Int, as type: Value.Type = Value.self) -> Value {
    (slots[slot] + offset).assumingMemoryBound(to: Value.self).pointee
  }
}

extension PredicateExpressions.OptionalFlatMap: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Result?>? {
    let optional = compiler.compile(wrapped)
    let outer = optional.evaluation
    // The parameter gets the path of the optional. If a comparison holds for the unwrapped value,
    // the comparison also holds for the optional.
    return compiler.scope(variable, at: optional.path) { slot in
      let inner = compiler.compile(transform)
      var result: CompiledExpression<Result?>
      // The transform returns a `Result` or a `Result?`. The casts distinguish the two cases.
      if let inner = inner as? CompiledExpression<Result?> {
        let transform = inner.evaluation
        result = CompiledExpression(
          .computed { frame in
            guard let value = try outer(frame) else { return nil }
            return try frame.binding(slot, to: value) { try transform(frame) }
          })
      } else if let inner = inner as? CompiledExpression<Result> {
        let transform = inner.evaluation
        result = CompiledExpression(
          .computed { frame in
            guard let value = try outer(frame) else { return nil }
            return try frame.binding(slot, to: value) { try transform(frame) }
          })
      } else {
        return nil
      }
      result.condition = inner.rowCondition
      return result
    }
  }
}

extension PredicateExpressions.NilCoalesce: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let (optional, other) = (compiler.compile(lhs), compiler.compile(rhs))
    let (first, second) = (optional.evaluation, other.evaluation)
    var result = CompiledExpression(.computed { try first($0) ?? second($0) })
    result.condition = .either(optional.rowCondition, other.rowCondition)
    return result
  }
}

extension PredicateExpressions.ForcedUnwrap: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Wrapped>? {
    let inner = compiler.compile(inner)
    var result = inner.map { value in
      guard let value else { throw NoValue() }
      return value
    }
    // The unwrapped value gets the path of the optional. If a comparison holds for the unwrapped
    // value, the comparison also holds for the optional.
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
