import Foundation

/// A condition on entities that are related to a row.
protocol RelatedCondition<Entity>: Sendable {
  associatedtype Entity: EntityType
  associatedtype Related: EntityType

  /// The conditions on the related entities.
  var related: FetchDescriptor<Related> { get }

  /// Prepares the condition for one version. Returns `nil` if the version does not have the
  /// relationship.
  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Entity>?

  /// Returns the IDs of rows whose related rows differ between two versions. The condition may
  /// accept these rows in only one of the versions. IDs may repeat.
  /// - Complexity: O(*k*) in the number of returned IDs.
  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Entity.EntityID]

  /// Returns roots that keep the related rows on which the condition depends. If such a row were
  /// removed, a row of `ids` could stop satisfying the condition, or another row could begin to
  /// satisfy it.
  func roots<Storage: NormalizedStorageType>(
    deciding ids: [Entity.EntityID], in storage: Storage
  ) -> [CollectionRoot]
}

extension RelatedCondition {
  /// Whether the condition depends on a query of a text index.
  var usesSearch: Bool { related.usesSearch }

  /// The types of the related entities that decide the condition.
  var relatedEntities: [ObjectIdentifier] { related.entityTypes }
}

/// A condition on related entities, prepared for one version.
struct PreparedCondition<Entity: EntityType> {
  /// Whether a row satisfies the condition.
  let accepts: (UnsafeRawPointer) -> Bool
  /// The rows that may satisfy the condition, if an index finds the related entities.
  let candidates: RowCandidates<Entity>?
  /// The kinds of expressions that cannot be compiled and are left to Foundation's `evaluate`.
  let interpreted: [String]
}

extension FetchDescriptor {
  /// The types of the entities on which the result depends.
  package var entityTypes: [ObjectIdentifier] {
    [ObjectIdentifier(Entity.self)] + related.flatMap { $0.relatedEntities }
      + relatedSorts.map { $0.relatedEntity }
  }

  /// Returns roots that keep the rows of a result and the rows on which the result depends. The
  /// result depends on the rows skipped by `fetchOffset`, and on the related rows that decide the
  /// joins.
  package func roots<Storage: NormalizedStorageType>(
    ofResult result: [Entity.EntityID], in storage: Storage
  ) -> [CollectionRoot] {
    var ids = result
    if let fetchOffset, fetchOffset > 0 {
      var skipped = self
      (skipped.fetchOffset, skipped.fetchLimit) = (nil, fetchOffset)
      ids += storage.fetch(skipped).map { $0.entityID }
    }
    return [.entities(ids)] + roots(deciding: ids, in: storage)
  }

  /// Returns roots that keep the rows of joined tables on which the joins depend. If such a row
  /// were removed, a row of `ids` could stop satisfying the joins, or another row could begin to
  /// satisfy them.
  func roots<Storage: NormalizedStorageType>(
    deciding ids: [Entity.EntityID], in storage: Storage
  ) -> [CollectionRoot] {
    related.flatMap { $0.roots(deciding: ids, in: storage) }
  }

  /// Returns the IDs of the rows that may enter or leave the result because related rows differ.
  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Entity.EntityID] {
    related.flatMap { $0.affectedIDs(by: changes, from: old, to: new) }
  }
}

/// An order by a field of a related entity.
protocol RelatedSort<Entity>: Sendable {
  associatedtype Entity: EntityType

  /// The type of the related entity.
  var relatedEntity: ObjectIdentifier { get }

  /// Returns the comparison of rows in one version, or `nil` if the version does not have the
  /// relationship.
  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison?
}

/// The order by a field of the entity that a key references.
struct TargetSort<Entity: EntityType, Target: EntityType>: RelatedSort {
  private let path: StoragePath<ToOne<Entity, Target>>
  /// The only element is the sort. The array is necessary for optimized builds on Linux: a struct
  /// that stores a `SortDescriptor` directly does not link there, because Foundation does not
  /// export the type of one of its members.
  private let sort: [SortDescriptor<Target>]

  init(path: StoragePath<ToOne<Entity, Target>>, sort: SortDescriptor<Target>) {
    self.path = path
    self.sort = [sort]
  }

  var relatedEntity: ObjectIdentifier { ObjectIdentifier(Target.self) }

  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison? {
    guard let sort = sort.first, let relationship = path.part(in: storage),
      let table = storage.snapshot.table(of: Target.self)
    else { return nil }
    let compare = sort.rowComparison
    let isReversed = sort.order == .reverse
    func target(_ row: UnsafeRawPointer) -> UnsafeRawPointer? {
      relationship.targetID(of: row.assumingMemoryBound(to: Entity.self).pointee)
        .flatMap { table.row(of: $0)?.row }
    }
    return { first, second in
      switch (target(first), target(second)) {
      case (nil, nil): 0
      case (nil, _): isReversed ? 1 : -1
      case (_, nil): isReversed ? -1 : 1
      case (let a?, let b?): compare(a, b)
      }
    }
  }
}
