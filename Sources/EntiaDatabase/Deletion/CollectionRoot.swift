/// Where to start looking for what is in use: a whole table, or entities by their IDs.
///
/// ```swift
/// library.collect(roots: [.table(of: Shelf.self), .entity(Author.EntityID("a1"))])
/// ```
public struct CollectionRoot: Sendable {
  let mark: any RootMark

  /// Every entity of a type.
  public static func table<Entity: EntityType>(of entity: Entity.Type) -> Self {
    Self(mark: TableRoot<Entity>())
  }

  /// One entity.
  public static func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Self {
    Self(mark: EntityRoots(ids: [id]))
  }

  /// Several entities of one type; those that are not there are passed over.
  public static func entities<Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>
  ) -> Self {
    Self(mark: EntityRoots(ids: Array(ids)))
  }
}

/// Marks entities of some type as reached.
protocol RootMark: Sendable {
  func mark<Contents: StorageContents>(in reach: Reach<Contents>)
}

private struct TableRoot<Entity: EntityType>: RootMark {
  func mark<Contents: StorageContents>(in reach: Reach<Contents>) {
    let reached = reach.rows(of: Entity.self)
    reach.snapshot.table(of: Entity.self)?.visitRows { reached.add($0.entityID) }
  }
}

private struct EntityRoots<Entity: EntityType>: RootMark {
  let ids: [Entity.EntityID]

  func mark<Contents: StorageContents>(in reach: Reach<Contents>) {
    let reached = reach.rows(of: Entity.self)
    for id in ids { reached.add(id) }
  }
}
