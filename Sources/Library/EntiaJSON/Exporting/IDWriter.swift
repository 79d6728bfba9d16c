import EntiaCoding
import EntiaDatabase
import Foundation

/// A writer of IDs of one type: as bare IDs, or as the entities that they identify.
class IDWriter<ID> {
  func write(_ id: ID, to json: inout JSONWriter, _ run: EncodingRun) throws {}

  /// Writes the entity with the ID even at the maximum depth `run.depth`, at which `write` writes
  /// the bare ID.
  func writeNested(_ id: ID, to json: inout JSONWriter, _ run: EncodingRun) throws {}
}

/// Access to a table of a storage by its entity type, independent of the table's type.
final class TableAccess<Storage: NormalizedStorageType, Entity: EntityType> {
  let name: String
  let find: (Storage, Entity.EntityID) -> Entity?
  let rows: (Storage) -> [Entity]

  init<Table: TableType<Entity>>(
    _ name: String, _ path: PartPath<Storage.Contents, Table>
  ) {
    self.name = name
    find = { $0.snapshot.contents[keyPath: path].find(by: $1) }
    rows = { Array($0.snapshot.contents[keyPath: path]) }
  }
}

/// A writer of the IDs of one entity.
final class TypedIDWriter<Storage: NormalizedStorageType, Entity: EntityType & Encodable>:
  IDWriter<Entity.EntityID>
{
  private let access: TableAccess<Storage, Entity>
  private let storage: Storage
  private let writer = EntityWriter<Entity>.make()
  /// The IDs of the entities that are being written. An ID in this set is written as a bare ID,
  /// because its entity would otherwise be nested in itself.
  private var branch: Set<Entity.EntityID> = []
  private lazy var guarded = GuardedRows(writer)

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
    try writeNested(id, to: &json, run, inPlaceOfID: true)
  }

  override func writeNested(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun
  ) throws {
    try writeNested(id, to: &json, run, inPlaceOfID: false)
  }

  private func writeNested(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun, inPlaceOfID: Bool
  ) throws {
    guard run.level <= TypedExportOptions.maximumDepth, !branch.contains(id),
      let entity = access.find(storage, id)
    else { return try bare(id, to: &json, run) }
    // The nested entity becomes a text at once, which takes a fraction of the memory of its parts.
    let nilName = inPlaceOfID ? try guarded.nilName(of: entity, run.options) : nil
    let text = try JSONWriter.text { try write(entity, to: &$0, run, nilName: nilName) }
    json.text(text)
  }

  func write(
    _ entity: Entity, to json: inout JSONWriter, _ run: EncodingRun, nilName: String? = nil
  ) throws {
    guard run.nests else { return try writer.write(entity, to: &json, run) }
    let id = entity.entityID
    branch.insert(id)
    run.beginEntity()
    defer {
      branch.remove(id)
      run.endEntity()
    }
    try writer.write(entity, to: &json, run, nilName: nilName)
  }

  private func bare(
    _ id: Entity.EntityID, to json: inout JSONWriter, _ run: EncodingRun
  ) throws {
    // Comparing types takes less time than a cast.
    if Entity.EntityIDRawType.self == String.self {
      return try run.write(unsafeBitCast(id.raw, to: String.self), to: &json)
    }
    guard let raw = id.raw as? any Encodable else {
      throw EncodingError.invalid(id.raw, "the ID of \(Entity.entityName) is not Encodable")
    }
    try run.write(raw, to: &json, at: [])
  }
}

/// Finds rows that an import would mistake for IDs. In the place of an ID, an import reads an
/// object as an ID if the object has only the members of an ID.
private final class GuardedRows<Entity: EntityType & Encodable> {
  private let writer: EntityWriter<Entity>
  /// Encodes values to find the names of their members.
  private var probe: EncodingRun?

  init(_ writer: EntityWriter<Entity>) { self.writer = writer }

  /// Returns the name of a member that is `nil`, and that the ID does not have. The member must be
  /// written as null, because an import would otherwise mistake the row for an ID. Returns `nil` if
  /// an import recognizes the row without such a null, or if no member is suitable.
  func nilName(of entity: Entity, _ options: TypedExportOptions) throws -> String? {
    // Comparing types takes less time than casts.
    let type: Any.Type = Entity.EntityIDRawType.self
    if type == String.self || type == Int.self || type == UUID.self { return nil }
    guard let raw = entity.entityID.raw as? any Encodable else { return nil }
    let probe = probe ?? EncodingRun(options, depth: 0)
    self.probe = probe
    let id = try names(probe) { try probe.encode(raw, at: []) }
    if id.present.isEmpty { return nil }
    let row = try names(probe) { try writer.node(of: entity, probe) }
    guard row.present.isSubset(of: id.present) else { return nil }
    return row.missing.first { !id.present.contains($0) && !id.missing.contains($0) }
  }

  /// Returns the names of an encoded value's members: `present` for the encoded members, and
  /// `missing` for the members that are `nil`.
  private func names(
    _ probe: EncodingRun, _ encode: () throws -> EncodedNode
  ) rethrows -> (present: Set<String>, missing: [String]) {
    probe.missingNames = []
    guard case .object(let members) = try encode().content else { return ([], []) }
    return (Set(members.map(\.name)), probe.missingNames ?? [])
  }
}
