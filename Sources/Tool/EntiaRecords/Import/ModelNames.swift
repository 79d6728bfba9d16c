import EntiaCoding

/// Entities by the names of their models without the apps: fields are named after them. The
/// database may have entities of models that are in no input.
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

  /// Returns the entities with the name of a field, for a list also in the singular.
  func named(_ field: ExactString, isMany: Bool) -> [EntityStage] {
    guard isMany else { return byName[field] ?? [] }
    let member = EntityNames.Member(field.string)
    if let found = byWord[member.joined] { return found }
    return member.whole.flatMap { byWord[$0] } ?? []
  }
}
