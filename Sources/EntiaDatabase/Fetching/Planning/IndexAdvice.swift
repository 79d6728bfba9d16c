import Foundation

/// Notes on indexes and relationships that would serve a fetch that scans its table.
struct IndexAdvice<Entity: EntityType> {
  private(set) var notes: [String] = []

  init(_ conditions: FieldConditions, sort: [SortDescriptor<Entity>]) {
    for condition in conditions.values {
      note(on: condition.path, kind: "Hash")
    }
    for range in conditions.ranges { note(on: range.path, kind: "Sorted") }
    for member in conditions.members { note(onList: member.path) }
    for choice in conditions.choices {
      for condition in choice {
        let inner = IndexAdvice(FieldConditions(condition, slot: 0), sort: [])
        for text in inner.notes { append(text) }
      }
    }
    if notes.isEmpty, sort.count == 1, let path = sort[0].knownPath {
      note(on: path, kind: "Sorted", missing: "no index has the order of")
    }
  }

  private mutating func note(
    on path: AnyKeyPath, kind: String, missing: String = "no index on"
  ) {
    guard let path = path as? PartialKeyPath<Entity> else { return }
    let type = TypeName.ofWrapped(type(of: path as AnyKeyPath).valueType)
    let index = "Indexes.\(kind)<\(Entity.entityName), \(type)>"
    guard MemoryLayout<Entity>.offset(of: path) != nil else {
      append(
        "\(missing) a computed property of \(Entity.entityName), of type \(type): "
          + "`\(index)` by the same key path would serve this")
      return
    }
    let name = fieldName(path)
    append("\(missing) \(name): `@Index var … : \(index) = .init(\\.\(name))` would serve this")
  }

  private mutating func note(onList path: AnyKeyPath) {
    guard path is PartialKeyPath<Entity>,
      let target = TypeName.ofElement(type(of: path).valueType)
    else { return }
    let name = fieldName(path)
    append(
      "no relationship by \(name): "
        + "`@Relationship var … : ToMany<\(Entity.entityName), \(target)> = .init(\\.\(name))` "
        + "would serve this")
  }

  private mutating func append(_ note: String) {
    if !notes.contains(note) { notes.append(note) }
  }
}
