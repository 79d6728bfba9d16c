import EntiaCoding

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
