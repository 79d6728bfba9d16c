extension ImportRun {
  /// Looks for what can only be told once everything is read.
  mutating func check() {
    checkRoot()
    checkSpellings()
    // With a part unread, what is missing there would be told as dangling everywhere else.
    guard !stage.problems.contains(.malformedJSON), !stage.problems.contains(.usage) else { return }
    for entity in stage.entities {
      for row in entity.rows { checkReferences(of: row, in: entity) }
    }
    checkResults()
  }

  private func checkRoot() {
    guard let root = options.root, stage.knownEntity(root) == nil,
      !stage.problems.contains(.usage), !inputs.isEmpty
    else { return }
    stage.file = 0
    addUnknownRoot(root)
  }

  /// Tells number IDs that are one number in two spellings, such as `1` and `1.0`.
  private func checkSpellings() {
    var stored: [ExactString: [RecordKey]] = [:]
    for record in stage.base.records {
      guard case .number(let number) = record.id.key else { continue }
      stored[ExactString(record.id.entity), default: []].append(record.id.key)
      if !number.isPlainInteger { stage.knownEntity(record.id.entity)?.hasOddNumbers = true }
    }
    for entity in stage.entities where entity.hasOddNumbers && !entity.rows.isEmpty {
      var numbers: [(number: JSONNumber, origin: Origin)] = []
      for row in entity.rows {
        if case .number(let number) = row.key { numbers.append((number, row.origin)) }
      }
      for case .number(let number) in stored[ExactString(entity.name)] ?? []
      where entity.index[.number(number)] == nil {
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
            + "ID \(RecordKey.number(earlier.number)), spelled otherwise, in")
      }
    }
  }

  private func checkReferences(of row: StagedRow, in entity: EntityStage) {
    for (name, value) in zip(row.names, row.values) {
      switch value {
      case .plain: continue
      case .reference(let id): checkReference(id, of: row, in: entity, name, at: nil)
      case .references(let ids):
        for (index, id) in ids.enumerated() {
          checkReference(id, of: row, in: entity, name, at: index)
        }
      }
    }
  }

  private func checkReference(
    _ id: RecordID, of row: StagedRow, in entity: EntityStage, _ name: ExactString, at index: Int?
  ) {
    guard let target = stage.knownEntity(id.entity), !stage.contains(target, id.key) else { return }
    let origin = row.origin(of: name)
    let message =
      "\(name.string.quoted) of \(RecordID(entity: entity.name, key: row.key)) names "
      + missing(id, in: target)
    let steps = index.map { [JSONPath.Step.index($0)] } ?? []
    var problem = PendingProblem(
      origin: origin, suffix: origin.path(to: name.string) + steps, severity: .warning,
      kind: .danglingReference, message: message)
    if origin.file < 0 {
      // The row is the database's; its path is known without reading anything.
      let path = JSONPath.row(RecordID(entity: entity.name, key: row.key)).name(name.string)
      problem.path = JSONPath(path.steps + steps).description
    }
    stage.problems.add(problem)
  }

  private func missing(_ id: RecordID, in target: EntityStage) -> String {
    guard let other = id.key.otherType, stage.contains(target, other) else {
      return "\(id), which does not exist"
    }
    return "\(id), which does not exist; \(RecordID(entity: id.entity, key: other)) does"
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
      stage.addRoot(entity, result.key, at: result.origin)
      guard !stage.contains(entity, result.key) else { continue }
      let id = RecordID(entity: result.entity, key: result.key)
      stage.problems.add(
        .danglingReference, at: result.origin, severity: .warning,
        "the result names \(missing(id, in: entity))")
    }
  }
}
