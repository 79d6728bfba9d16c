public import EntiaCollections

/// The targets of a list, or the holders of an entity, as lazily created views.
///
/// ```swift
/// for book in author[inverse: \.bookAuthor] { print(book.title) }
/// author[inverse: \.bookAuthor].count                   // reads no book
/// ```
///
/// The value shows the version from which it was created. Later changes of the database do not
/// affect it.
@frozen
public struct EntityViews<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  @usableFromInline let snapshot: Snapshot<Storage.Contents>

  /// The IDs of the entities, in their order. Each of them is in the database.
  public let ids: [Entity.EntityID]

  @inlinable
  init(snapshot: Snapshot<Storage.Contents>, ids: [Entity.EntityID]) {
    self.snapshot = snapshot
    self.ids = ids
  }
}

extension EntityViews: RandomAccessCollection {
  /// An iterator over the entities, in their order.
  @frozen
  @usableFromInline
  struct ViewIterator: IteratorProtocol {
    @usableFromInline let snapshot: Snapshot<Storage.Contents>
    // The pointer is valid while `snapshot` exists, because the snapshot is immutable and keeps the
    // table at its address.
    @usableFromInline let table: TablePointer<Entity>?
    @usableFromInline let ids: [Entity.EntityID]
    /// The position of the next ID.
    @usableFromInline var position = 0
    /// The number of IDs that have been looked up.
    @usableFromInline var end = 0
    /// The rows that have been looked up and not yet returned.
    @usableFromInline var rows = NextElements<Entity>()

    @inlinable
    @inline(__always)
    init(_ views: EntityViews) {
      snapshot = views.snapshot
      table = views.snapshot.tablePointer(of: Entity.self)
      ids = views.ids
    }

    /// Returns the next entity, or `nil` after the last.
    /// - Complexity: O(1) expected.
    @inlinable
    @inline(__always)
    mutating func next() -> EntityView<Storage, Entity>? {
      if position == end {
        guard position < ids.count else { return nil }
        lookUp()
      }
      guard let row = rows.removeFirst() else { EntityViews.missing(ids[position]) }
      position &+= 1
      return EntityView(snapshot: snapshot, row: row)
    }

    /// Looks up the next rows.
    @inlinable
    @inline(never)
    mutating func lookUp() {
      if let table { rows = table.nextRows(of: ids, from: position) }
      end = Swift.min(position &+ NextElements<Entity>.capacity, ids.count)
    }
  }

  /// Returns an iterator over the entities, in their order.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func makeIterator() -> some IteratorProtocol<EntityView<Storage, Entity>> {
    ViewIterator(self)
  }

  @usableFromInline
  @inline(never)
  static func missing(_ id: Entity.EntityID) -> Never {
    preconditionFailure("a row that \(EntityLabel(id)) is linked with is missing")
  }

  /// The position of the first entity.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position after the last entity.
  @inlinable
  public var endIndex: Int { ids.count }

  /// Returns the distance from one position to another.
  /// - Complexity: O(1).
  @inlinable
  public func distance(from start: Int, to end: Int) -> Int { end - start }

  /// Accesses the entity at a position, which must be in bounds.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(position: Int) -> EntityView<Storage, Entity> {
    @inline(__always)
    get {
      guard let row: UnsafePointer<Entity> = snapshot.row(of: ids[position]) else {
        Self.missing(ids[position])
      }
      return EntityView(snapshot: snapshot, row: row)
    }
  }
}

extension EntityViews {
  /// Returns the results of a closure for the entities, in their order.
  /// - Parameter transform: The closure.
  /// - Returns: The results.
  /// - Throws: The error that the closure throws.
  /// - Complexity: O(*k*) expected in the number of entities.
  @inlinable
  public func map<Value, Failure: Error>(
    _ transform: (EntityView<Storage, Entity>) throws(Failure) -> Value
  ) throws(Failure) -> [Value] {
    var result: [Value] = []
    result.reserveCapacity(ids.count)
    // The iterator looks up several rows at a time, whereas the subscript of a collection looks up
    // one.
    var views = makeIterator()
    while let view = views.next() { result.append(try transform(view)) }
    return result
  }
}

extension EntityViews: Equatable {
  /// Whether two collections show equal entities in the same order. The versions may differ.
  /// - Complexity: O(*k*) expected in the number of entities.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension EntityViews: CustomStringConvertible {
  /// The descriptions of the entities, formatted as an array.
  public var description: String { Array(self).description }
}
