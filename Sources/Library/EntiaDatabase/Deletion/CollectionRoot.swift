/// A root of a garbage collection: a whole table, or entities by their IDs. Roots are in use by
/// definition.
///
/// The process stops if the database has no table of the entity type, as for every other call that
/// names an entity type.
///
/// ```swift
/// library.collect(roots: [.table(of: Shelf.self), .entity(Author.EntityID("a1"))])
/// ```
public struct CollectionRoot: Sendable {
  let mark: any RootMark

  /// Returns a root of every entity of a type.
  public static func table<Entity: EntityType>(of entity: Entity.Type) -> Self {
    Self(mark: TableRoot<Entity>())
  }

  /// Returns a root of one entity.
  public static func entity<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Self {
    Self(mark: EntityRoots(ids: [id]))
  }

  /// Returns a root of several entities of one type; missing ones are ignored.
  public static func entities<Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>
  ) -> Self {
    Self(mark: EntityRoots(ids: Array(ids)))
  }
}

/// Marks entities of some type as reached.
protocol RootMark: Sendable {
  func mark<Contents: StorageContents>(in reach: Reachability<Contents>)
}

private struct TableRoot<Entity: EntityType>: RootMark {
  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    let reached = reach.rows(of: Entity.self)
    guard let table = reach.snapshot.table(of: Entity.self) else {
      Contents.missingTable(of: Entity.self)
    }
    table.visitRows { reached.add(CollectionOfOne($0.entityID)) }
  }
}

private struct EntityRoots<Entity: EntityType>: RootMark {
  let ids: [Entity.EntityID]

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    Contents.requireTable(of: Entity.self)
    reach.rows(of: Entity.self).add(ids)
  }
}
