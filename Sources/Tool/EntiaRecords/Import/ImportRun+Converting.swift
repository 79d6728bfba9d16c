import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Converts the rows of the database if the merged schema has relationships that the database's
  /// own schema lacks.
  mutating func convertStoredRows() {
    let added = stage.schema.entities.filter { entity in
      let old = stage.base.schema.entity(entity.name)
      return old != nil && old?.relationships.count != entity.relationships.count
    }
    guard !added.isEmpty, !stage.base.isEmpty else { return }
    var fresh: [ExactString: [Schema.Relationship]] = [:]
    for entity in added {
      let old = stage.base.schema.entity(entity.name)
      fresh[ExactString(entity.name)] = entity.relationships.filter {
        old?.relationship($0.name) == nil
      }
    }
    for record in stage.base.records {
      for relationship in fresh[ExactString(record.id.entity)] ?? [] {
        convert(record, relationship)
      }
    }
  }

  /// Converts one member of a row in the database to a relationship.
  func convert(_ record: Record, _ relationship: Schema.Relationship) {
    let current = stage.converted[record.id] ?? record
    let name = ExactString(relationship.name)
    guard let index = current.names.firstIndex(of: name) else { return }
    guard let value = convert(current.values[index], relationship) else {
      return stage.problems.add(
        PendingProblem(
          origin: .database, kind: .typeMismatch,
          message: "\(relationship.name.quoted) of \(record.id) cannot be read as a relationship",
          path: JSONPath.row(record.id).name(relationship.name).description))
    }
    stage.converted[record.id] = current.with(value, at: index)
  }

  /// Returns a plain value converted to the value of a relationship, or nil if it cannot be
  /// converted.
  func convert(
    _ value: RecordValue, _ relationship: Schema.Relationship
  ) -> RecordValue? {
    guard case .plain(let text) = value, !text.isNull else { return value }
    if relationship.typeName != nil { return convertVariants(text, relationship) }
    func id(_ key: RecordKey) -> RecordID { stage.id(relationship.target, key) }
    return relationship.isMany
      ? text.keys.map { .references($0.map(id)) } : text.key.map { .reference(id($0)) }
  }
}

extension Record {
  /// Returns the row with another value at an index.
  func with(_ value: RecordValue, at index: Int) -> Record {
    var values = values
    values[index] = value
    return with(values)
  }
}

extension JSONPath {
  /// Returns the path of a row in the output of a database.
  static func row(_ id: RecordID) -> JSONPath {
    JSONPath.root.name("entities").name(id.entity).name(id.key.text)
  }
}
