import EntiaCoding
public import EntiaJSON

extension RecordDatabase {
  /// Verifies the database. Reports dangling references, members that violate the schema, IDs of
  /// one entity that differ only in type or in the spelling of a number, missing rows of the
  /// result, and violations of the storage's own laws.
  ///
  /// - Parameter file: The name of the database in the problems.
  /// - Returns: The problems, all of which are errors; empty if the database is valid. Their paths
  ///   are as in the output of ``write()``.
  /// - Complexity: O(size of the database), plus sorting.
  public func verifyProblems(file: String) -> [ImportProblem] {
    var problems: [ImportProblem] = []
    func add(_ kind: ImportProblem.Kind, _ path: JSONPath, _ message: String) {
      problems.append(
        ImportProblem(file: file, path: path.description, kind: kind, message: message))
    }
    for record in records where schema.entity(record.id.entity) == nil {
      add(.unknownEntity, .row(record.id), "\(record.id) is of no entity of the schema")
    }
    for (entity, rows) in tables() {
      for row in rows {
        verify(row, in: entity, add)
        if let other = row.id.key.otherType, case .string = row.id.key,
          self.record(RecordID(entity: entity.name, key: other)) != nil
        {
          add(
            .typeMismatch, .row(row.id),
            "\(row.id) has the same text as the ID \(other), of another type")
        }
      }
      verifySpellings(rows, add)
    }
    for (entity, keys) in result {
      for (index, key) in keys.enumerated() {
        let id = RecordID(entity: entity, key: key)
        if record(id) == nil {
          add(
            .danglingReference, JSONPath.root.name("result").name(entity).index(index),
            "the result refers to \(id), which does not exist")
        }
      }
    }
    for problem in storage.defects() { add(.inconsistency, .root, problem) }
    return problems
  }

  private typealias Add = (ImportProblem.Kind, JSONPath, String) -> Void

  private func verify(_ row: Record, in entity: Schema.Entity, _ add: Add) {
    for (name, value) in row.members {
      let path = JSONPath.row(row.id).name(name)
      let member = "\(name.quoted) of \(row.id)"
      func verify(_ id: RecordID, _ relationship: Schema.Relationship, _ path: JSONPath) {
        if !relationship.names(id.entity) {
          let targets = relationship.targetNames { $0 }
          add(.typeMismatch, path, "\(member) refers to \(id), not to a row of \(targets)")
        } else if record(id) == nil {
          add(.danglingReference, path, "\(member) refers to \(id), which does not exist")
        }
      }
      let relationship = entity.relationship(name)
      switch (value, relationship, relationship?.isMany) {
      case (.plain, nil, _): break
      case (.plain(let text), _, _) where text.isNull: break
      case (.reference(let id), .some(let relationship), false): verify(id, relationship, path)
      case (.references(let ids), .some(let relationship), true):
        for (index, id) in ids.enumerated() { verify(id, relationship, path.index(index)) }
      case (_, .some(let relationship), _):
        add(
          .typeMismatch, path,
          relationship.isMany
            ? "\(member) is not an array of IDs of \(relationship.targetNames { $0 })"
            : "\(member) is not an ID of \(relationship.targetNames { $0 })")
      case (_, nil, _):
        add(.typeMismatch, path, "\(member) is a reference, but no relationship of the schema")
      }
    }
  }

  private func verifySpellings(_ rows: [Record], _ add: Add) {
    // The rows are sorted by ID, so two spellings of one number are adjacent.
    for (left, right) in zip(rows, rows.dropFirst()) {
      guard case .number(let one) = left.id.key, case .number(let other) = right.id.key,
        one.compareValue(to: other) == 0
      else { continue }
      add(
        .typeMismatch, .row(right.id),
        "\(right.id) is the same number as the ID \(left.id.key), in another spelling")
    }
  }
}
