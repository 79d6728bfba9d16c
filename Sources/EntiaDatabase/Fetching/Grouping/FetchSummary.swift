public import Foundation

/// The numbers that a field has in the entities of a fetch, summed up.
public struct FetchSummary<Value: Comparable & Numeric & Sendable>: Equatable, Sendable {
  /// How many numbers there are; a NaN is none, and neither is a `nil`.
  public internal(set) var count = 0
  /// Their sum; `nil` when it is beyond what the type can hold.
  public internal(set) var sum: Value? = .zero
  /// The least of them, or `nil` when there are none.
  public internal(set) var minimum: Value?
  /// The greatest of them, or `nil` when there are none.
  public internal(set) var maximum: Value?
  /// The arithmetic mean of them, or `nil` when there are none.
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

/// A number that a fetch can sum up: any fixed-width integer, `Double`, `Float` or `Decimal`.
public protocol FetchableNumber: Comparable, Numeric, Sendable {
  /// Returns the sum, or `nil` when it is beyond what the type can hold.
  func adding(_ other: Self) -> Self?
  /// The number as a `Double`, rounded when need be.
  var asDouble: Double { get }
  /// Whether it is a number at all, and no NaN.
  var isNumber: Bool { get }
}

extension FetchableNumber {
  /// Whether it equals itself, which a NaN does not.
  public var isNumber: Bool { self == self }
}

extension FetchableNumber where Self: FixedWidthInteger {
  /// Returns the sum, or `nil` when it is beyond what the type can hold.
  public func adding(_ other: Self) -> Self? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// The number as a `Double`, rounded when need be.
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
  /// Returns the sum, or `nil` when it is beyond what the type can hold.
  public func adding(_ other: Self) -> Self? {
    let sum = self + other
    return sum.isNaN ? nil : sum
  }

  /// The number as a `Double`, rounded when need be.
  public var asDouble: Double { NSDecimalNumber(decimal: self).doubleValue }

  /// Whether it is no NaN.
  public var isNumber: Bool { !isNaN }
}
