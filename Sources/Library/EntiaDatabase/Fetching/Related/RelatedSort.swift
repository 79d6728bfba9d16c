import Foundation

/// An order by a field of a related entity.
protocol RelatedSort<Entity>: Sendable {
  associatedtype Entity: EntityType

  /// The type of the related entity.
  var relatedEntity: ObjectIdentifier { get }

  /// Returns the comparison of rows in one version; `nil` when the version does not have the
  /// relationship.
  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison?
}

/// The order by a field of the entity that a key references.
struct TargetSort<Entity: EntityType, Target: EntityType>: RelatedSort {
  private let path: JoinPath<ToOne<Entity, Target>>
  /// The only descriptor. It is in an array because a struct that stores a descriptor directly
  /// does not link in optimized builds on Linux: Foundation does not export the type of one of
  /// its members.
  private let sort: [SortDescriptor<Target>]

  init(path: JoinPath<ToOne<Entity, Target>>, sort: SortDescriptor<Target>) {
    self.path = path
    self.sort = [sort]
  }

  var relatedEntity: ObjectIdentifier { ObjectIdentifier(Target.self) }

  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison? {
    guard let sort = sort.first, let relationship = path.relationship(in: storage),
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
