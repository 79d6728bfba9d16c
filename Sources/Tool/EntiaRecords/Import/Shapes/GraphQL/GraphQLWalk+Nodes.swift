import EntiaCoding

// The nodes of a response, and their entities.
extension GraphQLWalk {
  /// Returns the nodes of an object's values, each preceded by its name, or of an array's
  /// elements.
  func values(of node: Int) -> [Int] {
    let isObject = tape.nodes[node].token == .beginObject
    var values: [Int] = []
    var index = node + 1
    while index < tape.nodes[node].next {
      let value = isObject ? index + 1 : index
      values.append(value)
      index = tape.nodes[value].next
    }
    return values
  }

  func name(of value: Int) -> String { reader.text(of: tape.nodes[value - 1]) }

  func member(_ node: Int, _ wanted: String) -> Int? {
    values(of: node).first { name(of: $0) == wanted }
  }

  /// Returns the name of a value's member, with aliases resolved.
  func name(of value: Int, _ schema: Schema.Entity) -> String {
    let name = name(of: value)
    if schema.membersByAlias.isEmpty { return name }
    return schema.membersByAlias[ExactString(name)] ?? name
  }

  /// Returns whether an object is a record, even if it could not be read.
  func isRecord(_ node: Int, _ run: ImportRun, _ expected: Schema.Entity?) -> Bool {
    guard tape.nodes[node].token == .beginObject,
      let schema = entity(of: node, run, expected)
    else { return false }
    return schema.hasCompositeID || schema.takesIDFromParent || id(of: node, schema) != nil
  }

  /// Returns the entity of an object: that of its type, or that of its position.
  func entity(
    of node: Int, _ run: ImportRun, _ expected: Schema.Entity?
  ) -> Schema.Entity? {
    guard let typeNode = member(node, "__typename") else { return expected }
    guard tape.nodes[typeNode].token == .string else { return nil }
    let type = reader.text(of: tape.nodes[typeNode])
    return run.stage.schema.entity(type) ?? Schema.Entity(type)
  }

  /// Returns the entity of the objects in a member of a record, if the schema defines it.
  func target(
    _ name: String, of schema: Schema.Entity, _ run: ImportRun
  ) -> Schema.Entity? {
    guard let known = run.stage.schema.entity(schema.name)?.relationship(name),
      known.typeName == nil
    else { return nil }
    return run.stage.schema.entity(known.target)
  }

  func id(of node: Int, _ schema: Schema.Entity) -> Int? {
    values(of: node).first { name(of: $0, schema).isExactly(schema.idName) }
  }
}
