import EntiaDatabase

/// A writer of IDs of one type: as bare IDs, or as the entities that they identify.
class IDWriter<ID> {
  func write(_ id: ID, _ run: EncodingRun) throws -> EncodedNode { EncodedNode() }

  /// Writes the entity, regardless of the number of references that the branch has followed.
  func writeNested(_ id: ID, _ run: EncodingRun) throws -> EncodedNode { EncodedNode() }
}

/// A writer of the IDs of one entity.
final class TypedIDWriter<Storage: NormalizedStorageType, Entity: EntityType & Encodable>:
  IDWriter<Entity.EntityID>
{
  private let access: TableAccess<Storage, Entity>
  private let storage: Storage
  /// The IDs of the open entities of this type.
  private var branch: Set<Entity.EntityID> = []

  init(_ access: TableAccess<Storage, Entity>, _ storage: Storage) {
    self.access = access
    self.storage = storage
  }

  override func write(_ id: Entity.EntityID, _ run: EncodingRun) throws -> EncodedNode {
    guard run.references < run.depth else { return try bare(id, run) }
    run.references += 1
    defer { run.references -= 1 }
    return try writeNested(id, run)
  }

  override func writeNested(_ id: Entity.EntityID, _ run: EncodingRun) throws -> EncodedNode {
    guard run.level <= TypedExportOptions.maximumDepth, !branch.contains(id),
      let entity = access.find(storage, id)
    else { return try bare(id, run) }
    return try write(entity, run).asText()
  }

  func write(_ entity: Entity, _ run: EncodingRun) throws -> EncodedNode {
    let id = entity.entityID
    branch.insert(id)
    run.beginEntity()
    defer {
      branch.remove(id)
      run.endEntity()
    }
    let node = try run.encode(entity, at: [])
    if run.inverses.isEmpty { return node }
    for writer in run.inverses[ObjectIdentifier(Entity.self)] ?? [] {
      // A writer is stored under its target type.
      try unsafeDowncast(writer, to: InverseWriter<Entity>.self).add(entity, to: node, run)
    }
    return node
  }

  private func bare(_ id: Entity.EntityID, _ run: EncodingRun) throws -> EncodedNode {
    guard let raw = id.raw as? any Encodable else {
      throw EncodingError.invalidValue(
        id.raw,
        EncodingError.Context(
          codingPath: [], debugDescription: "the ID of \(Entity.entityName) is not Encodable"))
    }
    return try run.encode(raw, at: [])
  }
}
