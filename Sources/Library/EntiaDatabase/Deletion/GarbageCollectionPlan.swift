public import Foundation

/// A plan to remove the entities that no root reaches.
///
/// No remaining entity references a removed one, so that no delete rule has to be applied.
public struct GarbageCollectionPlan<Storage: NormalizedStorageType>: Equatable, Sendable {
  /// The changes that the removal would make: `plan.unreached.books.removed` are the removed
  /// books.
  package let unreached: StorageChangeSet<Storage>
  /// The entities that would be removed, by table, and in the order of each table.
  public let removals: [EntityLabel]
  let base: Snapshot<Storage.Contents>
  /// Whether held IDs are roots.
  let keepsHeld: Bool
  /// Whether the collection has any root. A held ID is a root if `keepsHeld` is `true`.
  let hasRoots: Bool

  /// Whether the plan removes nothing.
  package var isEmpty: Bool { removals.isEmpty }

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
  /// The plan has neither a root nor a held ID to keep, so it would remove every row.
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
  /// The keys of entities in use, and also the `cascade` keys that reference entities in use. For
  /// example, a comment is in use if its `cascade` key references a post in use.
  case keysAndDependents
}

/// A root of a garbage collection or an eviction: a whole table, entities with given IDs, or the
/// entities in recent answers. The entities of a root are in use by definition.
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

  /// Returns a root of several entities of one type; IDs that are not in the database are ignored.
  public static func entities<Entity: EntityType>(
    _ ids: some Sequence<EntityIdentifier<Entity>>
  ) -> Self {
    Self(mark: EntityRoots(ids: Array(ids)))
  }
}

extension CollectionRoot {
  /// Returns a root that keeps the entities of all answers received at `time` or later.
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

/// Marks as reached the entities in the answers that were received at `time` or later.
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

extension NormalizedStorageType {
  /// Returns a plan that removes the entities that no root reaches.
  ///
  /// ```swift
  /// let plan = library.collect(roots: [.table(of: Shelf.self)])
  /// try library.performBatchUpdates { try $0.remove(plan) }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: The entities that are in use by definition. A plan that removes rows cannot be
  ///     carried out if there are neither roots nor held IDs to keep.
  ///   - reach: The references to follow from entities in use.
  ///   - keepsHeld: Whether entities whose IDs are in an `Indexes.Set` or an `Indexes.OrderedID`
  ///     are in use, too.
  /// - Complexity: O(*n*) expected in the number of rows. The traversal does not recurse.
  public func collect(
    roots: [CollectionRoot], following reach: CollectionReach = .keys,
    keepingHeld keepsHeld: Bool = true
  ) -> GarbageCollectionPlan<Self> {
    GarbageCollectionPlan(of: snapshot, roots, reach, keepsHeld: keepsHeld)
  }
}

extension BatchContext {
  /// Removes exactly the entities that the plan lists. Delete rules are not applied, because no
  /// remaining entity references a removed one.
  /// - Throws: `CollectionError.stale` if the tables, or the held IDs that the plan keeps, have
  ///   changed since the plan was created. `CollectionError.noRoots` if the plan would remove every
  ///   row because nothing is in use. Nothing is removed then.
  /// - Complexity: O(log *n*) for each removed row.
  public mutating func remove(_ plan: GarbageCollectionPlan<Storage>) throws(CollectionError) {
    let base = plan.base.box
    guard UnsafePointer(transaction.contents).hasIdenticalTables(base.address, base.layout),
      !plan.keepsHeld || transaction.contents.pointee.hasEqualHeldIDs(base.address.pointee)
    else { throw .stale(storage: String(describing: Storage.self)) }
    guard plan.hasRoots || plan.isEmpty else {
      throw .noRoots(storage: String(describing: Storage.self))
    }
    var removal = RowRemoval(transaction: transaction, changes: plan.unreached)
    Storage.Contents.visitParts(&removal)
  }
}

extension GarbageCollectionPlan {
  fileprivate init(
    of base: Snapshot<Storage.Contents>, _ roots: [CollectionRoot], _ direction: CollectionReach,
    keepsHeld: Bool
  ) {
    let reach = Reachability(base, following: direction)
    for root in roots { root.mark.mark(in: reach) }
    var held = HeldRoots(reach: reach)
    if keepsHeld { Storage.Contents.visitParts(&held) }
    reach.spread()
    let transaction = BatchTransaction<Storage>(base)
    var sweep = Sweep(reach: reach, contents: transaction.contents)
    Storage.Contents.visitParts(&sweep)
    self.base = base
    self.keepsHeld = keepsHeld
    hasRoots = !roots.isEmpty || held.isAnyHeld
    removals = sweep.removals
    unreached = transaction.changes
  }
}

/// Marks as reached the entities whose IDs are held.
struct HeldRoots<Contents: StorageContents>: HeldIDsVisitor {
  let reach: Reachability<Contents>
  private(set) var isAnyHeld = false

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let ids = Array(reach.snapshot.contents[keyPath: path])
    if ids.isEmpty { return }
    isAnyHeld = true
    reach.rows(of: IDs.Entity.self).add(ids)
  }
}

/// Removes the unreached rows from the tables, and their IDs from the held IDs.
private struct Sweep<Contents: StorageContents>: HeldIDsVisitor {
  let reach: Reachability<Contents>
  let contents: UnsafeMutablePointer<Contents>
  var removals: [EntityLabel] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let reached = reach.rows(of: Table.Entity.self).ids
    let table = contents.part(at: path)
    let unreached = table.pointee.map { $0.entityID }.filter { !reached.contains($0) }
    for id in unreached { table.pointee.remove(id) }
    removals += unreached.map(EntityLabel.init)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let reached = reach.rows(of: IDs.Entity.self).ids
    let held = contents.part(at: path)
    for id in Array(held.pointee) where !reached.contains(id) { held.pointee.remove(id) }
  }
}

/// Removes the rows that a change set removes, and nothing else.
private struct RowRemoval<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let changes: StorageChangeSet<Storage>

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = transaction.contents.part(at: path)
    for entity in changes.changes(of: Table.Entity.self).removed {
      guard let removed = table.pointee.remove(entity.entityID) else { continue }
      transaction.rowChanged(from: removed, to: nil)
    }
  }
}
