import EntiaCollections

/// Held IDs inside a batch: `context.modifying.favorites.append("b1")`.
///
/// Reads return the held IDs in the current state of the batch. The editor is a sequence, and the
/// editor of ``Indexes/OrderedID`` is also a collection with the mutating methods of a list. The
/// editor of ``Indexes/Set`` has `insert`. Both have the methods of a set algebra, such as
/// `formUnion(_:)`.
public struct HeldIDsEditor<Storage: NormalizedStorageType, IDs: HeldIDs> {
  /// The ID of an entity.
  public typealias ID = IDs.Entity.EntityID

  let transaction: BatchTransaction<Storage>
  let held: UnsafeMutablePointer<IDs>

  init(_ transaction: BatchTransaction<Storage>, _ held: UnsafeMutablePointer<IDs>) {
    precondition(transaction.isOpen, "the batch has ended")
    self.transaction = transaction
    self.held = held
  }

  /// Returns all IDs, in order.
  /// - Complexity: O(*n*).
  public func ids() -> [ID] { Array(held.pointee) }

  /// Whether an ID is held.
  /// - Complexity: O(1) expected.
  public func contains(_ id: ID) -> Bool { held.pointee.contains(id) }

  /// Removes an ID.
  /// - Returns: Whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool { held.pointee.remove(id) }

  /// Removes every ID.
  public mutating func removeAll() { held.pointee.removeAll() }

  /// Removes the IDs that satisfy a predicate.
  /// - Parameter shouldBeRemoved: A closure that returns whether an ID is removed.
  /// - Throws: The error that the predicate throws; nothing is removed then.
  /// - Complexity: O(*n*), and O(log *n*) for each ID that is removed.
  public mutating func removeAll(where shouldBeRemoved: (ID) throws -> Bool) rethrows {
    let removed = try held.pointee.filter(shouldBeRemoved)
    for id in removed { held.pointee.remove(id) }
  }

  /// Returns whether an ID can be added, which is the case if the collection does not contain it.
  /// If the entity is missing, records that the batch may insert the entity later.
  func accepts(_ id: ID) -> Bool {
    if contains(id) { return false }
    if transaction.contents.table(of: IDs.Entity.self)?.contains(id) != true {
      transaction.noteEarly(id, in: held)
    }
    return true
  }
}

extension HeldIDsEditor: Sequence {
  /// Returns an iterator over the current IDs, in order.
  /// - Complexity: O(1).
  public func makeIterator() -> IDs.Iterator { held.pointee.makeIterator() }
}

extension HeldIDsEditor: Collection, BidirectionalCollection, RandomAccessCollection
where IDs: RandomAccessCollection, IDs.Index == Int {
  /// The first position.
  public var startIndex: Int { held.pointee.startIndex }

  /// The position after the last ID.
  public var endIndex: Int { held.pointee.endIndex }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// The ID at a position.
  /// - Precondition: The position is valid.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> ID { held.pointee[position] }

  /// The current IDs in a range of positions.
  /// - Precondition: The positions are valid.
  /// - Complexity: O(1).
  public subscript(bounds: Range<Int>) -> IDs.SubSequence { held.pointee[bounds] }
}

extension BatchContext {
  /// Replaces the held IDs by those of another version. The entities of all these IDs must exist.
  package mutating func replaceHeldIDs<Index: IndexType>(
    at path: PartPath<Storage.Contents, Index>, by ids: Index
  ) {
    transaction.contents.part(at: path).pointee = ids
  }
}

extension BatchTables {
  /// Held IDs, for reading and writing.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: PartPath<Storage.Contents, IDs>
  ) -> HeldIDsEditor<Storage, IDs> {
    get { HeldIDsEditor(transaction, transaction.contents.part(at: path)) }
    _modify {
      var editor = HeldIDsEditor(transaction, transaction.contents.part(at: path))
      yield &editor
    }
  }
}

// The mutating methods of a list. Positions out of bounds do not stop the process: insertions and
// moves clamp them, and removals ignore them.
extension HeldIDsEditor {
  /// Appends an ID.
  ///
  /// The entity may be inserted later in the batch. If it is still missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was inserted; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func append<Entity>(_ id: ID) -> Bool where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.append(id)
    return true
  }

  /// Appends IDs in their order; IDs that are already in the list keep their places.
  ///
  /// The entities may be inserted later in the batch. If one is still missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Complexity: O(*k* log *n*) in the number of IDs.
  public mutating func append<Entity>(contentsOf ids: some Sequence<ID>)
  where IDs == Indexes.OrderedID<Entity> {
    for id in ids { append(id) }
  }

  /// Inserts an ID at a position; positions out of bounds are clamped.
  ///
  /// The entity may be inserted later in the batch. If it is still missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was inserted; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID, at position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.insert(id, at: position.clamped(to: held.pointee.count))
    return true
  }

  /// Moves an ID, so that it is at a position afterwards; positions out of bounds are clamped.
  /// - Returns: Whether it is in the list; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func move<Entity>(_ id: ID, to position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard let from = held.pointee.firstIndex(of: id) else { return false }
    held.pointee.table.move(from: from, to: position.clamped(to: held.pointee.count - 1))
    return true
  }

  /// Removes the ID at a position.
  /// - Returns: The removed ID, or `nil` when there is no such position.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove<Entity>(at position: Int) -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> {
    guard let id = held.pointee.find(at: position) else { return nil }
    held.pointee.remove(id)
    return id
  }

  /// Removes the first ID.
  /// - Returns: The removed ID, or `nil` when the list is empty.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func removeFirst<Entity>() -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> { remove(at: 0) }

  /// Removes the last ID.
  /// - Returns: The removed ID, or `nil` when the list is empty.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func removeLast<Entity>() -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> { remove(at: held.pointee.count - 1) }

  /// Removes the IDs in a range of positions; positions out of bounds are ignored.
  /// - Complexity: O(*k* + log *n*) in the number of IDs that are removed.
  public mutating func removeSubrange<Entity>(_ bounds: some RangeExpression<Int>)
  where IDs == Indexes.OrderedID<Entity> {
    let count = held.pointee.count
    if bounds.contains(Int.max) {
      // Bounds that contain `Int.max` contain all positions from a start to the end of the list.
      let start = (0..<count).partition { !bounds.contains($0) }
      return held.pointee.table.removeSubrange(start..<count)
    }
    // The bounds are resolved relative to all integers. Relative to the positions of the list, a
    // range with only an upper bound would trap if it ends before the first position.
    let range = bounds.relative(to: Int.min..<Int.max)
    held.pointee.table.removeSubrange(range.clamped(to: 0..<count))
  }

  /// Returns the position of an ID, or `nil` when it is not in the list.
  /// - Complexity: O(log *n*) expected.
  public func firstIndex<Entity>(of id: ID) -> Int? where IDs == Indexes.OrderedID<Entity> {
    held.pointee.firstIndex(of: id)
  }

  /// Returns the position of an ID, or `nil` if it is not in the list. This is the same as
  /// `firstIndex(of:)`, because an ID occurs at most once.
  /// - Complexity: O(log *n*) expected.
  public func lastIndex<Entity>(of id: ID) -> Int? where IDs == Indexes.OrderedID<Entity> {
    held.pointee.firstIndex(of: id)
  }
}

// The mutating methods of a set. A list also has the set algebra, which inserts IDs at its end.
extension HeldIDsEditor {
  /// Inserts an ID into the set.
  ///
  /// The entity may be inserted later in the batch. If it is still missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was inserted; `false` when it is already in the set.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID) -> Bool where IDs == Indexes.Set<Entity> {
    guard accepts(id) else { return false }
    held.pointee.table.updateOrInsert(id)
    return true
  }

  /// Inserts the IDs of `other` that are not held yet.
  ///
  /// The entities may be inserted later in the batch. If one is still missing at the end, its ID is
  /// dropped and listed in the batch's `problems`.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) in the number of IDs in `other`.
  public mutating func formUnion(_ other: some Sequence<ID>) {
    for id in other where accepts(id) { held.pointee.insert(id) }
  }

  /// Removes the held IDs that `other` does not contain.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*n* + *k*) expected in the number of IDs in `other`, and O(log *n*) for each
  ///   ID that is removed.
  public mutating func formIntersection(_ other: some Sequence<ID>) {
    let kept = Swift.Set(other)
    removeAll { !kept.contains($0) }
  }

  /// Removes the held IDs that `other` contains.
  /// - Parameter other: The IDs, which may repeat.
  /// - Complexity: O(*k* log *n*) in the number of IDs in `other`.
  public mutating func subtract(_ other: some Sequence<ID>) {
    for id in other { held.pointee.remove(id) }
  }
}
