import EntiaCoding
import EntiaCollections
import EntiaDatabase
import EntiaJSON

extension ImportRun {
  /// Performs the checks that require all inputs to be read.
  mutating func check() {
    checkRoot()
    checkRelationships()
    checkSpellings()
    // If an input is incomplete, the references to its missing rows would be reported as dangling.
    let unread: [ImportProblem.Kind] = [.malformedJSON, .malformedCSV, .usage, .unreadable]
    guard !unread.contains(where: stage.problems.contains) else { return }
    checkMerging()
    // An invalid natural key would be reported again as a dangling reference.
    if checkNaturalKeys() { checkReferences() }
    checkResults()
  }

  /// Reports merge policies for names that are no entities. If a name is misspelled, the rows of
  /// the intended entity are merged by the conflict policy instead. Without a given schema, an
  /// entity can also be missing because the inputs have no rows of it. The problem is therefore
  /// only a warning if there is neither a given schema nor a similar name.
  private func checkMerging() {
    let names = stage.entities.map(\.name).sorted { $0.precedesExactly($1) }
    let unknown = options.merging.keys.filter { stage.knownEntity($0) == nil }
    for name in unknown.sorted(by: { $0.precedesExactly($1) }) {
      let suggestion = Suggestion.sentence(for: name, among: names)
      let isCertain = options.schema != nil || !suggestion.isEmpty
      stage.problems.add(
        ImportProblem(
          in: "the options", severity: isCertain ? .error : .warning, .usage,
          "merging has a policy for \(name.quoted), which is no entity of the "
            + "\(options.schema == nil ? "inputs" : "schema")\(suggestion)"), file: -1)
    }
  }

  private func checkRoot() {
    guard let root = options.root, stage.knownEntity(root) == nil,
      !stage.problems.contains(.usage), !inputs.isEmpty
    else { return }
    stage.file = 0
    addUnknownRoot(root)
  }

  /// Warns about relationships of the given schema that no record has, if the records have a member
  /// with a similar name.
  private func checkRelationships() {
    guard let given = options.schema else { return }
    for entity in given.entities {
      guard let staged = stage.knownEntity(entity.name), !staged.isEmpty else { continue }
      var missing = entity.relationships.map { ExactString($0.name) }
      var plain: Set<ExactString> = []
      var last: [ExactString] = []
      for position in staged.seenRows where !missing.isEmpty {
        // Most rows with the same members share their names, so that the comparison is fast.
        guard let names = staged.rows[Int(position)].record?.names, names != last else { continue }
        last = names
        missing.removeAll { names.contains($0) }
        if plain.count < 1000 { plain.formUnion(names) }
      }
      let candidates = plain.filter { entity.relationship($0.string) == nil }.sorted()
      for name in missing {
        let other = Suggestion.nearest(to: name.string, among: candidates.map(\.string))
        guard let other else { continue }
        let path = JSONPath.root.name("entities").name(entity.name).name("relationships")
          .name(name.string)
        stage.problems.add(
          ImportProblem(
            file: "the schema", path: path.description, severity: .warning, kind: .invalidSchema,
            message: "no record of \(entity.name) has the member \(name.string.quoted); did you "
              + "mean \(other.quoted)?"), file: -1)
      }
    }
  }

  /// Reports IDs that are different spellings of the same number, such as `1` and `1.0`.
  private func checkSpellings() {
    var stored: [ExactString: [RecordKey]] = [:]
    for record in stage.base.table {
      guard case .number(let number) = record.id.key else { continue }
      stored[ExactString(record.id.entity), default: []].append(record.id.key)
      if !number.isPlainInteger { stage.knownEntity(record.id.entity)?.hasOddNumbers = true }
    }
    for entity in stage.entities where entity.hasOddNumbers && !entity.isEmpty {
      var numbers: [(number: JSONNumber, origin: Origin)] = []
      for position in entity.seenRows {
        let row = entity.rows[Int(position)]
        if case .number(let number) = row.id.key { numbers.append((number, row.origin)) }
      }
      for case .number(let number) in stored[ExactString(entity.name)] ?? []
      where entity.row(of: .number(number)) == nil {
        numbers.append((number, .database))
      }
      numbers.sort { $0.number < $1.number }
      for (left, right) in zip(numbers, numbers.dropFirst())
      where left.number.compareValue(to: right.number) == 0 {
        let isLeftLater =
          (left.origin.file, left.origin.offset) > (right.origin.file, right.origin.offset)
        let (later, earlier) = isLeftLater ? (left, right) : (right, left)
        stage.problems.add(
          .typeMismatch, at: later.origin, other: earlier.origin,
          "\(RecordID(entity: entity.name, key: .number(later.number))) is the same number as the "
            + "ID \(RecordKey.number(earlier.number)), in another spelling, in",
          cause: ImportProblem.Cause(entity: entity.name, "one number is spelled in two ways"))
      }
    }
  }

  /// Reports dangling references.
  private func checkReferences() {
    if areReferencesResolved { return }
    for entity in stage.entities {
      for position in entity.seenRows { checkReferences(ofRowAt: Int(position), in: entity) }
    }
  }

  /// Whether no reference can dangle, so that the references need not be checked.
  ///
  /// Each reference in a record has a staged row as its target. If all staged rows were read or are
  /// in the database, no such reference dangles. A reference that was taken over from a row of the
  /// database is different: its target may have no staged row.
  private var areReferencesResolved: Bool {
    if stage.combinesStoredRows { return false }
    return stage.entities.allSatisfy { entity in
      entity.seenRows.count == entity.rows.count
        || !stage.base.isEmpty
          && entity.rows.indices.allSatisfy {
            entity.rows[$0].record != nil || stage.databaseRow(entity.rows[$0].id) != nil
          }
    }
  }

  private func checkReferences(ofRowAt position: Int, in entity: EntityStage) {
    guard let record = entity.rows[position].record, record.body.targets.count > 0 else {
      return
    }
    for (name, value) in zip(record.names, record.values) {
      switch value {
      case .plain: continue
      case .reference(let id): checkReference(id, ofRowAt: position, in: entity, name, at: nil)
      case .references(let ids):
        for (index, id) in ids.enumerated() {
          checkReference(id, ofRowAt: position, in: entity, name, at: index)
        }
      }
    }
  }

  private func checkReference(
    _ id: RecordID, ofRowAt position: Int, in entity: EntityStage, _ name: ExactString,
    at index: Int?
  ) {
    guard let target = stage.knownEntity(id.entity), !stage.contains(target, id.key) else { return }
    let origin = entity.origin(of: name, at: position)
    let holder = entity.rows[position].id
    let message = "\(name.string.quoted) of \(holder) refers to " + missing(id, in: target)
    let steps = index.map { [JSONPath.Step.index($0)] } ?? []
    // The path of a row in the database is known without reading an input.
    let path =
      origin.file < 0 ? JSONPath(JSONPath.row(holder).name(name.string).steps + steps) : nil
    stage.problems.add(
      .danglingReference, at: origin,
      suffix: origin.path(to: name.string, isReference: true) + steps, severity: .warning, message,
      cause: ImportProblem.Cause(
        entity: entity.name,
        "\(name.string.quoted) refers to rows of \(target.name) that do not exist"),
      path: path)
  }

  private func missing(_ id: RecordID, in target: EntityStage) -> String {
    guard let other = id.key.otherType, stage.contains(target, other) else {
      return "\(id), which does not exist"
    }
    return "\(id), which does not exist; \(RecordID(entity: id.entity, key: other)) does"
  }

  /// Marks the rows of the input that was just read as rows of the top level: first the rows in its
  /// `result`, then `deferredRoots`.
  mutating func markResults() {
    for result in results[markedResults...] {
      guard let entity = stage.knownEntity(result.entity) else { continue }
      entity.markRoot(entity.position(of: result.key))
    }
    markedResults = results.count
    for (entity, position) in deferredRoots { entity.markRoot(position) }
    deferredRoots = []
  }

  private func checkResults() {
    for result in results {
      guard let entity = stage.knownEntity(result.entity) else {
        let names = stage.entities.map(\.name).sorted { $0.precedesExactly($1) }
        stage.problems.add(
          .unknownEntity, at: result.origin,
          "\(result.entity.quoted) is no entity of this database"
            + Suggestion.sentence(for: result.entity, among: names))
        continue
      }
      entity.markRoot(entity.position(of: result.key))
      guard !stage.contains(entity, result.key) else { continue }
      let id = RecordID(entity: result.entity, key: result.key)
      stage.problems.add(
        .danglingReference, at: result.origin, severity: .warning,
        "the result refers to \(missing(id, in: entity))",
        cause: ImportProblem.Cause(
          "the result refers to rows of \(entity.name) that do not exist"))
    }
  }
}
