public import Foundation

/// The entities that no root reaches, before they are removed.
///
/// No remaining entity references a removed one, so that no delete rule has to be applied.
public struct GarbageCollectionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The changes that the removal would make: `plan.unreached.books.removed` are the removed
  /// books.
  public let unreached: StorageChangeSet<Storage>
  /// The entities that would be removed, table by table in their order.
  public let removals: [EntityLabel]
  let base: Snapshot<Storage.Contents>
  /// Whether held IDs are roots.
  let keepsHeld: Bool
  /// Whether anything is in use by definition.
  let hasRoots: Bool

  /// Whether the plan removes nothing.
  public var isEmpty: Bool { removals.isEmpty }

  /// Whether two plans would remove the same entities from equal databases.
  public static func == (a: Self, b: Self) -> Bool {
    a.unreached == b.unreached && a.removals == b.removals
  }
}

extension GarbageCollectionPlan: CustomStringConvertible {
  /// The entities that would be removed, one on each line.
  public var description: String {
    if isEmpty { return "everything is reached" }
    return (["removes \(removals.count):"] + removals.map { "  \($0)" }).joined(separator: "\n")
  }
}

/// The reason why a collection was refused.
public enum CollectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plan was created for another version of the database.
  case stale(storage: String)
  /// The plan has no root: it would remove every row.
  case noRoots(storage: String)

  /// A sentence that names the reason.
  public var description: String {
    switch self {
    case .stale(let storage):
      "the collection was planned for another version of \(storage), in which other rows may be "
        + "reached; create a new plan"
    case .noRoots(let storage):
      "the collection has no root and would remove every row of \(storage); name the tables or the "
        + "entities that are in use"
    }
  }
}

/// The references that a garbage collection follows. Entities that are reached from an entity in
/// use are in use too.
public enum CollectionReach: Hashable, Sendable {
  /// The keys of entities in use.
  case keys
  /// The keys of entities in use, and also their holders in relationships whose rule is `cascade`,
  /// such as the comments of a post.
  case keysAndDependents
}

/// A root of a garbage collection or an eviction: a whole table, entities by their IDs, or those in
/// new answers. Roots are in use by definition.
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

extension CollectionRoot {
  /// Returns a root of the entities in answers that were received at a time or later.
  public static func responses(newerThan time: Date) -> Self {
    Self(mark: ResponseRoots(time: time))
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

private struct ResponseRoots: RootMark {
  let time: Date

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    var answers = AnsweredRoots(reach: reach, time: time)
    Contents.visitParts(&answers)
  }
}

/// Marks the entities in answers that were received at a time or later as reached.
private struct AnsweredRoots<Contents: StorageContents>: FreshnessVisitor {
  let reach: Reachability<Contents>
  let time: Date

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    func mark<Answers: AnswerIndex>(_ answers: Answers) {
      reach.rows(of: Answers.Entity.self).add(answers.ids(inAnswersSince: time))
    }
    if let answers = reach.snapshot.contents[keyPath: path] as? any AnswerIndex { mark(answers) }
  }
}

private struct EntityRoots<Entity: EntityType>: RootMark {
  let ids: [Entity.EntityID]

  func mark<Contents: StorageContents>(in reach: Reachability<Contents>) {
    Contents.requireTable(of: Entity.self)
    reach.rows(of: Entity.self).add(ids)
  }
}
