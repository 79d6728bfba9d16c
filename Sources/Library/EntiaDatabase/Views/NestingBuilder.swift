/// Builds a `DenormalizedEntity` depth first, with an explicit stack.
struct NestingBuilder<Contents: StorageContents> {
  let snapshot: Snapshot<Contents>
  let inverses: [(name: String, relationship: any ErasedRelationship<Contents>)]
  let maximumCount: Int
  var result = DenormalizedEntity()
  /// The steps to perform, the next one last.
  var steps: [(inout Self) -> Void] = []
  /// The IDs on the path from the root to the current entity.
  var branch: Set<AnyHashable> = []

  mutating func resolve<Entity: EntityType>(
    _ root: EntityIdentifier<Entity>, _ levels: NestingLevels
  ) {
    enter(root, levels, at: nil)
    while !result.isTooLarge, let step = steps.popLast() { step(&self) }
  }

  /// Nests an entity at a position, and adds the steps for the entities that it references.
  fileprivate mutating func enter<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, _ levels: NestingLevels, at position: ChildPosition?
  ) {
    let key = AnyHashable(id)
    guard !branch.contains(key), let entity = snapshot.find(id) else { return }
    let index = result.nodes.count
    guard index < maximumCount else {
      result.isTooLarge = true
      return
    }
    result.nodes.append(DenormalizedEntity.Node(entity: entity))
    if let position {
      result.nodes[position.node].members[position.member].children[position.child] = .node(index)
    }
    guard levels.references > 0 || levels.inverses.contains(where: { $0 > 0 }) else { return }
    branch.insert(key)
    steps.append { $0.branch.remove(key) }
    var members = MemberCollector(snapshot: snapshot, entity: entity, node: index, levels: levels)
    if levels.references > 0 { Contents.visitParts(&members) }
    for (position, inverse) in inverses.enumerated() where levels.inverses[position] > 0 {
      members.inverse = (position, inverse.name)
      inverse.relationship.visit(&members)
    }
    result.nodes[index].members = members.members
    // The steps are appended in reverse, because the last element of `steps` is performed first.
    steps += members.steps.reversed()
  }
}

/// The position of a target in the nesting.
struct ChildPosition {
  let node: Int
  let member: Int
  let child: Int
}

/// The numbers of steps that remain on a branch.
struct NestingLevels {
  var references: Int
  /// The number of steps that remain for each inverse, in the order of the inverses.
  var inverses: [Int]
}

/// Collects the targets of an entity's keys, and its holders in the requested inverses.
private struct MemberCollector<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  let entity: Entity
  let node: Int
  let levels: NestingLevels
  /// The inverse that is being visited.
  var inverse: (position: Int, name: String) = (0, "")
  var members: [DenormalizedEntity.Member] = []
  /// The steps that nest the targets and the holders.
  var steps: [(inout NestingBuilder<Contents>) -> Void] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard let ids = snapshot.contents[keyPath: path].targetIDs(ofAny: entity) else { return }
    var levels = levels
    levels.references -= 1
    add(name, isList: Relationship.isToMany, ids, levels, isInverse: false)
  }

  private mutating func add<Nested: EntityType>(
    _ name: String, isList: Bool, _ ids: [EntityIdentifier<Nested>], _ levels: NestingLevels,
    isInverse: Bool
  ) {
    for (index, id) in ids.enumerated() {
      let position = ChildPosition(node: node, member: members.count, child: index)
      steps.append { $0.enter(id, levels, at: position) }
    }
    members.append(
      DenormalizedEntity.Member(
        name: name, isList: isList, isInverse: isInverse, children: ids.map { .id($0) }))
  }
}

extension MemberCollector: RelationshipPathVisitor {
  mutating func visit<Relationship: RelationshipType>(
    _ path: any KeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = snapshot.contents[keyPath: path]
    guard let id = relationship.targetID(ofAny: entity) else { return }
    let ids = relationship.holderIDs(of: id)
    var levels = levels
    levels.inverses[inverse.position] -= 1
    add(inverse.name, isList: true, ids, levels, isInverse: true)
  }
}

/// A relationship that a nesting follows from an entity to its holders.
///
/// ```swift
/// library.denormalized(
///   Post.EntityID("p1"),
///   following: [
///     .inverse(\.commentPost, as: "comments"), .inverse(\.replyTo, as: "replies", depth: 3),
///   ])
/// ```
public struct InverseNesting<Storage: NormalizedStorageType>: Sendable {
  /// The name of the member that holds the nested entities.
  package let name: String
  /// The maximum number of times that one branch follows the relationship.
  package let depth: Int

  let relationship: any ErasedRelationship<Storage.Contents>

  /// Returns the nesting of the entities whose key references an entity.
  ///
  /// - Parameters:
  ///   - path: The relationship whose holders are nested in its targets.
  ///   - name: The name of the member that holds the nested entities. It replaces a member of the
  ///     entity that has the same name. If two inverses of one entity have the same name, encoding
  ///     throws.
  ///   - depth: The maximum number of times that one branch follows the relationship: with 1, the
  ///     comments of a post are nested; with 3, replies are nested down to the third level.
  /// - Returns: The nesting.
  public static func inverse<Relationship: RelationshipType>(
    _ path: any KeyPath<Storage.Contents, Relationship> & Sendable, as name: String, depth: Int = 1
  ) -> Self {
    Self(
      name: name, depth: depth,
      relationship: RelationshipPath<Storage.Contents, Relationship>(path: path))
  }

  /// Calls a visitor with the relationship.
  package func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Storage.Contents { relationship.visit(&visitor) }
}

/// Receives a relationship with its types.
package protocol RelationshipPathVisitor<Contents> {
  associatedtype Contents: StorageContents

  mutating func visit<Relationship: RelationshipType>(
    _ path: any KeyPath<Contents, Relationship> & Sendable)
}

/// A relationship without its types.
protocol ErasedRelationship<Contents>: Sendable {
  associatedtype Contents: StorageContents

  func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Contents
}

private struct RelationshipPath<
  Contents: StorageContents, Relationship: RelationshipType
>: ErasedRelationship {
  let path: any KeyPath<Contents, Relationship> & Sendable

  func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Contents { visitor.visit(path) }
}

extension NormalizedStorageType {
  /// Returns an entity with related entities nested in it: the entities that it references, and on
  /// request the entities that reference it.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - depth: The number of references to follow on one branch. With 0, no reference is followed,
  ///     and keys are encoded as they are stored.
  ///   - inverses: The relationships to follow from an entity to its holders. Each has a depth of
  ///     its own, independent of `depth`.
  ///   - maximumCount: The greatest number of entities to nest. Without a limit, the number of
  ///     nested entities grows exponentially with the depth, because an entity is nested on each
  ///     branch that leads to it.
  /// - Returns: The nesting, or `nil` if no entity has the ID. An entity that is already on the
  ///   path from the root is nested as its ID. If there are more than `maximumCount` entities, the
  ///   nesting is incomplete: its `isTooLarge` is `true`, and encoding it throws.
  /// - Complexity: O(*k*) expected in the number of nested entities, at most `maximumCount`. The
  ///   traversal does not recurse.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1, following inverses: [InverseNesting<Self>] = [],
    maximumCount: Int = DenormalizedEntity.defaultMaximumCount
  ) -> DenormalizedEntity? {
    let levels = NestingLevels(references: depth, inverses: inverses.map(\.depth))
    var builder = NestingBuilder(
      snapshot: snapshot, inverses: inverses.map { ($0.name, $0.relationship) },
      maximumCount: max(maximumCount, 1))
    builder.resolve(id, levels)
    return builder.result.nodes.isEmpty ? nil : builder.result
  }
}
