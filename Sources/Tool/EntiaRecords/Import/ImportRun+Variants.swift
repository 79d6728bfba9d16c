import EntiaCoding
import EntiaDatabase
import EntiaJSON

extension ImportRun {
  /// Adds the type member to each row that has none and is a target of a relationship to several
  /// entities. The row then has all members that it needs when it is nested in the relationship.
  ///
  /// A row gets the same members whether it is read before its holders, with them or after them.
  mutating func storeTypes() {
    for entity in stage.entities {
      for relationship in variantRelationships(of: entity.name) {
        for position in entity.seenRows {
          storeTypes(in: entity.rows[Int(position)].record, relationship)
        }
        // The targets of rows in the database may lack types, because the database has no such
        // relationship, or has it with only one entity.
        let stored = stage.base.schema.entity(entity.name)?.relationship(relationship.name)
        if stage.base.isEmpty || stored?.typeName != nil { continue }
        for record in stage.base.table where record.id.entity.isExactly(entity.name) {
          storeTypes(in: currentRow(record.id), relationship)
        }
      }
    }
    storeTypesForStoredHolders()
  }

  /// Adds the type member to the rows of the inputs to which rows of the database refer.
  private mutating func storeTypesForStoredHolders() {
    if stage.base.isEmpty { return }
    var targets: Set<RecordID> = []
    // The order of the holders is the order in which a row gets several types.
    var holders: [RecordID] = []
    var known: Set<RecordID> = []
    for entity in stage.entities {
      let variants = stage.variants.filter { $0.positions.values.contains(entity.position) }
      if variants.isEmpty { continue }
      let typeNames = Set(variants.map(\.typeName))
      for position in entity.seenRows {
        let row = entity.rows[Int(position)]
        guard let record = row.record, typeNames.contains(where: { !record.names.contains($0) })
        else { continue }
        targets.insert(row.id)
        holders += stage.base.holders(of: row.id).filter { known.insert($0).inserted }
      }
    }
    for holder in holders {
      for relationship in variantRelationships(of: holder.entity) {
        storeTypes(in: currentRow(holder), relationship, among: targets)
      }
    }
  }

  private func variantRelationships(of entity: String) -> [Schema.Relationship] {
    (stage.schema.entity(entity)?.relationships ?? []).filter { $0.typeName != nil }
  }

  /// Returns a row as the import leaves it.
  private func currentRow(_ id: RecordID) -> Record? {
    stage.knownEntity(id.entity)?.row(of: id.key)?.record ?? stage.databaseRow(id)
  }

  /// Adds the type member to the targets of a row in a relationship. If `targets` is not nil, only
  /// rows in `targets` get the type member.
  private mutating func storeTypes(
    in holder: Record?, _ relationship: Schema.Relationship, among targets: Set<RecordID>? = nil
  ) {
    for id in holder?[relationship.name]?.targets ?? [] where targets?.contains(id) ?? true {
      storeType(id, relationship)
    }
  }

  private mutating func storeType(_ id: RecordID, _ relationship: Schema.Relationship) {
    guard let type = relationship.type(of: id.entity), let name = relationship.typeName,
      let entity = stage.knownEntity(id.entity)
    else { return }
    let position = entity.position(of: id.key)
    let staged = entity.rows[position].record
    guard let record = staged ?? stage.databaseRow(id),
      !record.names.contains(ExactString(name)), !entity.hasID(named: name),
      isOnlyType(of: id.entity, in: name)
    else { return }
    let added = record.replacing(
      [ExactString(name): .plain(JSONText(.string(type)))], addingInOrderOf: [ExactString(name)])
    if staged == nil {
      stage.converted[id] = added
    } else {
      entity.rows[position].record = added
      entity.rows[position].isChanged = true
    }
  }

  /// Whether an entity has exactly one type in the relationships whose type member is `typeName`.
  /// Otherwise, a reference does not determine the type of a row.
  private func isOnlyType(of entity: String, in typeName: String) -> Bool {
    var types: Set<ExactString> = []
    for relationship in stage.schema.entities.flatMap(\.relationships) {
      guard let name = relationship.typeName, name.isExactly(typeName) else { continue }
      for variant in relationship.variants where variant.entity.isExactly(entity) {
        types.insert(ExactString(variant.type))
      }
    }
    return types.count == 1
  }

  /// Returns a plain value converted to the value of a relationship to several entities, or nil if
  /// it cannot be converted.
  func convertVariants(_ text: JSONText, _ relationship: Schema.Relationship) -> RecordValue? {
    let value: JSONValue
    do {
      value = try JSONValue.parse(Array(text.text.utf8))
    } catch {
      // The value nests too deep to be parsed, and so is no reference.
      return nil
    }
    guard relationship.isMany else { return id(value, relationship).map(RecordValue.reference) }
    guard case .array(let elements) = value else { return nil }
    var ids: [RecordID] = []
    for element in elements {
      guard let id = id(element, relationship) else { return nil }
      ids.append(id)
    }
    return .references(ids)
  }

  /// Returns the target of an object with only a type and an ID.
  private func id(_ value: JSONValue, _ relationship: Schema.Relationship) -> RecordID? {
    guard case .object(let members) = value, let typeName = relationship.typeName,
      case .string(let type) = value[typeName],
      let variant = relationship.variants.first(where: { $0.type.isExactly(type) })
    else { return nil }
    let idNames = stage.schema.entity(variant.entity)?.idNames ?? ["id"]
    guard members.count == 1 + idNames.count else { return nil }
    let parts = idNames.compactMap { value[$0]?.key }
    guard parts.count == idNames.count, let first = parts.first else { return nil }
    if parts.count == 1 { return stage.id(variant.entity, first) }
    return stage.id(variant.entity, RecordKey(composedOf: parts))
  }
}

extension JSONValue {
  /// The value as an ID; nil if it is not an ID.
  var key: RecordKey? {
    switch self {
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    default: nil
    }
  }
}
