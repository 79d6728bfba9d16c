package import EntiaCoding
package import EntiaDatabase
public import EntiaJSON

/// The entities, their ID members, and their members that refer to other rows.
public struct Schema: Hashable, Sendable {
  /// One kind of rows.
  public struct Entity: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The name of the member that holds the ID. For a composite ID, the names of its members
    /// joined by `+`, such as `order+number`.
    package let idName: String
    /// The names of the members that make up the ID: one, or several for a composite ID.
    package let idNames: [String]
    /// Whether a record without an ID gets an ID that is derived from the containing row, the
    /// member and the position, such as `posts/p1/comments/0`.
    package let takesIDFromParent: Bool
    var byName: [ExactString: Relationship]
    var membersByAlias: [ExactString: String]

    /// Creates an entity. Of several relationships with the same name, the last is used.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - idName: The name of the member that holds the ID.
    ///   - takesIDFromParent: Whether a record without an ID gets an ID that is derived from the
    ///     containing row.
    ///   - relationships: The members that refer to other rows.
    ///   - aliases: The aliases of members in GraphQL responses, with the members' names.
    public init(
      _ name: String, idName: String = "id", takesIDFromParent: Bool = false,
      relationships: [Relationship] = [], aliases: [String: String] = [:]
    ) {
      self.init(
        name, [idName], takesIDFromParent: takesIDFromParent, relationships: relationships,
        aliases: aliases)
    }

    /// Creates an entity with an ID composed of several members: numbers, strings, or references to
    /// one row.
    ///
    /// The members remain members of the row. References to the row contain the texts of these
    /// members, separated by `/`.
    public init(
      _ name: String, idNames: [String], relationships: [Relationship] = [],
      aliases: [String: String] = [:]
    ) {
      self.init(
        name, idNames.isEmpty ? ["id"] : idNames, takesIDFromParent: false,
        relationships: relationships, aliases: aliases)
    }

    private init(
      _ name: String, _ idNames: [String], takesIDFromParent: Bool,
      relationships: [Relationship], aliases: [String: String]
    ) {
      self.name = name
      self.idNames = idNames
      idName = idNames.count == 1 ? idNames[0] : idNames.joined(separator: "+")
      self.takesIDFromParent = takesIDFromParent
      byName = Dictionary(
        relationships.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
      membersByAlias = Dictionary(
        aliases.map { (ExactString($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Whether the ID is composed of several members.
    package var hasCompositeID: Bool { idNames.count > 1 }

    /// The relationships, sorted by the UTF-8 bytes of their names.
    package var relationships: [Relationship] {
      byName.values.sorted { $0.name.precedesExactly($1.name) }
    }

    /// The aliases of members in GraphQL responses, sorted by their UTF-8 bytes, with the members'
    /// names.
    package var aliases: [(alias: String, member: String)] {
      membersByAlias.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }

    /// Returns the relationship of a member, or nil if it is a plain member.
    ///
    /// - Complexity: O(1).
    package func relationship(_ name: String) -> Relationship? { byName[ExactString(name)] }
  }

  private var byName: [ExactString: Entity]

  /// Creates a schema. Of several entities with the same name, the last is used.
  public init(_ entities: [Entity] = []) {
    byName = Dictionary(entities.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// The entities, sorted by the UTF-8 bytes of their names.
  ///
  /// - Complexity: O(entities × log entities).
  package var entities: [Entity] {
    byName.values.sorted { $0.name.precedesExactly($1.name) }
  }

  /// Returns the entity with a name, or nil if there is none.
  ///
  /// - Complexity: O(1).
  package func entity(_ name: String) -> Entity? { byName[ExactString(name)] }

  /// Whether the schema has no entities.
  package var isEmpty: Bool { byName.isEmpty }

  /// Inserts an entity, or replaces the one with the same name.
  mutating func set(_ entity: Entity) { byName[ExactString(entity.name)] = entity }
}

extension Schema {
  /// Returns the schema in a form that can be printed as text or as a Mermaid diagram.
  ///
  /// A JSON schema has no delete rules, and names no members except IDs and relationships.
  ///
  /// - Parameter name: The name of the database.
  /// - Complexity: O(size of the schema), plus sorting.
  package func storageSchema(name: String) -> StorageSchema {
    StorageSchema(
      name: name,
      tables: entities.map { entity in
        StorageSchema.Table(
          name: entity.name, entity: entity.name, idName: entity.idName, idType: "ID",
          isOrdered: false, fields: [])
      },
      relationships: entities.flatMap { entity in
        entity.relationships.flatMap { relationship in
          relationship.targets.map { target in
            StorageSchema.Relationship(
              name: relationship.name, holder: entity.name, target: target,
              kind: relationship.isMany ? .orderedToMany : .optionalToOne)
          }
        }
      })
  }
}

extension Schema {
  /// Adds the content of another schema. If the two contradict each other, the content of this
  /// schema is kept.
  ///
  /// - Parameters:
  ///   - other: The other schema.
  ///   - file: The name of its input.
  ///   - path: Its path in the input.
  /// - Returns: The contradictions.
  mutating func merge(_ other: Schema, from file: String, at path: JSONPath) -> [ImportProblem] {
    var problems: [ImportProblem] = []
    func add(_ place: JSONPath, _ message: String) {
      problems.append(
        ImportProblem(
          file: file, path: place.description, kind: .schemaConflict, message: message))
    }
    for theirs in other.entities {
      guard var merged = entity(theirs.name) else {
        set(theirs)
        continue
      }
      let place = path.name("entities").name(theirs.name)
      if !merged.hasSameID(as: theirs) {
        add(
          place.name("id"),
          "the ID of \(theirs.name.quoted) is \(theirs.idSentence) here and "
            + "\(merged.idSentence) in the schema so far")
      }
      for (alias, member) in theirs.aliases {
        if let mine = merged.membersByAlias[ExactString(alias)], !mine.isExactly(member) {
          add(
            place.name("aliases").name(alias),
            "\(alias.quoted) of \(theirs.name.quoted) is \(member.quoted) here and "
              + "\(mine.quoted) in the schema so far")
        } else {
          merged.membersByAlias[ExactString(alias)] = member
        }
      }
      for relationship in theirs.relationships {
        let mine = merged.byName[ExactString(relationship.name)]
        if let mine, mine != relationship {
          add(
            place.name("relationships").name(relationship.name),
            "\(relationship.name.quoted) of \(theirs.name.quoted) is "
              + "\(relationship.sentence) here and \(mine.sentence) in the schema so far")
        } else {
          merged.byName[ExactString(relationship.name)] = relationship
        }
      }
      set(merged)
    }
    return problems
  }
}

extension Schema.Entity {
  /// Returns whether two entities define their IDs in the same way.
  func hasSameID(as other: Self) -> Bool {
    takesIDFromParent == other.takesIDFromParent
      && idNames.map(ExactString.init) == other.idNames.map(ExactString.init)
  }

  /// The description of the ID in messages.
  var idSentence: String {
    idNames.map(\.quoted).joined(separator: " and ")
      + (takesIDFromParent ? " or taken from the parent" : "")
  }
}

extension Schema {
  /// Parses a schema from JSON.
  ///
  /// ```json
  /// {"entities": {"posts": {"id": "id", "relationships": {"author": {"to": "authors"},
  ///                                                       "tags": {"to": "tags", "many": true}}},
  ///               "authors": {}, "tags": {"id": "name"}}}
  /// ```
  ///
  /// Further forms:
  ///
  /// - `"id": ["order", "number"]` composes an ID of several members.
  /// - `"idFromParent": true` derives the ID of a record without an ID from the row that contains
  ///   it.
  /// - `"to": {"photo": "photos", "video": "videos"}, "by": "type"` refers to rows of several
  ///   entities. The member `type` of each row determines its entity. `by` may be left out if the
  ///   member is named `type`.
  /// - `"aliases": {"writer": "author"}` maps the aliases in GraphQL responses to members.
  ///
  /// - Returns: The schema, or all problems with their positions: unknown members, relationships to
  ///   unknown entities, values of the wrong type.
  /// - Complexity: O(length of the text), plus sorting.
  public static func parse(_ bytes: [UInt8], file: String) -> Result<Schema, ImportProblems> {
    parse(bytes, file: file, at: .root)
  }

  /// Parses the text of a schema that is a part of a file. The paths of problems begin with `path`.
  static func parse(
    _ bytes: [UInt8], file: String, at path: JSONPath
  ) -> Result<Schema, ImportProblems> {
    do {
      let value = try JSONValue.parse(bytes)
      var parser = SchemaParser(file: file)
      let schema = parser.schema(value, at: path)
      return parser.problems.isEmpty
        ? .success(schema) : .failure(ImportProblems(parser.problems))
    } catch {
      return .failure(ImportProblems([ImportProblem(error, file: file, in: bytes, at: path)]))
    }
  }
}

extension JSONValue {
  /// The name of the value's kind in messages, such as "an object".
  var kindDescription: String { JSONText(self).kindDescription }
}

extension Schema {
  /// Returns the schema as JSON that ``parse(_:file:)`` reads: one line for each entity, sorted by
  /// name.
  ///
  /// - Complexity: O(size of the schema), plus sorting.
  public func bytes() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    write(to: &writer)
    writer.endLine()
    return writer.bytes
  }

  /// Writes the schema as JSON that ``parse(_:file:)`` reads.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("entities") { writer in
        for entity in entities { writer.object(entity.name) { entity.write(to: &$0) } }
      }
    }
  }
}

extension Schema.Entity {
  fileprivate func write(to writer: inout JSONWriter) {
    if hasCompositeID {
      writer.array("id", idNames) { $1.string($0) }
    } else {
      writer.member("id", idName)
    }
    if takesIDFromParent { writer.member("idFromParent", true) }
    if !byName.isEmpty {
      writer.object("relationships") { writer in
        for relationship in relationships {
          writer.name(relationship.name)
          relationship.write(to: &writer)
        }
      }
    }
    if !membersByAlias.isEmpty {
      writer.object("aliases") { writer in
        for (alias, member) in aliases { writer.member(alias, member) }
      }
    }
  }
}
