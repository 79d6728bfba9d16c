package import EntiaCoding
import EntiaCollections
package import EntiaDatabase

/// Encodes a change set as entries for the log, and as operations on the rows in the server.
///
/// An entry is an array: its kind, the name of its part, and the values of the kind:
///
/// - `insert`, `remove`: the row.
/// - `update`: the new row, the members of the old row that differ, and the names of the members
///   that only the new row has.
/// - `replace`: the new and the old row, if one of them is not an object.
/// - `order`: the runs of taken rows (removed or moved), and the runs of placed rows (inserted or
///   moved). A run is the position of its first row, the IDs of its rows, and two arrays. The first
///   has the ID before the run, and the second has the ID after it. An array is empty if there is
///   no such ID.
/// - `held`: the old and the new IDs.
/// - `missing`: the dangling references of a relationship in the old and in the new version.
///
/// A log in a file has only the entries, because the file stores its rows in another form.
package struct ChangeEncoding<Storage: NormalizedStorageType>: HeldIDsVisitor {
  package typealias Contents = Storage.Contents

  private let parts: SpaceParts<Storage>
  private let changes: StorageChangeSet<Storage>
  /// Whether the changes are encoded as `operations` in addition to `entries`.
  private let hasOperations: Bool
  private let version: Int64
  package private(set) var entries: [JSONValue] = []
  package private(set) var operations = RowOperations()
  private var failure: (any Error)?

  /// Encodes changes for a server.
  /// - Throws: `SharedDatabaseError.cannotEncode`.
  package init(
    _ changes: StorageChangeSet<Storage>, to version: Int64, _ parts: SpaceParts<Storage>
  ) throws {
    try self.init(changes, to: version, parts, hasOperations: true)
  }

  /// Encodes changes for the log of a file, without operations.
  /// - Parameters:
  ///   - changes: The changes.
  ///   - parts: The parts of the storage.
  /// - Returns: The entries as JSON.
  /// - Throws: `SharedDatabaseError.cannotEncode`.
  package static func entries(
    of changes: StorageChangeSet<Storage>, _ parts: SpaceParts<Storage>
  ) throws -> String {
    let encoding = try Self(changes, to: 0, parts, hasOperations: false)
    return String(decoding: JSONValue.array(encoding.entries).bytes(), as: UTF8.self)
  }

  private init(
    _ changes: StorageChangeSet<Storage>, to version: Int64, _ parts: SpaceParts<Storage>,
    hasOperations: Bool
  ) throws {
    self.parts = parts
    self.changes = changes
    self.version = version
    self.hasOperations = hasOperations
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

  private mutating func add(_ kind: String, _ part: String, _ values: JSONValue...) {
    entries.append(.array([.string(kind), .string(part)] + values))
  }

  private func located<Element, Result>(
    _ part: String, _ coding: PartCoding<Element>, _ element: Element,
    _ body: (Element) throws -> Result
  ) throws -> Result {
    do {
      return try body(element)
    } catch {
      throw SharedDatabaseError.encoding(
        space: parts.space, entity: part, row: coding.label(element), error)
    }
  }

  private func key<Element>(
    _ part: String, _ coding: PartCoding<Element>, _ element: Element
  ) throws -> String { try located(part, coding, element, coding.key) }

  private func json<Element>(
    _ part: String, _ coding: PartCoding<Element>, _ element: Element
  ) throws -> JSONValue { try located(part, coding, element, coding.encode) }

  /// Returns the JSON of an element, and verifies that it decodes to an equal element.
  private func verifiedJSON<Element>(
    _ part: String, _ coding: PartCoding<Element>, _ element: Element
  ) throws -> JSONValue {
    try located(part, coding, element) { element in
      let value = try coding.encode(element)
      try coding.verify(element, value)
      return value
    }
  }

  private func newKey<Element>(
    _ part: String, _ coding: PartCoding<Element>, _ element: Element
  ) throws -> String {
    let key = try key(part, coding, element)
    guard key.utf8.count <= ServerKey.maximumLength else {
      let label = coding.label(element)
      throw SharedDatabaseError.cannotEncode(
        space: parts.space, entity: part, row: label.count > 64 ? "\(label.prefix(64))…" : label,
        column: "id",
        reason: """
          the ID has \(key.utf8.count) bytes as JSON, and an index of the server can hold \
          \(ServerKey.maximumLength): use a shorter ID
          """)
    }
    return key
  }

  // Tables.

  package mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    if changes.isEmpty { return }
    attempt { try $0.encode(changes, name, isOrdered: Table.isOrdered) }
  }

  private mutating func encode<Entity: EntityType>(
    _ changes: TableChanges<Entity>, _ part: String, isOrdered: Bool
  ) throws {
    guard let rows = parts.coding(of: part, Entity.self) else { return }
    for row in changes.removed {
      add("remove", part, try json(part, rows, row))
      if hasOperations { operations.delete(part, try key(part, rows, row)) }
    }
    for update in changes.updated {
      let delta = RowDelta(
        from: try json(part, rows, update.old), to: try verifiedJSON(part, rows, update.new))
      if let previous = delta.previous {
        add(
          "update", part, delta.body, .object(previous),
          .array(delta.added.map(JSONValue.string)))
      } else {
        add("replace", part, delta.body, delta.old)
      }
      if hasOperations { operations.update(part, try key(part, rows, update.new), delta) }
    }
    var bodies: [Entity.EntityID: JSONValue] = [:]
    for (index, row) in changes.inserted.enumerated() {
      let body = try verifiedJSON(part, rows, row)
      add("insert", part, body)
      if isOrdered {
        bodies[row.entityID] = body
      } else if hasOperations {
        operations.insert(
          part, try newKey(part, rows, row), body,
          at: .init(
            index: index, count: changes.inserted.count, start: unorderedPosition(index)))
      }
    }
    if isOrdered { try encode(changes.order, part, rows, bodies) }
  }

  /// Returns the position of an inserted row of a table without an order. It is after all other
  /// rows.
  private func unorderedPosition(_ index: Int) -> String {
    let digits = String(index)
    let zeros = String(repeating: "0", count: max(0, 9 - digits.count))
    // Nine digits suffice for the index of any row of a batch.
    return "\(version).\(zeros)\(digits)"
  }

  private mutating func encode<Entity: EntityType>(
    _ order: TableOrderChanges<Entity>, _ part: String, _ rows: PartCoding<Entity>,
    _ bodies: [Entity.EntityID: JSONValue]
  ) throws {
    let ids = try PartCoding.ids(of: Entity.self, in: part, space: parts.space)
    guard let runs = order.neighboredRuns else {
      throw SharedDatabaseError.cannotEncode(
        space: parts.space, entity: part, row: "order", column: nil,
        reason: """
          its changes have positions without neighbors: push the difference of two versions of the \
          whole database
          """)
    }
    if order.isEmpty, bodies.isEmpty { return }
    add(
      "order", part, .array(try runs.taken.map { try json($0, part, ids) }),
      .array(try runs.placed.map { try json($0, part, ids) }))
    if !hasOperations { return }
    var placed = 0
    for run in runs.placed {
      let elements = run.places.map { (id: $0.entityID, body: bodies[$0.entityID]) }
      placed += elements.count { $0.body != nil }
      try place(elements, between: run.previous, and: run.next, part, ids)
    }
    guard placed == bodies.count else {
      throw SharedDatabaseError.cannotEncode(
        space: parts.space, entity: part, row: "order", column: nil,
        reason: "an inserted row has no place in the order of the table")
    }
  }

  /// Places the elements of a run, which are inserted if they have a body, and moved otherwise.
  private mutating func place<ID>(
    _ elements: [(id: ID, body: JSONValue?)], between previous: ID?, and next: ID?, _ part: String,
    _ ids: PartCoding<ID>
  ) throws {
    let previous = try previous.map { try key(part, ids, $0) }
    let next = try next.map { try key(part, ids, $0) }
    for (index, element) in elements.enumerated() {
      let place = RowOperations.Place(
        previous: previous, next: next, index: index, count: elements.count, start: "\(index)")
      if let body = element.body {
        operations.insert(part, try newKey(part, ids, element.id), body, at: place)
      } else {
        operations.move(part, try key(part, ids, element.id), to: place)
      }
    }
  }

  private func json<Entity: EntityType>(
    _ run: TableOrderChanges<Entity>.NeighboredRun, _ part: String,
    _ ids: PartCoding<Entity.EntityID>
  ) throws -> JSONValue {
    .array([
      .number(JSONNumber(run.places.first?.position ?? 0)),
      .array(try run.places.map { try json(part, ids, $0.entityID) }),
      .array(try run.previous.map { [try json(part, ids, $0)] } ?? []),
      .array(try run.next.map { [try json(part, ids, $0)] } ?? []),
    ])
  }

  // Held IDs.

  package mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let changes = changes.heldIDsChanges(of: name, IDs.self) else { return }
    attempt { try $0.encode(changes, name) }
  }

  private mutating func encode<IDs: HeldIDs>(
    _ changes: HeldIDsChanges<IDs>, _ part: String
  ) throws {
    typealias ID = IDs.Entity.EntityID
    guard let ids = parts.coding(of: part, ID.self) else { return }
    func json(_ held: IDs) throws -> JSONValue {
      .array(try held.map { try self.json(part, ids, $0) })
    }
    add("held", part, try json(changes.old), try json(changes.new))
    if !hasOperations { return }
    let places: PlacementDifference<ID>
    if let new = changes.new as? Indexes.OrderedID<IDs.Entity> {
      places = new.table.placements(from: recast(changes.old, as: type(of: new)).table)
    } else {
      // `Indexes.Set` is the only other type of held IDs.
      let new = recast(changes.new, as: Indexes.Set<IDs.Entity>.self)
      places = new.table.placements(from: recast(changes.old, as: type(of: new)).table)
    }
    for id in places.removed { operations.delete(part, try key(part, ids, id)) }
    for run in places.runs {
      let elements = try run.elements.map { placed in
        let body = placed.isMoved ? nil : try self.json(part, ids, placed.element)
        return (id: placed.element, body: body)
      }
      try place(elements, between: run.previous, and: run.next, part, ids)
    }
  }

  // References.

  package mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard let references = changes.missingReferences(of: name, Relationship.self) else { return }
    attempt { encoding in
      let space = encoding.parts.space
      let holders = try PartCoding.ids(of: Relationship.Holder.self, in: name, space: space)
      let targets = try PartCoding.ids(of: Relationship.Target.self, in: name, space: space)
      func json(
        _ references: [StorageChangeSet<Storage>.MissingReference<Relationship>]
      ) throws -> JSONValue {
        let pairs = try references.map { reference in
          JSONValue.array([
            try encoding.json(name, holders, reference.holder),
            try encoding.json(name, targets, reference.target),
          ])
        }
        return .array(pairs)
      }
      encoding.add("missing", name, try json(references.old), try json(references.new))
    }
  }
}
