/// IDs that the user holds, inside a batch: `context.modifying.favorites.append("b1")`.
///
/// Reads return the held IDs in the current state of the batch. The editor is a sequence, and a
/// collection if the held IDs are one. The editor of ``Indexes/OrderedID`` has the mutating methods
/// of a list, that of ``Indexes/Set`` has `insert`, and both have the set algebra.
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

  /// Returns whether an ID can be added because it is not held yet. Its entity may be inserted
  /// later in the batch.
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

  /// A lower bound of the number of IDs.
  public var underestimatedCount: Int { held.pointee.underestimatedCount }
}

extension HeldIDsEditor: Collection, BidirectionalCollection, RandomAccessCollection
where IDs: RandomAccessCollection, IDs.Index == Int {
  /// A position.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>
  /// A range of the IDs, which later changes of the list do not affect.
  public typealias SubSequence = IDs.SubSequence

  /// The first position.
  public var startIndex: Int { held.pointee.startIndex }

  /// The position after the last ID.
  public var endIndex: Int { held.pointee.endIndex }

  /// All positions.
  public var indices: Range<Int> { startIndex..<endIndex }

  /// Returns the position after another one.
  public func index(after position: Int) -> Int { position + 1 }

  /// Returns the position before another one.
  public func index(before position: Int) -> Int { position - 1 }

  /// Returns the position at a distance from another one.
  public func index(_ position: Int, offsetBy distance: Int) -> Int { position + distance }

  /// Returns the position at a distance from another one, or `nil` when that passes a limit.
  public func index(_ position: Int, offsetBy distance: Int, limitedBy limit: Int) -> Int? {
    held.pointee.index(position, offsetBy: distance, limitedBy: limit)
  }

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
  public subscript(bounds: Range<Int>) -> SubSequence { held.pointee[bounds] }
}

extension BatchContext {
  /// Replaces the held IDs by those of another version, whose entities must exist.
  package mutating func replaceHeldIDs<Index: IndexType>(
    at path: PartPath<Storage.Contents, Index>, by ids: Index
  ) {
    transaction.contents.part(at: path).pointee = ids
  }
}

extension BatchTables {
  /// IDs that the user holds, for reading and writing.
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
