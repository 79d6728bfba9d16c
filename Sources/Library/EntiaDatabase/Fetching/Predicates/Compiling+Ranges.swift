import Foundation

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
    var result =
      fast(range, element, as: Int.self) ?? fast(range, element, as: Double.self)
      ?? fast(range, element, as: String.self) ?? fast(range, element, as: Date.self)
    if result == nil { result = range.combine(element) { $0.contains($1) } }
    if let path = element.path, let range = range.constant as? any BoundedRange {
      let (lower, upper) = range.conditionBounds
      result?.condition = .between(path, lower, upper)
    }
    return result
  }

  @inline(__always)
  private func fast<Known, Tested, Bound: Comparable>(
    _ range: CompiledExpression<Known>, _ element: CompiledExpression<Tested>, as type: Bound.Type
  ) -> CompiledExpression<Bool>? {
    guard let element = element as? CompiledExpression<Bound> else { return nil }
    if let range = range.constant as? Swift.Range<Bound> {
      return element.map { range.contains($0) }
    }
    if let range = range.constant as? Swift.ClosedRange<Bound> {
      return element.map { range.contains($0) }
    }
    return nil
  }
}

/// A range of any kind, to read its bounds.
private protocol BoundedRange {
  var conditionBounds: (ConditionBound, ConditionBound) { get }
}

extension Range: BoundedRange {
  fileprivate var conditionBounds: (ConditionBound, ConditionBound) {
    (.including(lowerBound), .excluding(upperBound))
  }
}

extension ClosedRange: BoundedRange {
  fileprivate var conditionBounds: (ConditionBound, ConditionBound) {
    (.including(lowerBound), .including(upperBound))
  }
}

extension PartialRangeFrom: BoundedRange {
  fileprivate var conditionBounds: (ConditionBound, ConditionBound) {
    (.including(lowerBound), .unbounded)
  }
}

extension PartialRangeUpTo: BoundedRange {
  fileprivate var conditionBounds: (ConditionBound, ConditionBound) {
    (.unbounded, .excluding(upperBound))
  }
}

extension PartialRangeThrough: BoundedRange {
  fileprivate var conditionBounds: (ConditionBound, ConditionBound) {
    (.unbounded, .including(upperBound))
  }
}
