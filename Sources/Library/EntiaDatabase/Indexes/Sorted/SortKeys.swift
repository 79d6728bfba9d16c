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
  // The parts are nested pairs instead of a parameter pack, because each comparison would read the
  // parts of a pack through type metadata, which is slow.

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

  /// Whether the first operand is less in the first part in which the operands differ.
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
  public static func < (a: Self, b: Self) -> Bool { isLess(b.value, a.value) }
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

/// A part of a key in reversed order, for code that does not depend on the type of the value.
protocol DescendingPart {
  associatedtype Value: Comparable
  var value: Value { get }
}

extension Descending: DescendingPart {}

/// The order of a sorted index: by key, and then by ID for equal keys.
///
/// A floating-point NaN, neither less nor greater than any value, is last. The order is therefore
/// total for all contents of rows.
@frozen
@usableFromInline
package enum IndexOrder<Key: Comparable, ID: Comparable>: SortedElements {
  @inlinable
  @inline(__always)
  package static func key(of element: SortedEntry<Key, ID>) -> Key { element.key }

  @inlinable
  @inline(__always)
  package static func keyPrecedes(_ a: Key, _ b: Key) -> Bool { precedes(a, b) }

  @inlinable
  @inline(__always)
  package static func tiePrecedes(
    _ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>
  ) -> Bool { a.id < b.id }

  @inlinable
  @inline(__always)
  package static func precedes(_ a: SortedEntry<Key, ID>, _ b: SortedEntry<Key, ID>) -> Bool {
    if a.key == b.key { return a.id < b.id }
    if isLess(a.key, b.key) { return true }
    if a.key == a.key { return b.key != b.key }
    return b.key != b.key && a.id < b.id
  }

  @inlinable
  @inline(__always)
  static func precedes(_ a: Key, _ b: Key) -> Bool {
    isLess(a, b) || (b != b && a == a)
  }

  /// Whether `a` equals itself and is less than `b`.
  ///
  /// A key that contains NaN does not equal itself, and is last in the order. `<` alone may place
  /// the key earlier, if a part before the NaN decides the comparison.
  @inlinable
  @inline(__always)
  static func isLess(_ a: Key, _ b: Key) -> Bool {
    EntiaCollections.isLess(a, b) && (isScalar || a == a)
  }

  /// Whether `<` suffices to order keys. It suffices if all values of the type equal themselves. It
  /// also suffices for a trivial type with a single part: only NaN is then unequal to itself, and
  /// `<` never places NaN before another key. The property is a constant in specialized code.
  @inlinable
  @inline(__always)
  static var isScalar: Bool {
    isEqualToItself(Key.self)
      || (_isPOD(Key.self) && MemoryLayout<Key>.size == MemoryLayout<Key>.alignment)
  }
}

/// The position of a part of a key relative to a value, in the order of the index.
enum PartOrder {
  case before
  case same
  case after
  /// The part, the value or both are NaN. NaN is last in the order, and in no range.
  case unordered

  /// Compares a part with a value. Returns `nil` when the value is of another type. A string can
  /// also be compared with a `PrefixEnd`.
  init?<Part: Comparable>(_ part: Part, _ value: Any) {
    if let turned = part as? any DescendingPart {
      self.init(turned: turned, value)
    } else {
      guard let value = value as? Part else {
        guard let text = part as? String, let end = value as? PrefixEnd else { return nil }
        self = end.follows(text) ? .before : .after
        return
      }
      self =
        part == value
        ? .same : isLess(part, value) ? .before : isLess(value, part) ? .after : .unordered
    }
  }

  private init?<Part: DescendingPart>(turned part: Part, _ value: Any) {
    guard let order = Self(part.value, value) else { return nil }
    switch order {
    case .before: self = .after
    case .after: self = .before
    case .same, .unordered: self = order
    }
  }
}

/// A key of several parts, which are accessed by number.
protocol NumberedParts {
  /// The descriptions of the parts.
  var partTexts: [String] { get }
  /// Compares a part with a value; `nil` when the value is not of its type.
  func order(ofPart number: Int, against value: Any) -> PartOrder?
  /// Returns a key with the first `count` parts of this key, and the remaining parts of `other`.
  func keeping(_ count: Int, then other: Self) -> Self
}

/// Returns a key with the first `count` parts of `key`, and the remaining parts of `other`.
func combinedKey<Key>(_ count: Int, of key: Key, then other: Key) -> Key {
  if count == 0 { return other }
  func combine<Parts: NumberedParts>(_ parts: Parts) -> Key? {
    (other as? Parts).flatMap { parts.keeping(count, then: $0) as? Key }
  }
  return (key as? any NumberedParts).flatMap { combine($0) } ?? key
}

// Each method handles `first` and calls itself on `rest`, so the depth of the recursion is the
// number of parts.
extension SortKeys: NumberedParts {
  var partTexts: [String] {
    let texts = (rest as? any NumberedParts)?.partTexts ?? [String(describing: rest)]
    return [String(describing: first)] + texts
  }

  func order(ofPart number: Int, against value: Any) -> PartOrder? {
    if number == 0 { return PartOrder(first, value) }
    if let rest = rest as? any NumberedParts {
      return rest.order(ofPart: number - 1, against: value)
    }
    return number == 1 ? PartOrder(rest, value) : nil
  }

  func keeping(_ count: Int, then other: Self) -> Self {
    if count == 0 { return other }
    return SortKeys(first, combinedKey(count - 1, of: rest, then: other.rest))
  }
}
