extension NormalizedStorageType {
  /// Returns an entity with what its relationships lead to nested in it.
  ///
  /// - Parameters:
  ///   - id: the entity's ID.
  ///   - depth: how many levels relationships are followed; 0 gives the entity as it is stored.
  /// - Returns: the nesting, or `nil` when there is no such entity.
  /// - Complexity: O(*k*) expected in the number of entities nested; no stack is used up by depth.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1
  ) -> DenormalizedEntity? {
    var denormalizer = Denormalizer(snapshot: snapshot)
    denormalizer.resolve(Resolution(id: id, levels: depth, place: nil))
    return denormalizer.result.nodes.isEmpty ? nil : denormalizer.result
  }
}

/// Where in the nesting a target goes.
private struct ChildPlace {
  let node: Int
  let member: Int
  let child: Int
}

/// A target that is to be nested, of an entity of any type.
private protocol PendingResolution {
  func enter<Contents: StorageContents>(_ denormalizer: inout Denormalizer<Contents>)
}

/// Builds a nesting depth first with a stack of its own.
private struct Denormalizer<Contents: StorageContents> {
  enum Step {
    case enter(any PendingResolution)
    case leave(AnyHashable)
  }

  let snapshot: Snapshot<Contents>
  var result = DenormalizedEntity()
  var steps: [Step] = []
  /// The IDs on the way from the root to where the walk is.
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
    // The last step is taken first.
    denormalizer.steps += members.resolutions.reversed().map { .enter($0) }
  }
}

/// Lists the relationships that an entity has the key of, and what they name.
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
