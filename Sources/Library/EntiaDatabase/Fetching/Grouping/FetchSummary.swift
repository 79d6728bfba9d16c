public import Foundation

/// Statistics of the numbers in a field of the fetched entities.
public struct FetchSummary<Value: Comparable & Numeric & Sendable>: Equatable, Sendable {
  /// The number of values; NaN and `nil` are not counted.
  public internal(set) var count = 0
  /// The sum of the values; `nil` when the type cannot represent it.
  public internal(set) var sum: Value? = .zero
  /// The least value, or `nil` when there are none.
  public internal(set) var minimum: Value?
  /// The greatest value, or `nil` when there are none.
  public internal(set) var maximum: Value?
  /// The arithmetic mean of the values, or `nil` when there are none.
  public internal(set) var average: Double?

  init() {}

  mutating func add(_ value: Value, by operations: NumberOperations<Value>) {
    guard operations.isNumber(value) else { return }
    count += 1
    sum = sum.flatMap { operations.sum($0, value) }
    minimum = minimum.map { min($0, value) } ?? value
    maximum = maximum.map { max($0, value) } ?? value
    let mean = average ?? 0
    average = mean + (operations.asDouble(value) - mean) / Double(count)
  }
}

/// A number type that `fetchSummary` supports: any fixed-width integer, `Double`, `Float` or
/// `Decimal`.
public protocol FetchableNumber: Comparable, Numeric, Sendable {
  /// The operations of a summary.
  static var fetchOperations: NumberOperations<Self> { get }
}

/// The operations of a summary on the numbers of one type. Only Entia creates and uses them.
public struct NumberOperations<Number: Comparable & Sendable>: Sendable {
  /// Returns the sum of two numbers, or `nil` when the type cannot represent it.
  let sum: @Sendable (Number, Number) -> Number?
  /// Returns a number as a `Double`, rounded if necessary.
  let asDouble: @Sendable (Number) -> Double
  /// Returns whether a value is not NaN.
  var isNumber: @Sendable (Number) -> Bool = { $0 == $0 }
}

extension FetchableNumber where Self: FixedWidthInteger {
  /// The operations of a summary; a sum that overflows is `nil`.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(
      sum: { first, second in
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? nil : sum
      }, asDouble: { Double($0) })
  }
}

extension FetchableNumber where Self: BinaryFloatingPoint {
  /// The operations of a summary.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(sum: { $0 + $1 }, asDouble: { Double($0) })
  }
}

extension Int: FetchableNumber {}
extension Int8: FetchableNumber {}
extension Int16: FetchableNumber {}
extension Int32: FetchableNumber {}
extension Int64: FetchableNumber {}
extension UInt: FetchableNumber {}
extension UInt8: FetchableNumber {}
extension UInt16: FetchableNumber {}
extension UInt32: FetchableNumber {}
extension UInt64: FetchableNumber {}
extension Float: FetchableNumber {}
extension Double: FetchableNumber {}

extension Decimal: FetchableNumber {
  /// The operations of a summary; a sum that is not a number is `nil`.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(
      sum: { first, second in
        let sum = first + second
        return sum.isNaN ? nil : sum
      }, asDouble: { NSDecimalNumber(decimal: $0).doubleValue }, isNumber: { !$0.isNaN })
  }
}
