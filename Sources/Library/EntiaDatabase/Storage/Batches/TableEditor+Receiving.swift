import EntiaCollections
public import Foundation

// Methods that record the times at which rows were received, in the indexes of the database.
extension TableEditor {
  /// Inserts an entity that was received at a time, or replaces in place the entity with the same
  /// ID.
  ///
  /// Every `Indexes.Age` of the entity type records the time, even if the row is unchanged.
  /// - Parameters:
  ///   - entity: The entity.
  ///   - time: The time at which it was received.
  /// - Returns: The outcome: inserted, replaced (with the old value), or unchanged.
  /// - Complexity: O(log *n*).
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entity: Entity, receivedAt time: Date
  ) -> InsertionResult<Entity> {
    let result = insert(entity)
    recordReception(of: CollectionOfOne(result.entityID), at: time)
    return result
  }

  /// Inserts entities that were received at a time, or replaces in place the entities with the same
  /// IDs.
  ///
  /// Every `Indexes.Age` of the entity type records the time, even for unchanged rows.
  /// - Parameters:
  ///   - entities: The entities.
  ///   - time: The time at which they were received.
  /// - Returns: The outcome for each, in order.
  /// - Complexity: O(*k* · log *n*) in the number of entities.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ entities: some Sequence<Entity>, receivedAt time: Date
  ) -> [InsertionResult<Entity>] {
    let results = insert(entities)
    recordReception(of: results.lazy.map { $0.entityID }, at: time)
    return results
  }

  /// Records that rows were received again at a time, for example because a server answered that
  /// they are unchanged. IDs of missing entities are ignored.
  /// - Parameters:
  ///   - ids: The IDs of the rows.
  ///   - time: The time.
  /// - Complexity: O(*k* · log *n*) in the number of IDs.
  @inlinable
  public mutating func touch(_ ids: some Sequence<Entity.EntityID>, at time: Date) {
    recordReception(of: ids.lazy.filter(table.pointee.contains), at: time)
  }

  /// Records that rows, which must exist, were received at a time.
  @inlinable
  package mutating func recordReception(of ids: some Sequence<Entity.EntityID>, at time: Date) {
    var reception = Reception<Storage.Contents, Entity, _>(
      contents: transaction.contents, ids: ids, time: time)
    Storage.Contents.visitParts(&reception)
  }
}

/// Records a time in every index of an entity type.
@frozen
@usableFromInline
struct Reception<Contents: StorageContents, Entity: EntityType, IDs: Sequence<Entity.EntityID>>:
  StorageVisitor
{
  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let ids: IDs
  @usableFromInline let time: Date

  @inlinable
  init(contents: UnsafeMutablePointer<Contents>, ids: IDs, time: Date) {
    self.contents = contents
    self.ids = ids
    self.time = time
  }

  @inlinable
  @inline(__always)
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self else { return }
    // `Index.Entity` and `Entity` are the same type, which the compiler cannot see.
    let ids = ids.lazy.map { recast($0, as: Index.Entity.EntityID.self) }
    contents.part(at: path).pointee.rowsReceived(ids, at: time)
  }
}

extension NormalizedStorageType {
  /// Returns a function that finds the time at which a row was received. Returns `nil` if the
  /// database does not record the ages of the entity type.
  @usableFromInline
  package func receptionTimes<Entity: EntityType>(
    of entity: Entity.Type
  ) -> ((Entity.EntityID) -> Date?)? {
    var search = AgeSearch<Contents, Entity>(contents: snapshot.contents)
    Contents.visitParts(&search)
    return search.result
  }
}

private struct AgeSearch<Contents: StorageContents, Entity: EntityType>: FreshnessVisitor {
  let contents: Contents
  var result: ((Entity.EntityID) -> Date?)?

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard Index.Entity.self == Entity.self else { return }
    func times<Ages: AgeIndex>(_ ages: Ages) -> (Entity.EntityID) -> Date? {
      { ages.receivedAt(recast($0, as: Ages.Entity.EntityID.self)) }
    }
    if let ages = contents[keyPath: path] as? any AgeIndex { result = times(ages) }
  }
}
