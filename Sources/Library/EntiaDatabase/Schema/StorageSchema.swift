/// A readable description of the parts of a database: as text, and as a Mermaid diagram.
///
/// ```swift
/// print(Library.schema)                 // tables, relationships and their rules
/// print(library.schema)                 // the same, and the fields of the entities in it
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
    /// The name of the table's entity.
    public let entity: String
    /// The name of the field that is the ID, if it is known.
    public let idName: String?
    /// The name of the raw type of the ID.
    public let idType: String
    /// Whether the table has an order of its own.
    public let isOrdered: Bool
    /// The known fields.
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

  /// The delete rules of a relationship.
  public struct Rules: Hashable, Sendable {
    /// The rule for holders when a referenced entity is removed.
    public let onDelete: NullableDeleteRule
    /// The rule for the referenced entities when their holder is removed.
    public let onHolderDelete: HolderDeleteRule
  }

  /// A relationship.
  public struct Relationship: Hashable, Sendable {
    /// The name of the relationship.
    public let name: String
    /// The name of the entity that has the key.
    public let holder: String
    /// The name of the entity that the key references.
    public let target: String
    /// The kind of the key.
    public let kind: RelationshipKind
    /// The limits of the number of referenced entities, for a key that references several.
    public let countLimits: CountLimits
    /// The delete rules, or `nil` when the relationship has none.
    public let rules: Rules?
    /// Whether the entities that the key references must exist.
    public let isRequired: Bool
    /// The limits of the number of holders that may reference one entity.
    public let holderLimits: CountLimits

    package init(
      name: String, holder: String, target: String, kind: RelationshipKind,
      countLimits: CountLimits = .any, rules: Rules? = nil, isRequired: Bool = false,
      holderLimits: CountLimits = .any
    ) {
      self.name = name
      self.holder = holder
      self.target = target
      self.kind = kind
      self.countLimits = countLimits
      self.rules = rules
      self.isRequired = isRequired
      self.holderLimits = holderLimits
    }
  }

  /// An index, or IDs that the user holds.
  public struct Index: Hashable, Sendable {
    /// The name of the index.
    public let name: String
    /// The name of the indexed entity.
    public let entity: String
    /// The kind, such as `Sorted`.
    public let kind: String
    /// The fields of the key; empty for IDs that the user holds. A minus precedes a descending
    /// field, and `a closure` stands for a part that a closure computes.
    public let fields: [String]
    /// The rows that the index contains.
    public let coverage: IndexCoverage
  }

  /// A check.
  public struct Check: Hashable, Sendable {
    /// The name of the check.
    public let name: String
    /// The rule that must hold.
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
