public import EntiaCollections

extension Indexes {
  /// A list of *held IDs*: IDs that the app chooses and orders. The list contains each ID once.
  /// When an entity is removed, its ID is removed from the list, too.
  ///
  /// ```swift
  /// @Index var favorites: Indexes.OrderedID<Book> = .init()
  ///
  /// try library.performBatchUpdates { context in
  ///   context.modifying.favorites.append("b1")
  /// }
  /// library.favorites.last                     // a collection of its IDs
  /// library.books.find(in: library.favorites)
  /// ```
  ///
  /// Unlike other indexes, it is a part of the database's value, and so of `==`, of change sets and
  /// of the encoded form.
  public struct OrderedID<Entity: EntityType>: Sendable {
    @usableFromInline package var table = PersistentOrderedTable<SelfKeyed<Entity.EntityID>>()

    /// Creates an empty list.
    public init() {}

    /// Returns all IDs, in order.
    /// - Complexity: O(*n*).
    public func ids() -> [Entity.EntityID] { Array(table) }
  }
}

extension Indexes.OrderedID: HeldIDs, RebuildableIndex, Sealed {
  /// Whether two lists have the same IDs in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.table == b.table }

  /// Whether this list and another are one version and share all storage; `true` implies that they
  /// are equal.
  /// - Complexity: O(1).
  public func isIdentical(to other: Self) -> Bool { table.isIdentical(to: other.table) }

  /// Appends an ID, unless it is held.
  /// - Complexity: O(log *n*).
  public mutating func insert(_ id: Entity.EntityID) {
    if !contains(id) { table.append(id) }
  }

  /// Removes an ID from the list.
  /// - Returns: Whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: Entity.EntityID) -> Bool { table.remove(id) != nil }

  /// Returns the IDs that only one of two versions has. The IDs in `inserted` are only in this
  /// version, and the IDs in `removed` only in `old`. Each list is in the order of its version.
  /// - Complexity: O(changes · log *n*) for versions of one history, O(*n* log *n*) for others.
  public func differences(
    from old: Self
  ) -> (inserted: [Entity.EntityID], removed: [Entity.EntityID]) {
    let changes = table.differences(from: old.table)
    return (changes.inserted.map { $0.element }, changes.removed.map { $0.element })
  }

  /// Merges the changes of another version.
  ///
  /// IDs that the other version removed are removed. IDs that it inserted or moved are placed next
  /// to their nearest unmoved neighbors. If both versions placed IDs between the same two
  /// neighbors, the IDs of this version are first.
  /// - Complexity: O(changes of both · log *n*) for versions of one history.
  public mutating func merge(_ changes: HeldIDsChanges<Self>) {
    let moved = table.differences(from: changes.old.table).moved.map { $0.id }
    let theirs = changes.new.table.differences(from: changes.old.table)
    for removed in theirs.removed { table.remove(removed.element) }
    for inserted in theirs.inserted { table.append(inserted.element) }
    let placed = theirs.inserted.map { $0.element } + theirs.moved.map { $0.id }
    table.place(.init(placed), asIn: changes.new.table, moved: .init(moved))
  }
}

extension Indexes.OrderedID: Encodable where Entity.EntityIDRawType: Encodable {}
extension Indexes.OrderedID: Decodable where Entity.EntityIDRawType: Decodable {}

extension Indexes.OrderedID: RandomAccessCollection {
  /// The first position: 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last ID.
  @inlinable
  public var endIndex: Int { table.count }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The ID at a position.
  ///
  /// For a position that may be stale, use ``find(at:)``.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Entity.EntityID { table[position: position] }

  /// Returns the ID at a position, or `nil` when there is no such position.
  /// - Complexity: O(log *n*).
  @inlinable
  public func find(at position: Int) -> Entity.EntityID? {
    position >= 0 && position < table.count ? table[position: position] : nil
  }

  /// Whether an ID is in the list.
  /// - Complexity: O(1) expected.
  @inlinable
  public func contains(_ id: Entity.EntityID) -> Bool { table.contains(id) }

  /// Returns the position of an ID, or `nil` when it is not in the list.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func firstIndex(of id: Entity.EntityID) -> Int? { table.position(of: id) }

  /// Returns the position of an ID, or `nil` if it is not in the list. This is the same as
  /// `firstIndex(of:)`, because an ID occurs at most once.
  /// - Complexity: O(log *n*) expected.
  @inlinable
  public func lastIndex(of id: Entity.EntityID) -> Int? { table.position(of: id) }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Entity.EntityID> & Sendable {
    IDIterator(table)
  }

  /// Visits the IDs in order.
  @frozen
  @usableFromInline
  struct IDIterator: IteratorProtocol, Sendable {
    @usableFromInline
    var ids: PersistentOrderedTable<SelfKeyed<Entity.EntityID>>.Iterator

    @inlinable
    init(_ table: PersistentOrderedTable<SelfKeyed<Entity.EntityID>>) {
      ids = table.makeIterator()
    }

    /// Returns the next ID, or `nil` after the last.
    /// - Complexity: O(1) amortized.
    @inlinable
    mutating func next() -> Entity.EntityID? { ids.next() }
  }
}

extension Indexes.OrderedID {
  /// Returns the results of a closure for the IDs, in order.
  /// - Parameter transform: Returns the result for an ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*).
  @inlinable
  public func map<Result, Failure: Error>(
    _ transform: (Entity.EntityID) throws(Failure) -> Result
  ) throws(Failure) -> [Result] { try mapByIterating(transform) }

  /// Returns the position of the first ID that satisfies a predicate, or `nil`.
  /// - Parameter predicate: Whether an ID qualifies.
  /// - Throws: The error of the predicate.
  /// - Complexity: O(*n*).
  @inlinable
  public func firstIndex(where predicate: (Entity.EntityID) throws -> Bool) rethrows -> Int? {
    try firstIndexByIterating(where: predicate)
  }
}
