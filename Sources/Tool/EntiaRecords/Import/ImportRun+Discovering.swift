import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Registers that a member refers to rows of an entity. If the member is known to refer to
  /// another entity, its relationship now distinguishes the two entities by the types of the
  /// references. This extension is a problem if the given schema defines the relationship.
  ///
  /// - Parameter typeName: The member that holds the type of a target, if the relationship has to
  ///   distinguish several entities.
  /// - Returns: Whether the reference agrees with the known relationship; otherwise a problem has
  ///   been reported.
  mutating func discover(
    _ name: String, of entity: EntityStage, to target: String, isMany: Bool,
    by typeName: String, at offset: Int
  ) -> Bool {
    let relationship = Schema.Relationship(name, to: target, isMany: isMany)
    guard let known = stage.schema.entity(entity.name)?.relationship(name) else {
      _ = stage.entity(target)
      stage.add(relationship, to: entity)
      discovered.append((entity, relationship))
      return true
    }
    if known == relationship { return true }
    if known.isMany == isMany, known.typeName != nil, known.names(target) { return true }
    if let widened = widened(known, of: entity, to: relationship, by: typeName) {
      _ = stage.entity(target)
      stage.add(widened, to: entity)
      discovered.removeAll { $0.entity === entity && $0.relationship.name.isExactly(name) }
      discovered.append((entity, widened))
      return true
    }
    addMismatch(
      at: offset,
      "\(name.quoted) of \(entity.name) refers to \(isMany ? "rows" : "one row") of \(target) here, and "
        + "\(known.isMany ? "rows" : "one row") of "
        + "\(known.targetNames { $0 }) elsewhere")
    return false
  }

  /// Returns the relationship `known`, extended by the target entity of `added`. Returns nil if the
  /// given schema defines `known`, if only one of the two relationships is a list, or if two target
  /// entities would have the same type.
  private func widened(
    _ known: Schema.Relationship, of entity: EntityStage, to added: Schema.Relationship,
    by typeName: String
  ) -> Schema.Relationship? {
    guard known.isMany == added.isMany,
      options.schema?.entity(entity.name)?.relationship(known.name) == nil
    else { return nil }
    var types = [added.target: added.target]
    if known.typeName == nil { types[known.target] = known.target }
    for variant in known.variants {
      guard types.updateValue(variant.entity, forKey: variant.type) == nil else { return nil }
    }
    return Schema.Relationship(
      known.name, to: types, by: known.typeName ?? typeName, isMany: known.isMany)
  }

  /// Returns the value of a member that contains no record. If the schema has a relationship for
  /// the member, the value is read as references. Reports a problem if this is not possible.
  func value(
    _ text: JSONText, of name: String, _ entity: EntityStage, at offset: Int
  ) -> RecordValue {
    guard let known = stage.schema.entity(entity.name)?.relationship(name) else {
      return .plain(text)
    }
    if let value = convert(.plain(text), known) { return value }
    addMismatch(at: offset, mismatch(text, known, entity))
    return .plain(text)
  }

  /// Returns the message for a value that does not fit a relationship.
  func mismatch(
    _ text: JSONText, _ relationship: Schema.Relationship, _ entity: EntityStage
  ) -> String {
    let id = relationship.typeName == nil ? "ID" : "object with a type and an ID"
    return "\(relationship.name.quoted) of \(entity.name) refers to "
      + (relationship.isMany ? "rows" : "one row")
      + " of \(relationship.targetNames { $0 }): expected "
      + (relationship.isMany ? "an array with an \(id) for each" : "an \(id)")
      + ", found \(text.kindDescription)"
  }

  /// Returns the value of an empty list, whose target entity may be unknown.
  func emptyList(_ name: String, _ entity: EntityStage) -> RecordValue {
    stage.schema.entity(entity.name)?.relationship(name)?.isMany == true
      ? .references([]) : .plain(JSONText(canonical: "[]"))
  }

  /// Converts the values that were read before their relationship was known: nulls and empty lists.
  mutating func convertEarlyValues() {
    guard !discovered.isEmpty else { return }
    let stored = storedRows()
    for (entity, relationship) in discovered {
      infer(relationship, entity, unread(stored, entity), ExactString(relationship.name))
    }
  }

  /// Returns the rows of the database, by entity.
  func storedRows() -> [ExactString: [Record]] {
    Dictionary(grouping: stage.base.records) { ExactString($0.id.entity) }
  }

  /// Returns the rows of an entity in the database that no record has.
  func unread(_ stored: [ExactString: [Record]], _ entity: EntityStage) -> [Record] {
    (stored[ExactString(entity.name)] ?? []).filter { entity.row(of: $0.id.key) == nil }
  }

  /// Stages one occurrence of a record whose members have been read.
  func upsert(
    _ entity: EntityStage, _ position: Int, _ members: [(name: String, value: RecordValue)],
    from origin: Origin
  ) {
    stage.upsert(
      entity, position, Record(id: entity.rows[position].id, members: members), from: origin)
  }
}
