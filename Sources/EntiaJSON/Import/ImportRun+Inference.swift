extension ImportRun {
  /// Finds the relationships among Django's rows where no schema was given.
  ///
  /// Django names a foreign key after the model it refers to, and writes the other row's ID. So a
  /// field is taken for a reference exactly when an entity has its name and every value is the ID of
  /// one of that entity's rows, or null, and not all are null. Nothing beyond that is guessed:
  /// `reports_to` of an employee stays a number until a schema says otherwise.
  ///
  /// All inputs and the database are looked at together, so that shards give what the whole gives. A
  /// relationship that was found once stays: a later shard whose values are no IDs is then told, as
  /// it is where a schema was given.
  mutating func inferDjangoRelationships() {
    guard options.schema == nil, !models.isEmpty else { return }
    var stored: [ExactString: [Record]] = [:]
    for record in stage.base.records {
      stored[ExactString(record.id.entity), default: []].append(record)
    }
    for entity in stage.entities where isDjango(entity) || entity.rows.isEmpty {
      let stored = (stored[ExactString(entity.name)] ?? []).filter {
        entity.index[$0.id.key] == nil
      }
      let names = Set(entity.rows.flatMap(\.names) + stored.flatMap(\.names))
      for name in names.sorted() {
        guard let target = stage.knownEntity(name.string),
          isDjango(entity) || isDjango(target),
          stage.schema.entity(entity.name)?.relationship(name.string) == nil,
          refers(entity, stored, name, to: target)
        else { continue }
        infer(Schema.Relationship(name.string, to: target.name), entity, stored, name)
      }
    }
  }

  private func isDjango(_ entity: EntityStage) -> Bool {
    models[ExactString(entity.name)] != nil
  }

  private func refers(
    _ entity: EntityStage, _ stored: [Record], _ name: ExactString, to target: EntityStage
  ) -> Bool {
    var hasReference = false
    func isReference(_ names: [ExactString], _ values: [RecordValue]) -> Bool {
      guard let index = names.firstIndex(of: name) else { return true }
      guard case .plain(let text) = values[index] else { return false }
      if text.isNull { return true }
      hasReference = true
      return text.key.map { stage.contains(target, $0) } ?? false
    }
    return entity.rows.allSatisfy { isReference($0.names, $0.values) }
      && stored.allSatisfy { isReference($0.names, $0.values) } && hasReference
  }

  private func infer(
    _ relationship: Schema.Relationship, _ entity: EntityStage, _ stored: [Record],
    _ name: ExactString
  ) {
    stage.add(relationship, to: entity)
    for row in entity.rows.indices {
      guard let index = entity.rows[row].names.firstIndex(of: name),
        let value = Self.reread(entity.rows[row].values[index], relationship)
      else { continue }
      entity.rows[row].values[index] = value
      entity.rows[row].isChanged = true
    }
    for record in stored { reread(record, relationship) }
  }
}
