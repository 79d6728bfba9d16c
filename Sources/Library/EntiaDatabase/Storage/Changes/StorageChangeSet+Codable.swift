import EntiaCollections

// The entities need not be `Codable`. Encoding and decoding check whether they are.

extension StorageChangeSet: Encodable {
  /// Encodes an object. Each changed table and each changed collection of held IDs is a member, and
  /// so is each relationship whose references dangle in one of the versions.
  ///
  /// ```
  /// {
  ///   "books": {
  ///     "inserted": [{"id": "b2", "title": "Entia"}],
  ///     "updated": [{"old": {"id": "b1", "title": "Old"}, "new": {"id": "b1", "title": "New"}}]
  ///   },
  ///   "favorites": {"old": ["b1"], "new": ["b1", "b2"]}
  /// }
  /// ```
  ///
  /// A change of the order of an ordered table has the positions and the neighbors of the placed
  /// rows. On any version, the decoded changes therefore have the same effect as the original ones.
  /// - Throws: `EncodingError.invalidValue` for an entity or an ID that is not `Encodable`, and the
  ///   errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var names = TableNames<Storage.Contents>()
    Storage.Contents.visitParts(&names)
    var container = encoder.container(keyedBy: PartKey.self)
    for (name, entity) in names.tables {
      guard let changes = tables[entity] else { continue }
      try changes.encode(to: container.superEncoder(forKey: PartKey(name)))
    }
    for (name, changes) in heldIDs.sorted(by: { $0.key < $1.key }) {
      try changes.encode(to: container.superEncoder(forKey: PartKey(name)))
    }
    for (name, references) in dangling.sorted(by: { $0.key < $1.key }) {
      try references.encode(to: container.superEncoder(forKey: PartKey(name)))
    }
  }
}

extension StorageChangeSet: Decodable {
  /// Decodes the changes that `encode(to:)` encodes. A member of the encoded object is ignored if
  /// no part of the storage has the name of the member.
  /// - Throws: `DecodingError` for an entity or an ID that is not `Decodable`, and the errors of
  ///   the decoder.
  public init(from decoder: any Decoder) throws {
    self.init()
    var parts = ChangeSetDecoding<Storage>(container: try decoder.container(keyedBy: PartKey.self))
    Storage.Contents.visitParts(&parts)
    if let error = parts.error { throw error }
    self = parts.changes
    isDecoded = true
  }
}

private struct ChangeSetDecoding<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let container: KeyedDecodingContainer<PartKey>
  var changes = StorageChangeSet<Storage>()
  var error: (any Error)?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    decode(name) { $0.setChanges(try TableChanges<Table.Entity>(decoding: $1)) }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    decode(name) { $0.setChanges(try HeldIDsChanges<IDs>(decoding: $1), ofHeldIDs: name) }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    decode(name) { $0.dangling[name] = try References(decoding: $1) }
  }

  private mutating func decode(
    _ name: String, _ body: (inout StorageChangeSet<Storage>, any Decoder) throws -> Void
  ) {
    guard error == nil, container.contains(PartKey(name)) else { return }
    do {
      try body(&changes, try container.superDecoder(forKey: PartKey(name)))
    } catch {
      self.error = error
    }
  }
}

extension TableChanges {
  @usableFromInline
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(inserted, "inserted")
    if !updated.isEmpty {
      var list = container.nestedUnkeyedContainer(forKey: PartKey("updated"))
      for update in updated {
        var pair = list.nestedContainer(keyedBy: PartKey.self)
        try pair.encode(coded: update.old, "old")
        try pair.encode(coded: update.new, "new")
      }
    }
    try container.encode(removed, "removed")
    try Self.encode(order.taken, order.takenNeighbors, "taken", in: &container)
    try Self.encode(order.placed, order.placedNeighbors, "placed", in: &container)
  }

  /// Encodes places. If the neighbors are known, the first place of each run is encoded with the ID
  /// of the entity before the run, and the last place with the ID of the entity after the run.
  private static func encode(
    _ places: [TableOrderChanges<Entity>.Place], _ neighbors: [TableOrderChanges<Entity>.Neighbors],
    _ name: String, in container: inout KeyedEncodingContainer<PartKey>
  ) throws {
    if places.isEmpty { return }
    var list = container.nestedUnkeyedContainer(forKey: PartKey(name))
    for (index, run) in TableOrderChanges<Entity>.runs(of: places).enumerated() {
      for place in run {
        var pair = list.nestedContainer(keyedBy: PartKey.self)
        try pair.encode(coded: place.entityID, "id")
        try pair.encode(place.position, forKey: PartKey("position"))
        if neighbors.isEmpty { continue }
        if place == run.first { try pair.encode(neighbor: neighbors[index].previous, "previous") }
        if place == run.last { try pair.encode(neighbor: neighbors[index].next, "next") }
      }
    }
  }

  fileprivate init(decoding decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      inserted: try container.list("inserted") { try $0.decode(Coded<Entity>.self).value },
      // Transient members are not encoded, so an update of only these is decoded with equal rows.
      // Such an update is left out.
      updated: try container.list("updated") {
        let pair = try $0.nestedContainer(keyedBy: PartKey.self)
        return EntityUpdate(
          old: try pair.decode(coded: Entity.self, "old"),
          new: try pair.decode(coded: Entity.self, "new"))
      }.filter { !haveSameValue($0.old, $0.new) },
      removed: try container.list("removed") { try $0.decode(Coded<Entity>.self).value },
      order: Self.order(
        taken: try container.list("taken", CodedPlace.init),
        placed: try container.list("placed", CodedPlace.init)))
  }

  /// Returns the changes of the order of a table. The changes contain neighbors only if the
  /// neighbors of all runs were decoded and the runs are valid.
  private static func order(
    taken: [CodedPlace], placed: [CodedPlace]
  ) -> TableOrderChanges<Entity> {
    if let taken = runs(of: taken), let placed = runs(of: placed),
      let order = TableOrderChanges(taken: taken, placed: placed)
    {
      return order
    }
    return TableOrderChanges(taken: taken.map { $0.place }, placed: placed.map { $0.place })
  }

  /// Returns the runs of places with their neighbors, or `nil` if a neighbor is missing.
  private static func runs(
    of places: [CodedPlace]
  ) -> [TableOrderChanges<Entity>.NeighboredRun]? {
    var runs: [TableOrderChanges<Entity>.NeighboredRun] = []
    for run in TableOrderChanges<Entity>.runs(of: places.map { $0.place }) {
      guard let previous = places[run.startIndex].previous, let next = places[run.endIndex - 1].next
      else { return nil }
      runs.append(.init(places: Array(run), previous: previous, next: next))
    }
    return runs
  }

  /// A place as it is decoded. A neighbor is `nil` if it is not known.
  private struct CodedPlace {
    let place: TableOrderChanges<Entity>.Place
    let previous: Entity.EntityID??
    let next: Entity.EntityID??

    init(_ list: inout any UnkeyedDecodingContainer) throws {
      let pair = try list.nestedContainer(keyedBy: PartKey.self)
      place = TableOrderChanges.Place(
        entityID: try pair.decode(coded: Entity.EntityID.self, "id"),
        position: try pair.decode(Int.self, forKey: PartKey("position")))
      previous = try pair.decodeIfPresent(neighbor: Entity.EntityID.self, "previous")
      next = try pair.decodeIfPresent(neighbor: Entity.EntityID.self, "next")
    }
  }
}

extension HeldIDsChanges {
  @usableFromInline
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(coded: old, "old")
    try container.encode(coded: new, "new")
  }

  fileprivate init(decoding decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      old: try container.decode(coded: IDs.self, "old"),
      new: try container.decode(coded: IDs.self, "new"))
  }
}

extension DanglingReferences {
  @usableFromInline
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    for (name, references) in [("oldMissing", old), ("newMissing", new)] where !references.isEmpty {
      var list = container.nestedUnkeyedContainer(forKey: PartKey(name))
      for reference in references.sorted(by: { "\($0)" < "\($1)" }) {
        var pair = list.nestedContainer(keyedBy: PartKey.self)
        try pair.encode(coded: reference.holder, "holder")
        try pair.encode(coded: reference.target, "target")
      }
    }
  }

  fileprivate init(decoding decoder: any Decoder) throws {
    func reference(
      _ list: inout any UnkeyedDecodingContainer
    ) throws -> DanglingReference<Holder, Target> {
      let pair = try list.nestedContainer(keyedBy: PartKey.self)
      return DanglingReference(
        try pair.decode(coded: Holder.EntityID.self, "holder"),
        try pair.decode(coded: Target.EntityID.self, "target"))
    }
    self.init()
    let container = try decoder.container(keyedBy: PartKey.self)
    old = Set(try container.list("oldMissing", reference))
    new = Set(try container.list("newMissing", reference))
  }
}

extension KeyedEncodingContainer<PartKey> {
  fileprivate mutating func encode<Value>(_ values: [Value], _ name: String) throws {
    if values.isEmpty { return }
    var list = nestedUnkeyedContainer(forKey: PartKey(name))
    for value in values { try list.encode(Coded(value)) }
  }

  fileprivate mutating func encode<Value>(coded value: Value, _ name: String) throws {
    try encode(Coded(value), forKey: PartKey(name))
  }

  fileprivate mutating func encode<ID>(neighbor id: ID?, _ name: String) throws {
    if let id { try encode(coded: id, name) } else { try encodeNil(forKey: PartKey(name)) }
  }
}

extension KeyedDecodingContainer<PartKey> {
  fileprivate func decode<Value>(coded type: Value.Type, _ name: String) throws -> Value {
    try decode(Coded<Value>.self, forKey: PartKey(name)).value
  }

  /// Returns the ID of a neighbor: `.some(nil)` at the beginning or end of the table, and `nil` if
  /// the member is missing.
  fileprivate func decodeIfPresent<ID>(neighbor type: ID.Type, _ name: String) throws -> ID?? {
    guard contains(PartKey(name)) else { return nil }
    if try decodeNil(forKey: PartKey(name)) { return .some(nil) }
    return try decode(coded: type, name)
  }

  /// Returns the elements of a member, or an empty array if the member is missing.
  fileprivate func list<Value>(
    _ name: String, _ element: (inout any UnkeyedDecodingContainer) throws -> Value
  ) throws -> [Value] {
    guard contains(PartKey(name)) else { return [] }
    var list = try nestedUnkeyedContainer(forKey: PartKey(name))
    var values: [Value] = []
    while !list.isAtEnd { values.append(try element(&list)) }
    return values
  }
}
