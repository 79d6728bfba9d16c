import EntiaCollections
import EntiaDatabase
import EntiaJSON

/// Decodes a change set from its entries in the log. Entries of parts that the storage does not have
/// are ignored.
struct ChangeDecoding<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  /// An entry without its kind and part.
  private struct Entry {
    let kind: String
    let values: [JSONValue]
  }

  private let parts: SpaceParts<Storage>
  private let version: Int64
  private var entries: [String: [Entry]] = [:]
  private(set) var changes = StorageChangeSet<Storage>()
  private var failure: (any Error)?

  /// Decodes the entries of a batch.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  init(_ entries: [JSONValue], of version: Int64, _ parts: SpaceParts<Storage>) throws {
    self.parts = parts
    self.version = version
    for entry in entries {
      guard case .array(let values) = entry, values.count >= 2, case .string(let kind) = values[0],
        case .string(let part) = values[1]
      else { throw malformed("", "an entry is no array of a kind and a part") }
      self.entries[part, default: []].append(Entry(kind: kind, values: Array(values.dropFirst(2))))
    }
    Contents.visitParts(&self)
    if let failure { throw failure }
  }

  private mutating func attempt(_ body: (inout Self) throws -> Void) {
    guard failure == nil else { return }
    do {
      try body(&self)
    } catch {
      failure = error
    }
  }

  private func malformed(_ part: String, _ reason: String) -> SharedDatabaseError {
    .cannotDecode(
      space: parts.space, entity: part.isEmpty ? "entia_log" : part, row: "version \(version)",
      column: "changes", reason: reason)
  }

  private func decode<Element>(
    _ part: String, _ coding: RowCoding<Element>, _ value: JSONValue
  ) throws -> Element {
    do {
      return try coding.decode(value)
    } catch {
      throw SharedDatabaseError.decoding(
        space: parts.space, entity: part, row: "version \(version)", error)
    }
  }

  private func array(_ part: String, _ value: JSONValue) throws -> [JSONValue] {
    guard case .array(let elements) = value else {
      throw malformed(part, "expected an array, found \(JSONForm.kind(of: value))")
    }
    return elements
  }

  private func decodeAll<Element>(
    _ part: String, _ coding: RowCoding<Element>, _ value: JSONValue
  ) throws -> [Element] {
    try array(part, value).map { try decode(part, coding, $0) }
  }

  private func idCoding<Entity: EntityType>(
    _ part: String, of entity: Entity.Type
  ) throws -> RowCoding<Entity.EntityID> {
    do {
      return try RowCoding.ids(of: entity)
    } catch {
      throw SharedDatabaseError.notCodable(space: parts.space, entity: part, type: error.type)
    }
  }

  // Tables.

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let entries = entries[name] else { return }
    attempt { decoding in
      guard let rows = decoding.parts.coding(of: name, Table.Entity.self) else { return }
      var result = TableChanges<Table.Entity>()
      for entry in entries { try decoding.decode(entry, name, rows, into: &result) }
      decoding.changes.setChanges(result)
    }
  }

  private func decode<Entity: EntityType>(
    _ entry: Entry, _ part: String, _ rows: RowCoding<Entity>,
    into changes: inout TableChanges<Entity>
  ) throws {
    let values = entry.values
    switch (entry.kind, values.count) {
    case ("insert", 1...): changes.inserted.append(try decode(part, rows, values[0]))
    case ("remove", 1...): changes.removed.append(try decode(part, rows, values[0]))
    case ("update", 3...):
      guard case .object(let previous) = values[1] else {
        throw malformed(part, "the old members are no object")
      }
      let added = try array(part, values[2]).map { name in
        guard case .string(let name) = name else {
          throw malformed(part, "the name of a member is no string")
        }
        return name
      }
      let old = RowDelta.old(of: values[0], previous: previous, added: added)
      try append(old: old, new: values[0], part, rows, to: &changes)
    case ("replace", 2...):
      try append(old: values[1], new: values[0], part, rows, to: &changes)
    case ("order", 2...):
      let ids = try idCoding(part, of: Entity.self)
      let taken = try array(part, values[0]).map { try run($0, part, ids) as Run<Entity> }
      let placed = try array(part, values[1]).map { try run($0, part, ids) as Run<Entity> }
      guard let order = TableOrderChanges(taken: taken, placed: placed) else {
        throw malformed(part, "the positions of the order do not ascend")
      }
      changes.order = order
    default: throw malformed(part, "'\(entry.kind)' with \(values.count) values is unknown")
    }
  }

  private func append<Entity: EntityType>(
    old: JSONValue, new: JSONValue, _ part: String, _ rows: RowCoding<Entity>,
    to changes: inout TableChanges<Entity>
  ) throws {
    let update = EntityUpdate(
      old: try decode(part, rows, old), new: try decode(part, rows, new))
    guard update.old.entityID == update.new.entityID else {
      throw malformed(part, "an update changes the ID of a row")
    }
    changes.updated.append(update)
  }

  private typealias Run<Entity: EntityType> = TableOrderChanges<Entity>.NeighboredRun

  private func run<Entity: EntityType>(
    _ value: JSONValue, _ part: String, _ ids: RowCoding<Entity.EntityID>
  ) throws -> Run<Entity> {
    let values = try array(part, value)
    guard values.count == 4, let first: Int = JSONForm.integer(values[0]), first >= 0,
      first < 1 << 48
    else { throw malformed(part, "a run of the order is no position with IDs") }
    let places = try decodeAll(part, ids, values[1]).enumerated().map { index, id in
      TableOrderChanges<Entity>.Place(entityID: id, position: first + index)
    }
    return Run(
      places: places, previous: try decodeAll(part, ids, values[2]).first,
      next: try decodeAll(part, ids, values[3]).first)
  }

  // Held IDs.

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let entries = entries[name] else { return }
    attempt { decoding in
      guard let ids = decoding.parts.coding(of: name, IDs.Entity.EntityID.self) else { return }
      for entry in entries {
        guard entry.kind == "held", entry.values.count >= 2 else {
          throw decoding.malformed(name, "'\(entry.kind)' is unknown")
        }
        var versions = (IDs(), IDs())
        for id in try decoding.decodeAll(name, ids, entry.values[0]) { versions.0.insert(id) }
        for id in try decoding.decodeAll(name, ids, entry.values[1]) { versions.1.insert(id) }
        decoding.changes.setChanges(
          HeldIDsChanges(from: versions.0, to: versions.1), ofHeldIDs: name)
      }
    }
  }

  // References.

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard let entries = entries[name] else { return }
    attempt { decoding in
      let holders = try decoding.idCoding(name, of: Relationship.Holder.self)
      let targets = try decoding.idCoding(name, of: Relationship.Target.self)
      func references(
        _ value: JSONValue
      ) throws -> [StorageChangeSet<Storage>.MissingReference<Relationship>] {
        try decoding.array(name, value).map { pair in
          let pair = try decoding.array(name, pair)
          guard pair.count == 2 else {
            throw decoding.malformed(name, "a reference is no pair of IDs")
          }
          return (
            try decoding.decode(name, holders, pair[0]), try decoding.decode(name, targets, pair[1])
          )
        }
      }
      for entry in entries {
        guard entry.kind == "missing", entry.values.count >= 2 else {
          throw decoding.malformed(name, "'\(entry.kind)' is unknown")
        }
        decoding.changes.setMissingReferences(
          of: name, Relationship.self, old: try references(entry.values[0]),
          new: try references(entry.values[1]))
      }
    }
  }
}
