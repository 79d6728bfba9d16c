/// How rows write their IDs and what they name: as an ID, or as an object with a type where a member
/// names rows of several entities.
struct ReferenceForms: Equatable, Sendable {
  private let entities: [ExactString: Schema.Entity]

  /// Takes the forms of some entities; of two with one name the last counts.
  init(_ entities: [Schema.Entity]) {
    self.entities = Dictionary(
      entities.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// Gives the relationships of an entity that name rows of several entities; nil if none does.
  func variants(of entity: String) -> [ExactString: Schema.Relationship]? {
    guard let entity = entities[ExactString(entity)] else { return nil }
    let variants = entity.byName.filter { $0.value.typeName != nil }
    return variants.isEmpty ? nil : variants
  }

  /// The member that holds the IDs of an entity's rows; nil if several members make them.
  func idName(of entity: String) -> String? {
    guard let entity = entities[ExactString(entity)] else { return "id" }
    return entity.hasCompositeID ? nil : entity.idName
  }

  /// Writes what names a row: its ID, or an object with its type and ID.
  ///
  /// - Parameter type: what the row says of its type itself, if it says it.
  func write(
    _ id: RecordID, by relationship: Schema.Relationship?, type: String? = nil,
    to writer: inout JSONWriter
  ) {
    guard let relationship, let typeName = relationship.typeName,
      let type = type ?? relationship.type(of: id.entity)
    else { return writer.key(id.key) }
    writer.beginObject()
    writer.name(typeName)
    writer.string(type)
    if let entity = entities[ExactString(id.entity)], entity.hasCompositeID {
      for (name, part) in zip(entity.idNames, MadeKey.parts(of: id.key.text)) {
        writer.name(name)
        // A part that names a row of several entities is none: the schema says so.
        writer.key(part)
      }
    } else {
      writer.name(idName(of: id.entity) ?? "id")
      writer.key(id.key)
    }
    writer.endObject()
  }

  /// Writes the value of a member.
  func write(
    _ value: RecordValue, by relationship: Schema.Relationship?, to writer: inout JSONWriter
  ) {
    switch value {
    case .plain(let text): writer.text(text)
    case .reference(let id): write(id, by: relationship, to: &writer)
    case .references(let ids):
      writer.beginArray()
      for id in ids { write(id, by: relationship, to: &writer) }
      writer.endArray()
    }
  }

  /// Writes a row on its line, its ID first.
  func write(_ row: Record, to writer: inout JSONWriter) {
    let variants = variants(of: row.id.entity)
    writer.beginObject()
    if let idName = idName(of: row.id.entity) {
      writer.name(idName)
      writer.key(row.id.key)
    }
    for (name, value) in zip(row.names, row.values) {
      writer.name(name.string)
      write(value, by: variants?[name], to: &writer)
    }
    writer.endObject()
  }
}
