import EntiaCoding
import EntiaJSON

/// Reads a schema from a tree and collects its problems.
struct SchemaParser {
  /// A reference of a relationship to an entity.
  struct Target {
    let name: String
    /// The type member, which distinguishes the entity's rows from the rows of other entities.
    let typeName: String?
    let path: JSONPath
  }

  let file: String
  private(set) var problems: [ImportProblem] = []
  var targets: [Target] = []

  init(file: String) { self.file = file }

  mutating func schema(_ value: JSONValue, at path: JSONPath) -> Schema {
    var schema = Schema()
    for member in members(value, at: path, known: ["entities"], needed: "entities") {
      let path = path.name(member.name)
      for entity in members(member.value, at: path, known: nil) {
        schema.set(self.entity(entity, at: path.name(entity.name)))
      }
    }
    for target in targets { check(target, in: schema) }
    return schema
  }

  private mutating func check(_ target: Target, in schema: Schema) {
    guard let entity = schema.entity(target.name) else {
      return problem(
        target.path,
        "\(target.name.quoted) is no entity of this schema"
          + Suggestion.sentence(for: target.name, among: schema.entities.map(\.name)))
    }
    guard let typeName = target.typeName else { return }
    if entity.idNames.contains(where: { $0.isExactly(typeName) }) {
      problem(
        target.path,
        "\(typeName.quoted) is the ID of \(target.name.quoted) and cannot be its type too")
    } else if entity.relationship(typeName) != nil {
      problem(
        target.path,
        "\(typeName.quoted) is a relationship of \(target.name.quoted) and cannot be its type")
    }
  }

  private mutating func entity(_ entity: JSONValue.Member, at path: JSONPath) -> Schema.Entity {
    var idNames = ["id"]
    var takesIDFromParent = false
    var relationships: [Schema.Relationship] = []
    var aliases: [String: String] = [:]
    let known = ["id", "relationships", "idFromParent", "aliases"]
    for member in members(entity.value, at: path, known: known) {
      let path = path.name(member.name)
      switch member.name {
      case "id": idNames = self.idNames(member.value, at: path) ?? idNames
      case "idFromParent": takesIDFromParent = bool(member.value, at: path) ?? false
      case "aliases": aliases = self.aliases(member.value, at: path)
      default:
        for member in members(member.value, at: path, known: nil) {
          let path = path.name(member.name)
          if let relationship = relationship(member, at: path) {
            relationships.append(relationship)
          }
        }
      }
    }
    check(relationships, besides: idNames, of: entity.name, at: path)
    guard idNames.count > 1 else {
      return Schema.Entity(
        entity.name, idName: idNames[0], takesIDFromParent: takesIDFromParent,
        relationships: relationships, aliases: aliases)
    }
    if takesIDFromParent {
      problem(
        path.name("idFromParent"),
        "the ID of \(entity.name.quoted) is composed of its members and cannot be derived from the parent"
      )
    }
    return Schema.Entity(
      entity.name, idNames: idNames, relationships: relationships, aliases: aliases)
  }

  private mutating func check(
    _ relationships: [Schema.Relationship], besides idNames: [String], of entity: String,
    at path: JSONPath
  ) {
    for idName in idNames {
      guard let relationship = relationships.first(where: { $0.name.isExactly(idName) }) else {
        continue
      }
      let place = path.name("relationships").name(idName)
      if idNames.count == 1 {
        problem(
          place, "\(idName.quoted) is the ID of \(entity.quoted) and cannot be a relationship")
      } else if relationship.isMany {
        problem(
          place,
          "\(idName.quoted) is a part of the ID of \(entity.quoted) and cannot name a list of rows")
      } else if relationship.typeName != nil {
        problem(
          place,
          "\(idName.quoted) is a part of the ID of \(entity.quoted) and cannot name rows of "
            + "several entities")
      }
    }
  }

  // MARK: Parts

  /// Returns the known members of an object. Reports unknown members, and a required member that is
  /// missing.
  mutating func members(
    _ value: JSONValue, at path: JSONPath, known: [String]?, needed: String? = nil
  ) -> [JSONValue.Member] {
    guard case .object(let members) = value else {
      problem(path, "expected an object, found \(value.kindDescription)")
      return []
    }
    if let needed, value[needed] == nil {
      problem(path, "the member \(needed.quoted) is missing")
    }
    guard let known else { return members }
    return members.filter { member in
      if known.contains(where: { $0.isExactly(member.name) }) { return true }
      problem(
        path.name(member.name),
        "unknown member \(member.name.quoted)"
          + Suggestion.sentence(for: member.name, among: known))
      return false
    }
  }

  mutating func string(_ value: JSONValue, at path: JSONPath) -> String? {
    if case .string(let string) = value { return string }
    problem(path, "expected a string, found \(value.kindDescription)")
    return nil
  }

  mutating func bool(_ value: JSONValue, at path: JSONPath) -> Bool? {
    if case .bool(let bool) = value { return bool }
    problem(path, "expected true or false, found \(value.kindDescription)")
    return nil
  }

  mutating func problem(_ path: JSONPath, _ message: String) {
    problems.append(
      ImportProblem(file: file, path: path.description, kind: .invalidSchema, message: message))
  }
}

extension SchemaParser {
  /// Reads the name of the ID member, or the names of the members of a composite ID.
  mutating func idNames(_ value: JSONValue, at path: JSONPath) -> [String]? {
    guard case .array(let parts) = value else { return string(value, at: path).map { [$0] } }
    var names: [String] = []
    for (index, part) in parts.enumerated() {
      guard let name = string(part, at: path.index(index)) else { continue }
      if names.contains(where: { $0.isExactly(name) }) {
        problem(path.index(index), "\(name.quoted) is already a part of this ID")
      } else {
        names.append(name)
      }
    }
    if parts.isEmpty {
      problem(path, "expected at least one member of the ID, found an empty array")
    }
    return names.isEmpty ? nil : names
  }

  /// Reads the aliases of members in responses.
  mutating func aliases(_ value: JSONValue, at path: JSONPath) -> [String: String] {
    var aliases: [String: String] = [:]
    for member in members(value, at: path, known: nil) {
      if let name = string(member.value, at: path.name(member.name)) { aliases[member.name] = name }
    }
    return aliases
  }

  /// Reads a relationship: `{"to": "authors"}`, or the short forms `"authors"` and `["comments"]`.
  mutating func relationship(
    _ member: JSONValue.Member, at path: JSONPath
  ) -> Schema.Relationship? {
    switch member.value {
    case .string(let target):
      targets.append(Target(name: target, typeName: nil, path: path))
      return Schema.Relationship(member.name, to: target)
    case .array(let elements):
      guard elements.count == 1, case .string(let target) = elements[0] else {
        problem(path, "expected an array with the name of one entity, such as [\"entity\"]")
        return nil
      }
      targets.append(Target(name: target, typeName: nil, path: path.index(0)))
      return Schema.Relationship(member.name, to: target, isMany: true)
    default: break
    }
    var to: JSONValue?
    var typeName: String?
    var isMany = false
    for part in members(member.value, at: path, known: ["to", "many", "by"], needed: "to") {
      let path = path.name(part.name)
      switch part.name {
      case "to": to = part.value
      case "by": typeName = string(part.value, at: path)
      default: isMany = bool(part.value, at: path) ?? false
      }
    }
    guard let to else { return nil }
    if case .object(let types) = to {
      return variants(member.name, types, by: typeName ?? "type", isMany: isMany, at: path)
    }
    if typeName != nil {
      problem(
        path.name("by"),
        "\"by\" is only allowed if \"to\" is an object of types")
    }
    guard let target = string(to, at: path.name("to")) else { return nil }
    targets.append(Target(name: target, typeName: nil, path: path.name("to")))
    return Schema.Relationship(member.name, to: target, isMany: isMany)
  }

  private mutating func variants(
    _ name: String, _ types: [JSONValue.Member], by typeName: String, isMany: Bool,
    at path: JSONPath
  ) -> Schema.Relationship? {
    let path = path.name("to")
    var entities: [String: String] = [:]
    for type in types {
      let path = path.name(type.name)
      guard let entity = string(type.value, at: path) else { continue }
      entities[type.name] = entity
      targets.append(Target(name: entity, typeName: typeName, path: path))
    }
    if types.isEmpty { problem(path, "expected at least one type, found an empty object") }
    return entities.isEmpty
      ? nil : Schema.Relationship(name, to: entities, by: typeName, isMany: isMany)
  }
}
