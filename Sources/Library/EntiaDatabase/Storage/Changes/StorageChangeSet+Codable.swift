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
  /// Decodes the changes that `encode(to:)` encodes. A member of a part that the storage does not
  /// have is ignored.
  /// - Throws: `DecodingError` for an entity or an ID that is not `Decodable`, and the errors of
  ///   the decoder.
  public init(from decoder: any Decoder) throws {
    self.init()
    var parts = ChangeSetDecoding<Storage>(container: try decoder.container(keyedBy: PartKey.self))
    Storage.Contents.visitParts(&parts)
    if let error = parts.error { throw error }
    self = parts.changes
  }
}

private struct ChangeSetDecoding<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let container: KeyedDecodingContainer<PartKey>
  var changes = StorageChangeSet<Storage>()
  var error: (any Error)?

  init(container: KeyedDecodingContainer<PartKey>) { self.container = container }

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
    try Self.encode(order.taken, "taken", in: &container)
    try Self.encode(order.placed, "placed", in: &container)
  }

  private static func encode(
    _ places: [TableOrderChanges<Entity>.Place], _ name: String,
    in container: inout KeyedEncodingContainer<PartKey>
  ) throws {
    if places.isEmpty { return }
    var list = container.nestedUnkeyedContainer(forKey: PartKey(name))
    for place in places {
      var pair = list.nestedContainer(keyedBy: PartKey.self)
      try pair.encode(coded: place.entityID, "id")
      try pair.encode(place.position, forKey: PartKey("position"))
    }
  }

  fileprivate init(decoding decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      inserted: try container.list("inserted") { try $0.decode(Coded<Entity>.self).value },
      updated: try container.list("updated") {
        let pair = try $0.nestedContainer(keyedBy: PartKey.self)
        return EntityUpdate(
          old: try pair.decode(coded: Entity.self, "old"),
          new: try pair.decode(coded: Entity.self, "new"))
      },
      removed: try container.list("removed") { try $0.decode(Coded<Entity>.self).value },
      order: TableOrderChanges(
        taken: try container.list("taken", Self.place),
        placed: try container.list("placed", Self.place)))
  }

  private static func place(
    _ list: inout any UnkeyedDecodingContainer
  ) throws -> TableOrderChanges<Entity>.Place {
    let pair = try list.nestedContainer(keyedBy: PartKey.self)
    return TableOrderChanges.Place(
      entityID: try pair.decode(coded: Entity.EntityID.self, "id"),
      position: try pair.decode(Int.self, forKey: PartKey("position")))
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
}

extension KeyedDecodingContainer<PartKey> {
  fileprivate func decode<Value>(coded type: Value.Type, _ name: String) throws -> Value {
    try decode(Coded<Value>.self, forKey: PartKey(name)).value
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
