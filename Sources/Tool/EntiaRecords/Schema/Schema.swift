import EntiaCoding

/// The entities, the members that are their IDs, and the members that refer to other rows.
public struct Schema: Hashable, Sendable {
  /// One kind of rows.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The name of the member that holds the ID. For a composite ID, the names of its members
    /// joined by `+`, such as `order+number`.
    public let idName: String
    /// The names of the members that make up the ID: one, or several for a composite ID.
    public let idNames: [String]
    /// Whether a record without an ID has an ID derived from the containing row, the member and the
    /// position, such as `posts/p1/comments/0`.
    public let takesIDFromParent: Bool
    var byName: [ExactString: Relationship]
    var membersByAlias: [ExactString: String]

    /// Creates an entity. Of several relationships with the same name, the last is used.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - idName: The name of the member that holds the ID.
    ///   - takesIDFromParent: Whether a record without an ID has one derived from the containing
    ///     row.
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
    /// The members remain members of the row. References to the row contain their texts, separated
    /// by `/`.
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
    public var hasCompositeID: Bool { idNames.count > 1 }

    /// The relationships, sorted by the UTF-8 bytes of their names.
    public var relationships: [Relationship] {
      byName.values.sorted { $0.name.precedesExactly($1.name) }
    }

    /// The aliases of members in GraphQL responses, sorted by their UTF-8 bytes, with the members'
    /// names.
    public var aliases: [(alias: String, member: String)] {
      membersByAlias.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }

    /// Returns the relationship of a member, or nil if it is a plain member.
    ///
    /// - Complexity: O(1).
    public func relationship(_ name: String) -> Relationship? { byName[ExactString(name)] }
  }

  private var byName: [ExactString: Entity]

  /// Creates a schema. Of several entities with the same name, the last is used.
  public init(_ entities: [Entity] = []) {
    byName = Dictionary(entities.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// The entities, sorted by the UTF-8 bytes of their names.
  ///
  /// - Complexity: O(entities × log entities).
  public var entities: [Entity] {
    byName.values.sorted { $0.name.precedesExactly($1.name) }
  }

  /// Returns the entity with a name, or nil if there is none.
  ///
  /// - Complexity: O(1).
  public func entity(_ name: String) -> Entity? { byName[ExactString(name)] }

  /// Whether the schema has no entities.
  public var isEmpty: Bool { byName.isEmpty }

  /// Inserts an entity, or replaces the one with the same name.
  mutating func set(_ entity: Entity) { byName[ExactString(entity.name)] = entity }
}
