extension Schema {
  /// Reads a schema from JSON.
  ///
  /// ```json
  /// {"entities": {"posts": {"id": "id", "relationships": {"author": {"to": "authors"},
  ///                                                       "tags": {"to": "tags", "many": true}}},
  ///               "authors": {}, "tags": {"id": "name"}}}
  /// ```
  ///
  /// - Returns: the schema, or everything that is wrong with it, each with its place: members that
  ///   mean nothing, relationships to no entity, values of the wrong type.
  /// - Complexity: O(length of the text), and sorting.
  public static func parse(_ bytes: [UInt8], file: String) -> Result<Schema, ImportProblems> {
    bytes.withUnsafeBufferPointer { parse($0, file: file) }
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, file: String
  ) -> Result<Schema, ImportProblems> {
    do {
      let value = try JSONValue.parse(Array(bytes))
      var parser = SchemaParser(file: file)
      let schema = parser.schema(value, at: .root)
      return parser.problems.isEmpty
        ? .success(schema) : .failure(ImportProblems(parser.problems))
    } catch {
      let path = JSONPathFinder.paths(at: [error.offset], in: bytes)[0]
      return .failure(ImportProblems([ImportProblem(error, file: file, path: path)]))
    }
  }
}

/// Reads a schema from a tree and lists what is wrong with it.
struct SchemaParser {
  let file: String
  private(set) var problems: [ImportProblem] = []

  init(file: String) { self.file = file }

  mutating func schema(_ value: JSONValue, at path: JSONPath) -> Schema {
    var schema = Schema()
    var targets: [(name: String, path: JSONPath)] = []
    for member in members(value, at: path, known: ["entities"], needed: "entities") {
      let path = path.name(member.name)
      for entity in members(member.value, at: path, known: nil) {
        schema.set(self.entity(entity, at: path.name(entity.name), targets: &targets))
      }
    }
    let names = schema.entities.map(\.name)
    for target in targets where schema.entity(target.name) == nil {
      problem(
        target.path,
        "\(target.name.quoted) is no entity of this schema"
          + Suggestion.sentence(for: target.name, among: names))
    }
    return schema
  }

  private mutating func entity(
    _ entity: JSONValue.Member, at path: JSONPath, targets: inout [(name: String, path: JSONPath)]
  ) -> Schema.Entity {
    var idName = "id"
    var relationships: [Schema.Relationship] = []
    for member in members(entity.value, at: path, known: ["id", "relationships"]) {
      let path = path.name(member.name)
      if member.name == "id" {
        idName = string(member.value, at: path) ?? idName
        continue
      }
      for member in members(member.value, at: path, known: nil) {
        let path = path.name(member.name)
        if let relationship = relationship(member, at: path, targets: &targets) {
          relationships.append(relationship)
        }
      }
    }
    if relationships.contains(where: { $0.name.isExactly(idName) }) {
      problem(
        path.name("relationships").name(idName),
        "\(idName.quoted) is the ID of \(entity.name.quoted) and cannot be a relationship")
    }
    return Schema.Entity(entity.name, idName: idName, relationships: relationships)
  }

  private mutating func relationship(
    _ member: JSONValue.Member, at path: JSONPath, targets: inout [(name: String, path: JSONPath)]
  ) -> Schema.Relationship? {
    var target: String?
    var isMany = false
    for part in members(member.value, at: path, known: ["to", "many"], needed: "to") {
      let path = path.name(part.name)
      if part.name == "to" {
        target = string(part.value, at: path)
        if let target { targets.append((target, path)) }
      } else if case .bool(let many) = part.value {
        isMany = many
      } else {
        problem(path, "expected true or false, found \(part.value.noun)")
      }
    }
    return target.map { Schema.Relationship(member.name, to: $0, isMany: isMany) }
  }

  /// The members of an object that mean something; the others, and a needed one's lack, are told.
  private mutating func members(
    _ value: JSONValue, at path: JSONPath, known: [String]?, needed: String? = nil
  ) -> [JSONValue.Member] {
    guard case .object(let members) = value else {
      problem(path, "expected an object, found \(value.noun)")
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
        "\(member.name.quoted) means nothing here"
          + Suggestion.sentence(for: member.name, among: known))
      return false
    }
  }

  private mutating func string(_ value: JSONValue, at path: JSONPath) -> String? {
    if case .string(let string) = value { return string }
    problem(path, "expected a string, found \(value.noun)")
    return nil
  }

  private mutating func problem(_ path: JSONPath, _ message: String) {
    problems.append(
      ImportProblem(file: file, path: path.description, kind: .invalidSchema, message: message))
  }
}

extension JSONValue {
  /// What messages call the value, such as "an object".
  var noun: String {
    switch self {
    case .null: JSONToken.null.noun
    case .bool: JSONToken.true.noun
    case .number: JSONToken.number.noun
    case .string: JSONToken.string.noun
    case .array: JSONToken.beginArray.noun
    case .object: JSONToken.beginObject.noun
    }
  }
}
