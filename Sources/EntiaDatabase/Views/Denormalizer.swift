extension NormalizedStorageType {
  /// Returns an entity with the entities that it references nested in it.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - depth: The number of levels of relationships to follow. With 0, the entity is returned
  ///     as it is stored.
  /// - Returns: The nesting, or `nil` when no entity has the ID.
  /// - Complexity: O(*k*) expected in the number of nested entities. The traversal does not
  ///   recurse.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1
  ) -> DenormalizedEntity? {
    var denormalizer = Denormalizer(snapshot: snapshot)
    denormalizer.resolve(Resolution(id: id, levels: depth, place: nil))
    return denormalizer.result.nodes.isEmpty ? nil : denormalizer.result
  }
}

/// The position of a target in the nesting.
private struct ChildPlace {
  let node: Int
  let member: Int
  let child: Int
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
  let levels: Int
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
    guard levels > 0 else { return }
    denormalizer.branch.insert(key)
    denormalizer.steps.append(.leave(key))
    var members = MemberCollector(
      snapshot: denormalizer.snapshot, entity: entity, node: index, levels: levels - 1)
    Contents.visitParts(&members)
    denormalizer.result.nodes[index].members = members.members
    // Steps are taken from the end.
    denormalizer.steps += members.resolutions.reversed().map { .enter($0) }
  }
}

/// Collects the relationships whose key an entity holds, and their targets.
private struct MemberCollector<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let snapshot: Snapshot<Contents>
  let entity: Entity
  let node: Int
  let levels: Int
  var members: [DenormalizedEntity.Member] = []
  var resolutions: [any PendingResolution] = []

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    guard Relationship.Holder.self == Entity.self else { return }
    let ids = snapshot.contents[keyPath: path].targetIDs(
      of: recast(entity, as: Relationship.Holder.self))
    for (index, id) in ids.enumerated() {
      resolutions.append(
        Resolution<Relationship.Target>(
          id: id, levels: levels,
          place: ChildPlace(node: node, member: members.count, child: index)))
    }
    members.append(
      DenormalizedEntity.Member(
        name: name, isList: Relationship.isToMany, children: ids.map { .id($0) }))
  }
}
