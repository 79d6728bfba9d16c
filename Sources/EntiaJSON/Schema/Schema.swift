/// Which entities there are, which member is their ID, and which members name other rows.
public struct Schema: Hashable, Sendable {
  /// One kind of rows.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The name of the member that holds the ID; of a composite ID its members' names in one, such
    /// as `order+number`.
    public let idName: String
    /// The names of the members that make the ID: one that holds it, or several.
    public let idNames: [String]
    /// Says whether a record without an ID is named by the row that it is nested in, the member and
    /// the position there, such as `posts/p1/comments/0`.
    public let takesIDFromParent: Bool
    var byName: [ExactString: Relationship]
    var membersByAlias: [ExactString: String]

    /// Makes an entity; of two relationships with one name the last counts.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - idName: the name of the member that holds the ID.
    ///   - takesIDFromParent: whether a record without an ID is named by the row it is nested in.
    ///   - relationships: the members that name other rows.
    ///   - aliases: the names that GraphQL responses give members, and the members' own.
    public init(
      _ name: String, idName: String = "id", takesIDFromParent: Bool = false,
      relationships: [Relationship] = [], aliases: [String: String] = [:]
    ) {
      self.init(
        name, [idName], takesIDFromParent: takesIDFromParent, relationships: relationships,
        aliases: aliases)
    }

    /// Makes an entity whose ID is made of several members: numbers, strings, or references to one
    /// row.
    ///
    /// The members stay members of the row. What refers to it names it by their texts, with `/`
    /// between them.
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

    /// Says whether the ID is made of several members.
    public var hasCompositeID: Bool { idNames.count > 1 }

    /// The relationships, sorted by the UTF-8 of their names.
    public var relationships: [Relationship] {
      byName.values.sorted { $0.name.precedesExactly($1.name) }
    }

    /// The names that GraphQL responses give members, sorted by their UTF-8, and the members' own.
    public var aliases: [(alias: String, member: String)] {
      membersByAlias.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
    }

    /// Gives the relationship that a member is; nil if it is a plain member.
    ///
    /// - Complexity: O(1).
    public func relationship(_ name: String) -> Relationship? { byName[ExactString(name)] }
  }

  private var byName: [ExactString: Entity]

  /// Makes a schema; of two entities with one name the last counts.
  public init(_ entities: [Entity] = []) {
    byName = Dictionary(entities.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// The entities, sorted by the UTF-8 of their names.
  ///
  /// - Complexity: O(entities × log entities).
  public var entities: [Entity] {
    byName.values.sorted { $0.name.precedesExactly($1.name) }
  }

  /// Gives the entity of a name; nil if there is none.
  ///
  /// - Complexity: O(1).
  public func entity(_ name: String) -> Entity? { byName[ExactString(name)] }

  /// Says whether there is no entity.
  public var isEmpty: Bool { byName.isEmpty }

  /// Adds an entity, or replaces the one of its name.
  mutating func set(_ entity: Entity) { byName[ExactString(entity.name)] = entity }
}
