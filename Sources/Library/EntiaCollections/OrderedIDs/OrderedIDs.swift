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
  /// - Complexity: O(*n*) expected; O(1) for IDs of this type.
  @inlinable
  public init(_ ids: some Sequence<ID>) {
    if let same = ids as? Self {
      self = same
      return
    }
    table = Table(ids.lazy.map { IdentifiedKey($0) })
  }

  /// The IDs as an array.
  /// - Complexity: O(*n*).
  @inlinable
  public var elements: [ID] {
    var result: [ID] = []
    result.reserveCapacity(table.count)
    table.forEachChunk { for key in $0 { result.append(key.id) } }
    return result
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

  /// Hashes the IDs in their order.
  /// - Complexity: O(*n*).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for id in self { hasher.combine(id) }
  }
}

// Unchecked because the wrapper of the keys is unchecked; here the IDs must be `Sendable`.
extension OrderedIDs: @unchecked Sendable where ID: Sendable {}
