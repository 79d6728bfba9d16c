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
  /// The option `ImportOptions.comparesAsStored`.
  private let comparesAsStored: Bool
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
  /// Whether a record was combined with an existing row, and the database is not empty. In this
  /// case, a staged row may have references from the database that are in no record.
  var combinesStoredRows = false
  /// The rows of the database in which members were converted to a new relationship.
  var converted: [RecordID: Record] = [:]

  init(
    base: RecordDatabase, policy: ConflictPolicy, merging: [String: MergePolicy<Record>] = [:],
    comparesAsStored: Bool = false
  ) {
    self.base = base
    self.policy = policy
    self.merging = merging
    self.comparesAsStored = comparesAsStored
  }

  /// Sets the schema, before any record is read.
  func adopt(_ schema: Schema) {
    self.schema = schema
    for entity in schema.entities { _ = self.entity(entity.name) }
  }

  /// Adds a relationship that was found in staged rows.
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

  /// Returns the ID of a row, which need not have been read. All references to the row share this
  /// ID.
  func id(_ entity: String, _ key: RecordKey) -> RecordID {
    let entity = self.entity(entity)
    return entity.rows[entity.position(of: key)].id
  }
}

/// A relationship to rows of several entities. The type of an object determines its entity.
struct StagedVariants {
  let typeName: ExactString
  /// The positions of the entities, by type.
  let positions: [ExactString: Int]
  /// The position of the entity of the first type. A list whose elements may be of several entities
  /// is read as a list of this entity.
  let first: Int
  let types: [String]

  init(_ relationship: Schema.Relationship, _ typeName: String, _ position: (String) -> Int) {
    self.typeName = ExactString(typeName)
    types = relationship.variants.map(\.type)
    let pairs = relationship.variants.map { (ExactString($0.type), position($0.entity)) }
    positions = Dictionary(pairs, uniquingKeysWith: { $1 })
    first = pairs.first?.1 ?? 0
  }
}

extension ImportStage {
  /// The members of one occurrence of a record: names, and texts and targets in the stored form.
  struct Members {
    let names: MemberNames
    let targets: RecordTargets
    let texts: UnsafeBufferPointer<UInt8>
    /// The record, if it has been built already.
    var built: Record?

    func record(_ id: RecordID) -> Record {
      built ?? Record(body: RecordBody.make(id: id, names: names, targets: targets, texts: texts))
    }
  }

  /// Stages one occurrence of a record that has been built already.
  func upsert(_ entity: EntityStage, _ position: Int, _ record: Record, from origin: Origin) {
    record.body.withTexts { texts in
      upsert(
        entity, position,
        Members(
          names: record.body.names, targets: record.body.targets, texts: texts, built: record),
        from: origin)
    }
  }

  /// Stages one occurrence of a record: as a new row, or combined with the existing row.
  func upsert(_ entity: EntityStage, _ position: Int, _ members: Members, from origin: Origin) {
    // Most records repeat a staged row. This path retains nothing for them.
    if entity.policy == nil, entity.hasRow(at: position, members) {
      counts.unchanged += 1
      return
    }
    let id = entity.rows[position].id
    if entity.rows[position].record == nil {
      let stored = databaseRow(id)
      entity.markSeen(position)
      guard let stored else {
        checkSpelling(entity, id.key, origin)
        entity.replaceRow(at: position, with: members.record(id), from: origin)
        counts.inserted += 1
        return
      }
      entity.rows[position].record = stored
    }
    guard let known = entity.rows[position].record else { return }
    if let policy = entity.policy {
      combinesStoredRows = combinesStoredRows || !base.isEmpty
      return merge(entity, position, known, members.record(id), by: policy, from: origin)
    }
    if known.body.hasMembers(members.names, members.targets, members.texts) {
      counts.unchanged += 1
    } else {
      combinesStoredRows = combinesStoredRows || !base.isEmpty
      let record = members.record(id)
      combine(
        entity, position, known, comparesAsStored ? record.keepingStoredValues(of: known) : record,
        from: origin)
    }
  }

  private func combine(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record, from origin: Origin
  ) {
    let (differing, isExtended) = known.compare(record)
    if differing.isEmpty || policy == .merge {
      // If no values differ, the record can only add members. With the policy `.merge`, the record
      // also replaces the values that differ.
      let isChanged = isExtended || !differing.isEmpty
      if isChanged { merge(entity, position, known, record, from: origin) }
      return count(isUpdated: isChanged)
    }
    switch policy {
    case .error:
      let members = differing.map(\.string.quoted).joined(separator: ", ")
      problems.add(
        .conflict, at: origin, other: entity.origin(of: differing[0], at: position),
        "\(known.id) differs in \(Self.values(differing, record, known)) from the one in",
        cause: ImportProblem.Cause(
          entity: entity.name, "records of one ID differ in \(members)"))
    case .replace:
      entity.replaceRow(at: position, with: record, from: origin)
      count(isUpdated: true)
    case .keep, .merge:
      count(isUpdated: false)
    }
  }

  /// Returns a description of the members in which two occurrences of a row differ, with both
  /// values.
  private static func values(
    _ differing: [ExactString], _ here: Record, _ there: Record
  ) -> String {
    func text(_ value: RecordValue?) -> String {
      switch value {
      case .plain(let text): text.text.excerpt()
      case .reference(let id): id.key.description
      case .references(let ids):
        "[\(ids.prefix(5).map(\.key.description).joined(separator: ","))\(ids.count > 5 ? ",…" : "")]"
      case nil: "nothing"
      }
    }
    let shown = differing.prefix(5).map { name in
      "\(name.string.quoted) (\(text(here[name.string])) here, \(text(there[name.string])) there)"
    }
    let more = differing.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private func merge(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record, from origin: Origin
  ) {
    let (merged, changed) = known.merging(record)
    entity.rows[position].record = merged
    entity.rows[position].isChanged = true
    for name in changed { entity.memberOrigins[position, default: [:]][name] = origin }
  }

  private func merge(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record,
    by policy: MergePolicy<Record>, from origin: Origin
  ) {
    let merged = policy.merged(known, with: record)
    guard merged.id == known.id else {
      return problems.add(
        .inconsistency, at: origin,
        "the merge policy of \(entity.name) makes \(merged.id) of \(known.id); a merge keeps the ID"
      )
    }
    let isUpdated = merged != known
    if isUpdated {
      entity.replaceRow(at: position, with: merged, from: origin)
    }
    count(isUpdated: isUpdated)
  }

  private func count(isUpdated: Bool) {
    if isUpdated { counts.updated += 1 } else { counts.unchanged += 1 }
  }

  /// Reports an ID with the same text as an ID of another type: `1` and `"1"`.
  private func checkSpelling(_ entity: EntityStage, _ key: RecordKey, _ origin: Origin) {
    switch key {
    case .number(let number):
      entity.hasNumbers = true
      if !number.isPlainInteger { entity.hasOddNumbers = true }
    case .string:
      entity.hasStrings = true
    }
    guard (entity.hasNumbers && entity.hasStrings) || !base.isEmpty, let other = key.otherType
    else { return }
    let place: Origin
    if let row = entity.row(of: other) {
      place = row.origin
    } else if databaseRow(RecordID(RecordIDNode(entity: entity.label, key: other))) != nil {
      place = .database
    } else {
      return
    }
    problems.add(
      .typeMismatch, at: origin, other: place,
      "\(RecordID(entity: entity.name, key: key)) has the same text as the ID \(other), of another "
        + "type, in",
      cause: ImportProblem.Cause(
        entity: entity.name, "an ID is a number in one place and a string in another"))
  }
}
