extension NormalizedStorageType {
  /// Returns an entity with related entities nested in it: those that it references, and on request
  /// those that reference it.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - depth: The number of references to follow on one branch. With 0, an entity is nested as it
  ///     is stored.
  ///   - inverses: The relationships to follow from an entity to those that reference it, each with
  ///     its own depth, which does not count for `depth`.
  /// - Returns: The nesting, or `nil` when no entity has the ID. An entity that repeats on its own
  ///   branch is nested as its ID.
  /// - Complexity: O(*k*) expected in the number of nested entities. The traversal does not
  ///   recurse.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1, following inverses: [InverseNesting<Self>] = []
  ) -> DenormalizedEntity? {
    let levels = NestingLevels(references: depth, inverses: inverses.map(\.depth))
    var denormalizer = Denormalizer(
      snapshot: snapshot, inverses: inverses.map { ($0.name, $0.relationship) })
    denormalizer.resolve(Resolution(id: id, levels: levels, place: nil))
    return denormalizer.result.nodes.isEmpty ? nil : denormalizer.result
  }
}

/// The position of a target in the nesting.
private struct ChildPlace {
  let node: Int
  let member: Int
  let child: Int
}

/// The numbers of steps that remain on a branch.
private struct NestingLevels {
  var references: Int
  /// The steps of each inverse, in the order of the inverses.
  var inverses: [Int]
}

/// A target that is not nested yet, of any entity type.
private protocol PendingResolution {
  func enter<Contents: StorageContents>(_ denormalizer: inout Denormalizer<Contents>)
}

/// Builds a nesting depth first, with an explicit stack.
private struct Denormalizer<Contents: StorageContents> {
  enum Step {
    case enter(any PendingResolution)
    case leave(AnyHashable)
  }

  let snapshot: Snapshot<Contents>
  let inverses: [(name: String, relationship: any ErasedRelationship<Contents>)]
  var result = DenormalizedEntity()
  var steps: [Step] = []
  /// The IDs on the path from the root to the current entity.
  var branch: Set<AnyHashable> = []

  mutating func resolve(_ root: any PendingResolution) {
    steps = [.enter(root)]
    while let step = steps.popLast() {
      switch step {
      case .enter(let resolution): resolution.enter(&self)
      case .leave(let id): branch.remove(id)
      }
    }
  }
}

private struct Resolution<Entity: EntityType>: PendingResolution {
  let id: Entity.EntityID
  let levels: NestingLevels
  let place: ChildPlace?

  func enter<Contents: StorageContents>(_ denormalizer: inout Denormalizer<Contents>) {
    let key = AnyHashable(id)
    guard !denormalizer.branch.contains(key),
      let entity = denormalizer.snapshot.find(id)
    else { return }
    let index = denormalizer.result.nodes.count
    denormalizer.result.nodes.append(DenormalizedEntity.Node(entity: entity))
    if let place {
      denormalizer.result.nodes[place.node].members[place.member].children[place.child] =
        .node(index)
    }
    guard levels.references > 0 || levels.inverses.contains(where: { $0 > 0 }) else { return }
    denormalizer.branch.insert(key)
    denormalizer.steps.append(.leave(key))
    var members = MemberCollector(
      snapshot: denormalizer.snapshot, entity: entity, node: index, levels: levels)
    if levels.references > 0 { Contents.visitParts(&members) }
    for (place, inverse) in denormalizer.inverses.enumerated() where levels.inverses[place] > 0 {
      members.inverse = (place, inverse.name)
      inverse.relationship.visit(&members)
    }
    denormalizer.result.nodes[index].members = members.members
    // Steps are taken from the end.
    denormalizer.steps += members.resolutions.reversed().map { .enter($0) }
  }
}

/// Collects the relationships whose key an entity holds, and their targets; and the entities that
/// reference it through others.
private struct MemberCollector<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  let entity: Entity
  let node: Int
  let levels: NestingLevels
  /// The inverse that is visited.
  var inverse: (place: Int, name: String) = (0, "")
  var members: [DenormalizedEntity.Member] = []
  var resolutions: [any PendingResolution] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard let ids = snapshot.contents[keyPath: path].targetIDs(ofAny: entity) else { return }
    var levels = levels
    levels.references -= 1
    add(
      name, isList: Relationship.isToMany, ids, of: Relationship.Target.self, levels,
      isInverse: false)
  }

  private mutating func add<Nested: EntityType>(
    _ name: String, isList: Bool, _ ids: [Nested.EntityID], of type: Nested.Type,
    _ levels: NestingLevels, isInverse: Bool
  ) {
    for (index, id) in ids.enumerated() {
      resolutions.append(
        Resolution<Nested>(
          id: id, levels: levels,
          place: ChildPlace(node: node, member: members.count, child: index)))
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
    levels.inverses[inverse.place] -= 1
    add(inverse.name, isList: true, ids, of: Relationship.Holder.self, levels, isInverse: true)
  }
}
