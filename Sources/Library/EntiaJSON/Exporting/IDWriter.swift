import EntiaCoding
import EntiaDatabase

/// A writer of IDs of one type: as bare IDs, or as the entities that they identify.
class IDWriter<ID> {
  func write(_ id: ID, to json: inout JSONWriter, _ run: EncodingRun) throws {}

  /// Writes the entity, regardless of the number of references that the branch has followed.
  func writeNested(_ id: ID, to json: inout JSONWriter, _ run: EncodingRun) throws {}
}

/// A writer of the IDs of one entity.
final class TypedIDWriter<Storage: NormalizedStorageType, Entity: EntityType & Encodable>:
  IDWriter<Entity.EntityID>
{
  private let access: TableAccess<Storage, Entity>
  private let storage: Storage
  private let writer = EntityWriter<Entity>.make()
  /// The IDs of the open entities of this type.
  private var branch: Set<Entity.EntityID> = []

  init(_ access: TableAccess<Storage, Entity>, _ storage: Storage) {
    self.access = access
    self.storage = storage
  }

  override func write(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun
  ) throws {
    guard run.references < run.depth else { return try bare(id, to: &json, run) }
    run.references += 1
    defer { run.references -= 1 }
    try writeNested(id, to: &json, run)
  }

  override func writeNested(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun
  ) throws {
    guard run.level <= TypedExportOptions.maximumDepth, !branch.contains(id),
      let entity = access.find(storage, id)
    else { return try bare(id, to: &json, run) }
    // A text takes a fraction of the memory of the parts that are written into it.
    let text = try JSONWriter.text { try write(entity, to: &$0, run) }
    json.text(text)
  }

  func write(_ entity: Entity, to json: inout JSONWriter, _ run: EncodingRun) throws {
    guard run.nests else { return try writer.write(entity, to: &json, run) }
    let id = entity.entityID
    branch.insert(id)
    run.beginEntity()
    defer {
      branch.remove(id)
      run.endEntity()
    }
    try writer.write(entity, to: &json, run)
  }

  private func bare(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun
  ) throws {
    // Comparing types takes less time than a cast.
    if Entity.EntityIDRawType.self == String.self {
      return try run.write(unsafeBitCast(id.raw, to: String.self), to: &json)
    }
    guard let raw = id.raw as? any Encodable else {
      throw EncodingError.invalidValue(
        id.raw,
        EncodingError.Context(
          codingPath: [], debugDescription: "the ID of \(Entity.entityName) is not Encodable"))
    }
    try run.write(raw, to: &json, at: [])
  }
}
