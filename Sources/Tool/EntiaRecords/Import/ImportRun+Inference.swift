import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Infers the relationships of Django's records if no schema is given.
  ///
  /// Django names a foreign key after the model that it refers to, and writes the ID of the
  /// referenced row. A list of keys is named in the same way, mostly in the plural. A field is
  /// therefore a reference if each value is null or an ID of an entity with the field's name, and
  /// not all are null. It is a list of references if each value is a list of such IDs, and not all
  /// are empty. If the values fit several entities, or the name fits none, nothing is inferred.
  /// `reports_to` of an employee, for example, remains a number unless a schema defines the
  /// relationship.
  ///
  /// All inputs and the database are examined together, so that importing parts one after another
  /// has the same result as one import. An inferred relationship is permanent: if the values of a
  /// later part are not IDs, they are reported, as with a given schema.
  mutating func inferDjangoRelationships() {
    guard options.schema == nil, !models.isEmpty else { return }
    let storedRows = storedRows()
    let entities = ModelNames(stage.entities)
    for entity in stage.entities where isDjango(entity) || entity.isEmpty {
      let stored = unread(storedRows, entity)
      let names = Set(
        entity.seenRows.lazy.compactMap { entity.rows[Int($0)].record?.names }.joined()
      ).union(stored.lazy.map(\.names).joined())
      for name in names.sorted() {
        guard stage.schema.entity(entity.name)?.relationship(name.string) == nil else { continue }
        for isMany in [false, true] {
          let named = entities.named(name, isMany: isMany)
          guard isDjango(entity) || named.contains(where: isDjango) else { continue }
          let targets = named.filter { refers(entity, stored, name, isMany: isMany, to: $0) }
          guard targets.count == 1, isDjango(entity) || isDjango(targets[0]) else { continue }
          infer(
            Schema.Relationship(name.string, to: targets[0].name, isMany: isMany), entity, stored,
            name)
          break
        }
      }
    }
  }

  private func isDjango(_ entity: EntityStage) -> Bool {
    models[ExactString(entity.name)] != nil
  }

  private func refers(
    _ entity: EntityStage, _ stored: [Record], _ name: ExactString, isMany: Bool,
    to target: EntityStage
  ) -> Bool {
    var hasReference = false
    func isReference(_ record: Record) -> Bool {
      guard let value = record[name.string] else { return true }
      guard case .plain(let text) = value else { return false }
      if text.isNull { return true }
      if isMany {
        guard let keys = text.keys else { return false }
        hasReference = hasReference || !keys.isEmpty
        return keys.allSatisfy { stage.contains(target, $0) }
      }
      hasReference = true
      return text.key.map { stage.contains(target, $0) } ?? false
    }
    return entity.seenRows.allSatisfy { entity.rows[Int($0)].record.map(isReference) ?? true }
      && stored.allSatisfy(isReference) && hasReference
  }

  func infer(
    _ relationship: Schema.Relationship, _ entity: EntityStage, _ stored: [Record],
    _ name: ExactString
  ) {
    stage.add(relationship, to: entity)
    for position in entity.seenRows {
      guard let record = entity.rows[Int(position)].record,
        let index = record.names.firstIndex(of: name)
      else { continue }
      let old = record.values[index]
      guard let value = convert(old, relationship) else {
        if case .plain(let text) = old {
          let origin = entity.origin(of: name, at: Int(position))
          stage.problems.add(
            .typeMismatch, at: origin, suffix: origin.path(to: name.string, isReference: false),
            mismatch(text, relationship, entity))
        }
        continue
      }
      if value == old { continue }
      entity.rows[Int(position)].record = record.with(value, at: index)
      entity.rows[Int(position)].isChanged = true
    }
    for record in stored { convert(record, relationship) }
  }
}

/// Entities by the names of their Django models, without the names of the apps. A field is usually
/// named after the model to which it refers, such as `author` after `blog.author`. The names derive
/// from the names of the entities, because the database does not record models.
struct ModelNames {
  private var byName: [ExactString: [EntityStage]] = [:]
  /// The entities by the singular form of their names, as one word.
  private var byWord: [String: [EntityStage]] = [:]

  init(_ entities: [EntityStage]) {
    for entity in entities {
      let name = entity.name.split(separator: ".").last.map(String.init) ?? entity.name
      byName[ExactString(name), default: []].append(entity)
      byWord[EntityNames.Entity(name).joined, default: []].append(entity)
    }
  }

  /// Returns the entities that a field may be named after. For a list, the plural of a name matches
  /// too.
  func named(_ field: ExactString, isMany: Bool) -> [EntityStage] {
    guard isMany else { return byName[field] ?? [] }
    let member = EntityNames.Member(field.string)
    if let found = byWord[member.joined] { return found }
    return member.whole.flatMap { byWord[$0] } ?? []
  }
}
