import EntiaCoding
import EntiaDatabase
import EntiaJSON

/// The staged rows of an import, their counts and the problems. Nothing is written to the database
/// yet.
final class ImportStage {
  let base: RecordDatabase
  let policy: ConflictPolicy
  /// The merge policies of entities, by name.
  let merging: [String: MergePolicy<Record>]
  private(set) var schema = Schema()
  // Accessed for every record; see ``EntityStage``.
  @exclusivity(unchecked) var counts = ImportCounts()
  var problems = ProblemList()
  /// The index of the current input.
  @exclusivity(unchecked) var file = 0

  @exclusivity(unchecked) private(set) var entities: [EntityStage] = []
  private var entityIndex: [ExactString: Int] = [:]
  /// The relationships to several entities.
  private(set) var variants: [StagedVariants] = []
  /// Whether a record has other content than an earlier one, or than the row of the database, with
  /// its ID. A staged row may then have references of the database that no record has.
  var combinesStoredRows = false
  /// The rows of the database with members that a new relationship converts.
  var converted: [RecordID: Record] = [:]

  init(
    base: RecordDatabase, policy: ConflictPolicy, merging: [String: MergePolicy<Record>] = [:]
  ) {
    self.base = base
    self.policy = policy
    self.merging = merging
  }

  /// Sets the schema, before any record is read.
  func adopt(_ schema: Schema) {
    self.schema = schema
    for entity in schema.entities { _ = self.entity(entity.name) }
  }

  /// Adds a relationship that was found in rows that are already staged.
  func add(_ relationship: Schema.Relationship, to entity: EntityStage) {
    guard var known = schema.entity(entity.name) else { return }
    known.byName[ExactString(relationship.name)] = relationship
    schema.set(known)
    setRole(of: relationship, in: entity)
  }

  private func setRole(of relationship: Schema.Relationship, in stage: EntityStage) {
    if let typeName = relationship.typeName {
      for variant in relationship.variants { _ = entity(variant.entity) }
      variants.append(StagedVariants(relationship, typeName) { entity($0).position })
      let position = variants.count - 1
      return stage.setRole(
        relationship.isMany ? .manyOf(position) : .oneOf(position), of: relationship.name)
    }
    let target = entity(relationship.target).position
    stage.setRole(relationship.isMany ? .toMany(target) : .toOne(target), of: relationship.name)
  }

  func origin(_ offset: Int) -> Origin { Origin(file: file, offset: offset) }

  /// Returns the stage of an entity. An entity that is not in the schema has only plain members.
  func entity(_ name: String) -> EntityStage {
    if let index = entityIndex[ExactString(name)] { return entities[index] }
    let known = schema.entity(name) ?? Schema.Entity(name)
    schema.set(known)
    let stage = EntityStage(known, position: entities.count, policy: merging[name])
    entityIndex[ExactString(name)] = stage.position
    entities.append(stage)
    for relationship in known.relationships { setRole(of: relationship, in: stage) }
    return stage
  }

  /// Returns the stage of an entity if a row or schema has defined it.
  func knownEntity(_ name: String) -> EntityStage? {
    entityIndex[ExactString(name)].map { entities[$0] }
  }

  /// Returns a row of the database, converted to the current schema.
  func databaseRow(_ id: RecordID) -> Record? {
    if base.isEmpty { return nil }
    if !converted.isEmpty, let record = converted[id] { return record }
    return base.record(id)
  }

  /// Returns whether a row exists, in the database or in the inputs.
  func contains(_ entity: EntityStage, _ key: RecordKey) -> Bool {
    entity.row(of: key) != nil
      || databaseRow(RecordID(RecordIDNode(entity: entity.label, key: key))) != nil
  }

  /// Returns the ID of a row, read or not, shared with other references to the row.
  func id(_ entity: String, _ key: RecordKey) -> RecordID {
    let entity = self.entity(entity)
    return entity.rows[entity.position(of: key)].id
  }
}
