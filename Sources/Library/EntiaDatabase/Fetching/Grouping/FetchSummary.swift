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

  mutating func add(_ value: Value) where Value: FetchableNumber {
    guard value.isNumber else { return }
    count += 1
    sum = sum.flatMap { $0.adding(value) }
    minimum = minimum.map { min($0, value) } ?? value
    maximum = maximum.map { max($0, value) } ?? value
    let mean = average ?? 0
    average = mean + (value.asDouble - mean) / Double(count)
  }
}

/// A number type that `fetchSummary` supports: any fixed-width integer, `Double`, `Float` or
/// `Decimal`.
public protocol FetchableNumber: Comparable, Numeric, Sendable {
  /// Returns the sum, or `nil` when the type cannot represent it.
  func adding(_ other: Self) -> Self?
  /// The number as a `Double`, rounded if necessary.
  var asDouble: Double { get }
  /// Whether the value is not NaN.
  var isNumber: Bool { get }
}

extension FetchableNumber {
  /// Whether the value equals itself, which NaN does not.
  public var isNumber: Bool { self == self }
}

extension FetchableNumber where Self: FixedWidthInteger {
  /// Returns the sum, or `nil` when the type cannot represent it.
  public func adding(_ other: Self) -> Self? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// The number as a `Double`, rounded if necessary.
  public var asDouble: Double { Double(self) }
}

extension FetchableNumber where Self: BinaryFloatingPoint {
  /// Returns the sum.
  public func adding(_ other: Self) -> Self? { self + other }

  /// The number as a `Double`.
  public var asDouble: Double { Double(self) }
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
  /// Returns the sum, or `nil` when the type cannot represent it.
  public func adding(_ other: Self) -> Self? {
    let sum = self + other
    return sum.isNaN ? nil : sum
  }

  /// The number as a `Double`, rounded if necessary.
  public var asDouble: Double { NSDecimalNumber(decimal: self).doubleValue }

  /// Whether the value is not NaN.
  public var isNumber: Bool { !isNaN }
}
