public import EntiaCollections

/// A key of several parts, ordered by the first part, then by the second for equal first parts,
/// and so on.
///
/// ```swift
/// @Index var byYearAndTitle: Indexes.Sorted<Book, SortKeys<Int, Descending<String>>>
///   = .init(by: .ascending(\.year), .descending(\.title))
/// ```
///
/// A key has two parts. With more than two, the second is a key of the others:
/// `SortKeys<Int, SortKeys<String, Date>>`.
public struct SortKeys<First: Comparable & Sendable, Rest: Comparable & Sendable>:
  Comparable, Sendable
{
  // Nested pairs, because each comparison would read the parts of a parameter pack through
  // metadata.

  /// The first and most significant part.
  public let first: First
  /// The second part, or a key of the other parts.
  public let rest: Rest

  /// Creates a key of two parts.
  @inlinable
  public init(_ first: First, _ rest: Rest) {
    self.first = first
    self.rest = rest
  }

  /// Creates a key of three parts.
  @inlinable
  package init<Second, Third>(_ first: First, _ second: Second, _ third: Third)
  where Rest == SortKeys<Second, Third> {
    self.init(first, SortKeys<Second, Third>(second, third))
  }

  /// Creates a key of four parts.
  @inlinable
  package init<Second, Third, Fourth>(
    _ first: First, _ second: Second, _ third: Third, _ fourth: Fourth
  ) where Rest == SortKeys<Second, SortKeys<Third, Fourth>> {
    self.init(first, SortKeys<Second, SortKeys<Third, Fourth>>(second, third, fourth))
  }

  /// Whether every part is equal to its counterpart.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    areTied(a.first, b.first) && areTied(a.rest, b.rest)
  }

  /// Whether the first operand is less in the first part that differs.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    areTied(a.first, b.first) ? precedes(a.rest, b.rest) : precedes(a.first, b.first)
  }

  @inlinable
  @inline(__always)
  static func precedes<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    IndexOrder<Value, Int>.precedes(a, b)
  }

  /// Whether neither part precedes the other. Two NaN are tied, so that the order is total.
  @inlinable
  @inline(__always)
  static func areTied<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    a == b || (!isEqualToItself(Value.self) && a != a && b != b)
  }
}

extension SortKeys: Hashable where First: Hashable, Rest: Hashable {}

extension SortKeys: CustomStringConvertible {
  /// The parts in parentheses.
  public var description: String { "(\(partTexts.joined(separator: ", ")))" }
}

/// One part of the key of a sorted index: a field and a direction.
public struct SortPart<Entity: EntityType, Value: Comparable & Sendable>: Sendable {
  @usableFromInline let read: @Sendable (Entity) -> Value
  @usableFromInline let field: IndexField<Entity>

  @usableFromInline
  init(_ field: IndexField<Entity>, _ read: @escaping @Sendable (Entity) -> Value) {
    self.field = field
    self.read = read
  }

  /// Returns a part for a field, lesser values first.
  @inlinable
  public static func ascending(_ path: any KeyPath<Entity, Value> & Sendable) -> Self {
    let reader = FieldReader(path)
    return Self(IndexField(path: path)) { reader.read($0) }
  }

  /// Returns a part for a field, greater values first.
  @inlinable
  public static func descending<Turned>(
    _ path: any KeyPath<Entity, Turned> & Sendable
  ) -> Self where Value == Descending<Turned> {
    let reader = FieldReader(path)
    return Self(IndexField(path: path, isDescending: true)) { Descending(reader.read($0)) }
  }
}

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
