/// Unique IDs in an order: a collection with the lookup and the operations of a set.
///
/// ```swift
/// todos.ids == [1, 2]
/// todos.ids.union(selection)
/// todos.ids.isSubset(of: known)
/// ```
///
/// The IDs of an `IdentifiedArray` have this type. They are an independent value that does not keep
/// the elements alive. Two collections are equal if they hold the same IDs in the same order, even
/// if the elements have different types. `isEqualSet(to:)` ignores the order.
///
/// A copy costs nothing and shares its storage.
@frozen
public struct OrderedIDs<ID: Hashable> {
  @usableFromInline typealias Table = PersistentOrderedTable<SelfKeyed<IdentifiedKey<ID>>>
  @usableFromInline typealias Builder = OrderedTableBuilder<SelfKeyed<IdentifiedKey<ID>>>

  @usableFromInline var table: Table

  @inlinable
  init(table: Table) { self.table = table }

  /// Creates a collection without IDs.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() { table = Table() }

  /// Creates a collection of the IDs of a sequence, each at its first position.
  /// - Parameter ids: The IDs, which may repeat.
  /// - Complexity: O(*n*) expected; O(1) if `ids` is an `OrderedIDs<ID>`.
  @inlinable
  public init(_ ids: some Sequence<ID>) {
    if let same = ids as? Self {
      self = same
      return
    }
    table = Table(ids.lazy.map { IdentifiedKey($0) })
  }

  /// Appends an ID, unless the collection contains it.
  /// - Parameter id: The ID.
  /// - Returns: Whether it was appended, and its position.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func append(_ id: ID) -> (inserted: Bool, index: Int) {
    let position = table.count
    if let known = table.append(IdentifiedKey(id)) { return (false, known) }
    return (true, position)
  }

  /// Removes an ID.
  /// - Parameter id: The ID.
  /// - Returns: The removed ID, or `nil` if the collection did not contain it.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  @discardableResult
  public mutating func remove(_ id: ID) -> ID? { table.remove(IdentifiedKey(id))?.id }

  /// Whether two collections are the same version and share all storage. If `true`, they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }
}

extension OrderedIDs: ExpressibleByArrayLiteral {
  /// Creates a collection of the IDs of a literal, each at its first position.
  @inlinable
  public init(arrayLiteral elements: ID...) { self.init(elements) }
}

extension OrderedIDs: Hashable {
  /// Whether the IDs are the same, in the same order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.table == rhs.table }
}

// Unchecked, because a check would prove nothing: `IdentifiedKey` is `Sendable` for any ID. The
// condition requires that the IDs themselves are `Sendable`.
extension OrderedIDs: @unchecked Sendable where ID: Sendable {}

/// A wrapper that makes an ID of any `Hashable` type the key of a table.
///
/// `Sendable` is unchecked because a table's keys must be `Sendable`, but an ID need not be. The
/// wrapper is stored only in `IdentifiedArray` and `OrderedIDs`. Their storage is internal, and
/// they are `Sendable` only if their IDs are.
@frozen
@usableFromInline
struct IdentifiedKey<ID: Hashable>: TableKey, @unchecked Sendable {
  @usableFromInline let id: ID

  @inlinable
  @inline(__always)
  init(_ id: ID) { self.id = id }

  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id || (!isEqualToItself(ID.self) && haveSameKeyParts(lhs.id, rhs.id))
  }

  @inlinable
  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Returns the hash bits of the ID. The standard hash is a call that is not inlined, so the most
  /// common types of IDs are hashed here. In specialized code, the comparisons of types are
  /// evaluated at compile time.
  @inlinable
  @inline(__always)
  func tableHash(seed: UInt64) -> UInt64 {
    if let hash = HashMixing.hashIfPlain(id, seed: seed) { return hash }
    if ID.self == String.self {
      return HashMixing.hash(unsafeBitCast(id, to: String.self), seed: seed)
    }
    return HashMixing.hash(UInt64(truncatingIfNeeded: id.hashValue), seed: seed)
  }
}

extension OrderedIDs: Encodable where ID: Encodable {}

extension OrderedIDs: Decodable where ID: Decodable {
  /// Decodes the IDs of an array.
  /// - Throws: The error of the decoder, and `DecodingError.dataCorrupted` for an ID that repeats.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init()
    while !container.isAtEnd {
      let offset = container.currentIndex
      guard append(try container.decode(ID.self)).inserted else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: container.codingPath, debugDescription: "Duplicate ID at offset \(offset)"))
      }
    }
  }
}

extension OrderedIDs: TreeCollection {
  /// The position after the last ID.
  @inlinable
  public var endIndex: Int { table.count }

  /// The ID at a position.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> ID { table[position: position].id }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<ID> { IDIterator(self) }

  /// Returns an iterator over the IDs, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<ID> { ReverseIDIterator(self) }

  /// An iterator over the IDs, in order.
  @frozen
  @usableFromInline
  struct IDIterator: IteratorProtocol {
    @usableFromInline var keys: Table.Iterator

    @inlinable
    init(_ ids: OrderedIDs) { keys = ids.table.makeIterator() }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    mutating func next() -> ID? { keys.nextPointer()?.pointee.id }
  }

  /// An iterator over the IDs, from the last to the first.
  @frozen
  @usableFromInline
  struct ReverseIDIterator: IteratorProtocol {
    @usableFromInline var keys: OrderedReverseIterator<SelfKeyed<IdentifiedKey<ID>>>

    @inlinable
    init(_ ids: OrderedIDs) { keys = OrderedReverseIterator(ids.table, 0..<ids.table.count) }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    @inline(__always)
    mutating func next() -> ID? { keys.nextPointer()?.pointee.id }
  }

  /// Whether the collection contains an ID.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: ID) -> Bool { table.contains(IdentifiedKey(id)) }

  /// Returns the position of an ID, or `nil`.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func firstIndex(of id: ID) -> Int? { table.position(of: IdentifiedKey(id)) }

  /// Returns the position of an ID, or `nil`. An ID has at most one position.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func lastIndex(of id: ID) -> Int? { firstIndex(of: id) }

  /// Returns the IDs that satisfy a predicate, in their order.
  /// - Parameter isIncluded: Whether an ID is included.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func filter(_ isIncluded: (ID) throws -> Bool) rethrows -> Self {
    var builder = Builder()
    var iterator = table.makeIterator()
    while let key = iterator.nextPointer() {
      guard try isIncluded(key.pointee.id) else { continue }
      builder.append(key.pointee, tag: table.tag(of: key.pointee))
    }
    withExtendedLifetime(iterator) {}
    return Self(table: builder.finish())
  }
}

extension OrderedIDs: CustomStringConvertible, CustomDebugStringConvertible {
  /// The IDs, formatted like an array.
  public var debugDescription: String { elements.debugDescription }
}

extension OrderedIDs: CustomReflectable {}
