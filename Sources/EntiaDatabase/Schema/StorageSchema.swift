/// What a database is made of, for people to read: as text, and as a diagram for Mermaid.
///
/// ```swift
/// print(Library.schema)                 // tables, relationships and their rules
/// print(library.schema)                 // the same, and the fields of the entities that are there
/// print(Library.schema.mermaid)         // erDiagram …
/// ```
public struct StorageSchema: Hashable, Sendable {
  /// A stored field of an entity.
  public struct Field: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The name of the type.
    public let type: String

    package init(_ name: String, _ type: String) {
      self.name = name
      self.type = type
    }
  }

  /// A table.
  public struct Table: Hashable, Sendable {
    /// The name of the table.
    public let name: String
    /// The name of its entity.
    public let entity: String
    /// The name of the field that is the ID, where it is known.
    public let idName: String?
    /// The name of the type that an ID is made of.
    public let idType: String
    /// Whether the rows have an order of their own.
    public let isOrdered: Bool
    /// The fields, as far as they are known.
    public let fields: [Field]

    package init(
      name: String, entity: String, idName: String?, idType: String, isOrdered: Bool,
      fields: [Field]
    ) {
      self.name = name
      self.entity = entity
      self.idName = idName
      self.idType = idType
      self.isOrdered = isOrdered
      self.fields = fields
    }
  }

  /// What happens when an end of a relationship is removed.
  public struct Rules: Hashable, Sendable {
    /// What happens to a holder when an entity it names is removed.
    public let onDelete: NullableDeleteRule
    /// What happens to the named entities when their holder is removed.
    public let onHolderDelete: HolderDeleteRule
  }

  /// A relationship.
  public struct Relationship: Hashable, Sendable {
    /// The name of the relationship.
    public let name: String
    /// The name of the entity that has the key.
    public let holder: String
    /// The name of the entity that the key names.
    public let target: String
    /// What the key is like.
    public let kind: RelationshipKind
    /// How many entities the key may name, where it names several.
    public let countLimits: CountLimits
    /// The delete rules, where there are any.
    public let rules: Rules?
    /// Whether whatever the key names must be there.
    public let isRequired: Bool

    package init(
      name: String, holder: String, target: String, kind: RelationshipKind,
      countLimits: CountLimits = .any, rules: Rules? = nil, isRequired: Bool = false
    ) {
      self.name = name
      self.holder = holder
      self.target = target
      self.kind = kind
      self.countLimits = countLimits
      self.rules = rules
      self.isRequired = isRequired
    }
  }

  /// An index, or IDs that the user holds.
  public struct Index: Hashable, Sendable {
    /// The name of the index.
    public let name: String
    /// The name of the entity that it is of.
    public let entity: String
    /// The kind, as in `Sorted`.
    public let kind: String
    /// The fields that its key is made of, those that descend with a minus before them, and `a closure`
    /// for what one works out; empty for IDs that the user holds.
    public let fields: [String]
    /// Which rows it has.
    public let coverage: IndexCoverage
  }

  /// A check.
  public struct Check: Hashable, Sendable {
    /// The name of the check.
    public let name: String
    /// What has to be so.
    public let rule: String
  }

  /// The name of the database.
  public let name: String
  /// The tables, in the order of their declaration.
  public internal(set) var tables: [Table]
  /// The relationships, in the order of their declaration.
  public internal(set) var relationships: [Relationship]
  /// The indexes, in the order of their declaration.
  public internal(set) var indexes: [Index] = []
  /// The checks, in the order of their declaration.
  public internal(set) var checks: [Check] = []

  package init(name: String, tables: [Table] = [], relationships: [Relationship] = []) {
    self.name = name
    self.tables = tables
    self.relationships = relationships
  }
}
