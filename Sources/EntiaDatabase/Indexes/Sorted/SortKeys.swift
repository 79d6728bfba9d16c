public import EntiaCollections

/// A key of several parts, ordered by the first part, then by the second for equal first parts,
/// and so on.
///
/// ```swift
/// @Index var byYearAndTitle: Indexes.Sorted<Book, SortKeys<Int, Descending<String>>>
///   = .init(.ascending(\.year), .descending(\.title))
/// ```
public struct SortKeys<First: Comparable & Sendable, each Rest: Comparable & Sendable>:
  SortKeysType, Sendable
{
  /// The first and most significant part.
  public let first: First
  /// The other parts, in order of significance.
  public let rest: (repeat each Rest)

  /// Creates a key.
  @inlinable
  public init(_ first: First, _ rest: repeat each Rest) {
    self.first = first
    self.rest = (repeat each rest)
  }

  /// Whether every part is equal to its counterpart.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool {
    if !areTied(a.first, b.first) { return false }
    for (x, y) in repeat (each a.rest, each b.rest) {
      if !areTied(x, y) { return false }
    }
    return true
  }

  /// Whether the first operand is less in the first part that differs.
  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    if precedes(a.first, b.first) { return true }
    if !areTied(a.first, b.first) { return false }
    for (x, y) in repeat (each a.rest, each b.rest) {
      if precedes(x, y) { return true }
      if !areTied(x, y) { return false }
    }
    return false
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

/// A key of several parts, `SortKeys`, for code that does not know the types of its parts.
public protocol SortKeysType<First>: Comparable {
  /// The most significant part.
  associatedtype First: Comparable & Sendable

  /// The most significant part.
  var first: First { get }
}

extension SortKeys: Hashable where First: Hashable, repeat each Rest: Hashable {
  /// Feeds every part into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    for part in repeat each rest { hasher.combine(part) }
  }
}

extension SortKeys: CustomStringConvertible {
  /// The parts in parentheses.
  public var description: String {
    var texts = [String(describing: first)]
    for part in repeat each rest { texts.append(String(describing: part)) }
    return "(\(texts.joined(separator: ", ")))"
  }
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
