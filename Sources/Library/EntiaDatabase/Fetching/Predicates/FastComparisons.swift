import EntiaCollections
import Foundation

/// Comparisons specialized for common field types. A comparison through `Equatable` or
/// `Comparable` of a type that is only known at run time costs ten times as much.
enum FastComparisons {
  /// Returns a test for equality.
  static func equality<Value: Equatable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>
  ) -> CompiledExpression<Bool> {
    switch (a.form, b.form) {
    case (.field(let slot, let offset), .constant(let value)),
      (.constant(let value), .field(let slot, let offset)):
      if let test = RunTest.equality(offset, value) {
        return CompiledExpression(test, slot: slot)
      }
    default: break
    }
    return known(a, b, Int.self, ==) ?? known(a, b, Int?.self, ==)
      ?? known(a, b, String.self, ==) ?? known(a, b, String?.self, ==)
      ?? known(a, b, Double.self, ==) ?? known(a, b, Bool?.self, ==)
      ?? known(a, b, Date.self, ==) ?? known(a, b, UUID.self, ==) ?? a.combine(b) { $0 == $1 }
  }

  /// Returns a test for order.
  static func order<Value: Comparable>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ order: ComparisonOrder
  ) -> CompiledExpression<Bool> {
    switch (a.form, b.form) {
    case (.field(let slot, let offset), .constant(let value)):
      if let test = RunTest.order(offset, order, value) {
        return CompiledExpression(test, slot: slot)
      }
    case (.constant(let value), .field(let slot, let offset)):
      if let test = RunTest.order(offset, order.turned, value) {
        return CompiledExpression(test, slot: slot)
      }
    default: break
    }
    return known(a, b, Int.self) { order.holds($0, $1) }
      ?? known(a, b, String.self) { order.holds($0, $1) }
      ?? known(a, b, Double.self) { order.holds($0, $1) }
      ?? known(a, b, Date.self) { order.holds($0, $1) } ?? a.combine(b) { order.holds($0, $1) }
  }

  /// Returns a test of two values, or `nil` if their type is another one.
  @inline(__always)
  private static func known<Value, Known>(
    _ a: CompiledExpression<Value>, _ b: CompiledExpression<Value>, _ type: Known.Type,
    _ holds: @escaping (Known, Known) -> Bool
  ) -> CompiledExpression<Bool>? {
    guard let a = a as? CompiledExpression<Known>, let b = b as? CompiledExpression<Known>
    else { return nil }
    return a.combine(b, holds)
  }
}
