/// Which entities there are, which member is their ID, and which members name other rows.
public struct Schema: Hashable, Sendable {
  /// One kind of rows.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The name of the member that holds the ID.
    public let idName: String
    var byName: [ExactString: Relationship]

    /// Makes an entity; of two relationships with one name the last counts.
    public init(_ name: String, idName: String = "id", relationships: [Relationship] = []) {
      self.name = name
      self.idName = idName
      byName = Dictionary(
        relationships.map { (ExactString($0.name), $0) }, uniquingKeysWith: { $1 })
    }

    /// The relationships, sorted by the UTF-8 of their names.
    public var relationships: [Relationship] {
      byName.values.sorted { $0.name.precedesExactly($1.name) }
    }

    /// Gives the relationship that a member is; nil if it is a plain member.
    ///
    /// - Complexity: O(1).
    public func relationship(_ name: String) -> Relationship? { byName[ExactString(name)] }
  }

  /// A member that names rows of an entity.
  public struct Relationship: Hashable, Sendable {
    /// The name of the member.
    public let name: String
    /// The entity whose rows it names.
    public let target: String
    /// Says whether it names a list of rows, or one.
    public let isMany: Bool

    /// Makes a relationship.
    public init(_ name: String, to target: String, isMany: Bool = false) {
      self.name = name
      self.target = target
      self.isMany = isMany
    }
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
