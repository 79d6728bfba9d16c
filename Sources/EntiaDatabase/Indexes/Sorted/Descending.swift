/// A value whose order is turned around: greater ones come first.
public struct Descending<Value: Comparable & Sendable>: Comparable, Sendable {
  /// The value.
  public let value: Value

  /// Creates a value of the turned order.
  @inlinable
  public init(_ value: Value) { self.value = value }

  /// Whether the one value is greater than the other.
  @inlinable
  @inline(__always)
  public static func < (a: Self, b: Self) -> Bool { b.value < a.value }
}

extension Descending: Hashable where Value: Hashable {}
extension Descending: Encodable where Value: Encodable {
  /// Encodes the bare value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
extension Descending: Decodable where Value: Decodable {
  /// Decodes the bare value.
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}
extension Descending: CustomStringConvertible {
  /// The value's description.
  public var description: String { String(describing: value) }
}

/// A part of a key, where only its type may say that it is in turned order.
protocol DescendingPart {
  associatedtype Value: Comparable
  var value: Value { get }
}

extension Descending: DescendingPart {}
