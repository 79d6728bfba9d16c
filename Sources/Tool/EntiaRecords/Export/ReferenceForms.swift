package import EntiaCoding

/// The written forms of references: an ID, or an object with a type and an ID if the member refers
/// to rows of several entities.
package struct ReferenceForms: Equatable, Sendable {
  private let entities: [ExactString: Schema.Entity]

  /// Creates the forms of some entities. Of several entities with the same name, the last is used.
  package init(_ entities: [Schema.Entity]) {
    self.entities = Dictionary(
      entities.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the relationships of an entity that refer to rows of several entities, or nil if there
  /// are none.
  func variants(of entity: String) -> [ExactString: Schema.Relationship]? {
    guard let entity = entities[ExactString(entity)] else { return nil }
    let variants = entity.byName.filter { $0.value.typeName != nil }
    return variants.isEmpty ? nil : variants
  }

  /// Returns the member that holds the IDs of an entity's rows, or nil for a composite ID.
  func idName(of entity: String) -> String? {
    guard let entity = entities[ExactString(entity)] else { return "id" }
    return entity.hasCompositeID ? nil : entity.idName
  }

  /// Writes a reference to a row: its ID, or an object with its type and ID.
  ///
  /// - Parameter type: The row's own type, if it has one.
  func write(
    _ id: RecordID, by relationship: Schema.Relationship?, type: String? = nil,
    to writer: inout JSONWriter
  ) {
    guard let relationship, let typeName = relationship.typeName,
      let type = type ?? relationship.type(of: id.entity)
    else { return writer.key(id.key) }
    writer.object { writer in
      writer.member(typeName, type)
      guard let entity = entities[ExactString(id.entity)], entity.hasCompositeID else {
        writer.name(idName(of: id.entity) ?? "id")
        return writer.key(id.key)
      }
      for (name, part) in zip(entity.idNames, SynthesizedKey.parts(of: id.key.text)) {
        writer.name(name)
        // A part of an ID needs no type, because a schema excludes parts that refer to rows of
        // several entities.
        writer.key(part)
      }
    }
  }

  /// Returns the value of a member as text.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - relationship: The relationship of the member, if it is one.
  /// - Complexity: O(length of the text).
  package func text(of value: RecordValue, by relationship: Schema.Relationship?) -> String {
    JSONWriter.text { write(value, by: relationship, to: &$0) }.text
  }

  /// Writes the value of a member.
  ///
  /// - Complexity: O(length of the text).
  package func write(
    _ value: RecordValue, by relationship: Schema.Relationship?, to writer: inout JSONWriter
  ) {
    switch value {
    case .plain(let text): writer.text(text)
    case .reference(let id): write(id, by: relationship, to: &writer)
    case .references(let ids): writer.array(ids) { write($0, by: relationship, to: &$1) }
    }
  }

  /// Writes a row on one line, its ID first.
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
