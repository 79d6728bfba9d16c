import EntiaCollections
import Foundation

/// Comparisons specialized for common field types. A comparison through `Equatable` or
/// `Comparable` of a type that is only known at run time costs ten times as much.
enum FastComparisons {
  /// Returns a test for equality, or `nil` if the type is none of the common ones.
  static func equality<Value: Equatable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, isNegated: Bool
  ) -> CompiledExpression<Bool>? {
    if let test = equality(a, b, isNegated, as: Int.self) { return test }
    if let test = equality(a, b, isNegated, as: String.self) { return test }
    if let test = equality(a, b, isNegated, as: Bool.self) { return test }
    if let test = equality(a, b, isNegated, as: Double.self) { return test }
    if let test = equality(a, b, isNegated, as: Int?.self) { return test }
    if let test = equality(a, b, isNegated, as: String?.self) { return test }
    if let test = equality(a, b, isNegated, as: Date.self) { return test }
    if let test = equality(a, b, isNegated, as: UUID.self) { return test }
    if let test = equality(a, b, isNegated, as: Int64.self) { return test }
    if let test = equality(a, b, isNegated, as: UInt.self) { return test }
    if let test = equality(a, b, isNegated, as: Int32.self) { return test }
    if let test = equality(a, b, isNegated, as: Float.self) { return test }
    if let test = equality(a, b, isNegated, as: Double?.self) { return test }
    if let test = equality(a, b, isNegated, as: Bool?.self) { return test }
    return nil
  }

  /// Returns a test for order, or `nil` if the type is none of the common ones.
  static func order<Value: Comparable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ order: ComparisonOrder
  ) -> CompiledExpression<Bool>? {
    if let test = compare(a, b, order, as: Int.self) { return test }
    if let test = compare(a, b, order, as: Double.self) { return test }
    if let test = compare(a, b, order, as: String.self) { return test }
    if let test = compare(a, b, order, as: Date.self) { return test }
    if let test = compare(a, b, order, as: Int64.self) { return test }
    if let test = compare(a, b, order, as: UInt.self) { return test }
    if let test = compare(a, b, order, as: Int32.self) { return test }
    if let test = compare(a, b, order, as: Float.self) { return test }
    return nil
  }

  @inline(__always)
  private static func equality<Value, Known: Equatable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ isNegated: Bool,
    as type: Known.Type
  ) -> CompiledExpression<Bool>? {
    guard let a = a as? CompiledExpression<Known>, let b = b as? CompiledExpression<Known>
    else { return nil }
    var result = isNegated ? test(a, b) { $0 != $1 } : test(a, b) { $0 == $1 }
    let runTest = equalityRun(a, b)
    result.ownRunTest = isNegated ? runTest?.negated : runTest
    return result
  }

  @inline(__always)
  private static func compare<Value, Known: Comparable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ order: ComparisonOrder,
    as type: Known.Type
  ) -> CompiledExpression<Bool>? {
    guard let a = a as? CompiledExpression<Known>, let b = b as? CompiledExpression<Known>
    else { return nil }
    var result = compare(a, b, order)
    result.ownRunTest = orderRun(a, b, order)
    return result
  }

  /// Returns a test of two values for order.
  @inline(__always)
  static func compare<Value: Comparable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ order: ComparisonOrder
  ) -> CompiledExpression<Bool> {
    switch order {
    case .less: test(a, b) { isLess($0, $1) }
    case .lessOrEqual: test(a, b) { isLessOrEqual($0, $1) }
    case .greater: test(a, b) { isLess($1, $0) }
    case .greaterOrEqual: test(a, b) { isLessOrEqual($1, $0) }
    }
  }

  /// Returns a test of two values. A field against a constant, the most common case, costs one
  /// load and one comparison.
  @inline(__always)
  private static func test<Value>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>,
    _ holds: @escaping (Value, Value) -> Bool
  ) -> CompiledExpression<Bool> {
    switch (a.form, b.form) {
    case (.field(let slot, let offset), .constant(let value)):
      CompiledExpression(test: { holds($0.read(slot, offset), value) })
    case (.constant(let value), .field(let slot, let offset)):
      CompiledExpression(test: { holds(value, $0.read(slot, offset)) })
    default:
      a.combine(b) { holds($0, $1) }
    }
  }

  /// Returns a test of adjacent rows that checks whether a field of each row equals a constant.
  /// Returns `nil` unless the operands are a field and a constant.
  private static func equalityRun<Value: Equatable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>
  ) -> RunTest? {
    switch (a.form, b.form) {
    case (.field(slot: 0, let offset), .constant(let value)),
      (.constant(let value), .field(slot: 0, let offset)):
      .field(offset, value, EqualComparison<Value>.self)
    default: nil
    }
  }

  /// Returns a test of adjacent rows that compares a field of each row with a constant. Returns
  /// `nil` unless the operands are a field and a constant.
  private static func orderRun<Value: Comparable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ order: ComparisonOrder
  ) -> RunTest? {
    switch (a.form, b.form) {
    case (.field(slot: 0, let offset), .constant(let value)): orderRun(offset, value, order)
    case (.constant(let value), .field(slot: 0, let offset)):
      orderRun(offset, value, order.turned)
    default: nil
    }
  }

  private static func orderRun<Value: Comparable>(
    _ offset: Int, _ value: Value, _ order: ComparisonOrder
  ) -> RunTest {
    switch order {
    case .less: .field(offset, value, LessComparison<Value>.self)
    case .lessOrEqual: .field(offset, value, LessOrEqualComparison<Value>.self)
    case .greater: .field(offset, value, GreaterComparison<Value>.self)
    case .greaterOrEqual: .field(offset, value, GreaterOrEqualComparison<Value>.self)
    }
  }
}
