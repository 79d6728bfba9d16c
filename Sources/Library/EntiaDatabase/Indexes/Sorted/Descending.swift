/// A value with the reversed order: greater values are first.
public struct Descending<Value: Comparable & Sendable>: Comparable, Sendable {
  /// The value.
  public let value: Value

  /// Creates a value with the reversed order.
  @inlinable
  public init(_ value: Value) { self.value = value }

  /// Whether the value of the first operand is greater than that of the second.
  @inlinable
  @inline(__always)
  public static func < (a: Self, b: Self) -> Bool { b.value < a.value }
}

extension Descending: Hashable where Value: Hashable {}
extension Descending: Encodable where Value: Encodable {
  /// Encodes the wrapped value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
extension Descending: Decodable where Value: Decodable {
  /// Decodes the wrapped value.
  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}
extension Descending: CustomStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: value) }
}

/// A part of a key in reversed order, for code that does not know its type.
protocol DescendingPart {
  associatedtype Value: Comparable
  var value: Value { get }
}

extension Descending: DescendingPart {}
