/// The entities that a list names, or that name an entity, as views that are made when they are read.
///
/// ```swift
/// for book in author[inverse: \.bookAuthor] { print(book.title) }
/// author[inverse: \.bookAuthor].count                   // reads no book
/// ```
///
/// A value: it shows the version it was made from, whatever happens to the database.
@frozen
public struct EntityViews<Storage: NormalizedStorageType, Entity: EntityType>: Sendable {
  @usableFromInline let snapshot: Snapshot<Storage.Contents>

  /// The entities' IDs, in their order. All of them are in the database.
  public let ids: [Entity.EntityID]

  @inlinable
  init(snapshot: Snapshot<Storage.Contents>, ids: [Entity.EntityID]) {
    self.snapshot = snapshot
    self.ids = ids
  }
}

extension EntityViews: RandomAccessCollection {
  /// The position of the first entity.
  @inlinable
  public var startIndex: Int { 0 }

  /// The position behind the last entity.
  @inlinable
  public var endIndex: Int { ids.count }

  /// The entity at a position, which must be in bounds.
  /// - Complexity: O(1) expected.
  @inlinable
  public subscript(position: Int) -> EntityView<Storage, Entity> {
    @inline(__always)
    get {
      guard let row: UnsafePointer<Entity> = snapshot.row(of: ids[position]) else {
        preconditionFailure("a row that \(EntityLabel(ids[position])) is linked with is missing")
      }
      return EntityView(snapshot: snapshot, row: row)
    }
  }
}

extension EntityViews: Equatable {
  /// Whether two show equal entities in the same order, in whatever versions.
  /// - Complexity: O(*k*) expected in the number of entities.
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

extension EntityViews: CustomStringConvertible {
  /// The entities, as in an array.
  public var description: String { Array(self).description }
}
