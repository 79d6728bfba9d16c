/// A readable description of the parts of a database: as text, and as a Mermaid diagram.
///
/// ```swift
/// print(Library.schema)                 // tables, relationships and their rules
/// print(library.schema)                 // the same, and the fields of the entities in it
/// print(Library.schema.mermaid)         // erDiagram …
/// ```
public struct StorageSchema: Hashable, Sendable {
  /// A stored field of an entity.
  package struct Field: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The name of the type.
    package let type: String

    package init(_ name: String, _ type: String) {
      self.name = name
      self.type = type
    }
  }

  /// A table.
  package struct Table: Hashable, Sendable {
    /// The name of the table.
    package let name: String
    /// The name of the table's entity.
    package let entity: String
    /// The name of the field that is the ID, if it is known.
    package let idName: String?
    /// The name of the raw type of the ID.
    package let idType: String
    /// Whether the table is a `Tables.Ordered`.
    package let isOrdered: Bool
    /// The fields of the entity; empty if they are unknown, for example if the table has no rows.
    package let fields: [Field]

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
  package struct Rules: Hashable, Sendable {
    /// The rule for holders when a referenced entity is removed.
    package let onDelete: NullableDeleteRule
    /// The rule for the referenced entities when their holder is removed.
    package let onHolderDelete: HolderDeleteRule
  }

  /// A relationship.
  package struct Relationship: Hashable, Sendable {
    /// The name of the relationship.
    package let name: String
    /// The name of the entity that has the key.
    package let holder: String
    /// The name of the entity that the key references.
    package let target: String
    /// The kind of the key.
    package let kind: RelationshipKind
    /// The limits of the number of referenced entities, for a key that references several.
    package let countLimits: CountLimits
    /// The delete rules, or `nil` when the relationship has none.
    package let rules: Rules?
    /// Whether the entities that the key references must exist.
    package let isRequired: Bool
    /// The limits of the number of holders that may reference one entity.
    package let holderLimits: CountLimits

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

  /// An index, or a collection of held IDs.
  package struct Index: Hashable, Sendable {
    /// The name of the index.
    package let name: String
    /// The name of the indexed entity.
    package let entity: String
    /// The kind, such as `Sorted`.
    package let kind: String
    /// The fields of the key; empty for held IDs. A minus precedes a descending field, and
    /// `a closure` stands for a part that a closure computes.
    package let fields: [String]
    /// The rows that the index contains.
    package let coverage: IndexCoverage
  }

  /// A check.
  package struct Check: Hashable, Sendable {
    /// The name of the check.
    package let name: String
    /// The rule that must hold.
    package let rule: String
  }

  /// The name of the database.
  package let name: String
  /// The tables, in the order of their declaration.
  package internal(set) var tables: [Table]
  /// The relationships, in the order of their declaration.
  package internal(set) var relationships: [Relationship]
  /// The indexes, in the order of their declaration.
  package internal(set) var indexes: [Index] = []
  /// The checks, in the order of their declaration.
  package internal(set) var checks: [Check] = []

  package init(name: String, tables: [Table] = [], relationships: [Relationship] = []) {
    self.name = name
    self.tables = tables
    self.relationships = relationships
  }
}

extension StorageSchema {
  /// The schema as an entity-relationship diagram in the Mermaid language.
  ///
  /// Names that Mermaid cannot read are quoted. Quotation marks become apostrophes, and other
  /// characters that cannot be written in Mermaid become underscores.
  public var mermaid: String {
    var lines = ["erDiagram"]
    for table in tables {
      lines.append("  \(MermaidText.name(table.entity)) {")
      let hasID = table.fields.contains { $0.name == table.idKey }
      if !hasID { lines.append("    \(MermaidText.type(table.idType)) \(table.idWord) PK") }
      for field in table.fields {
        let mark = field.name == table.idKey ? " PK" : field.isKey ? " FK" : ""
        lines.append("    \(MermaidText.type(field.type)) \(MermaidText.word(field.name))\(mark)")
      }
      lines.append("  }")
    }
    for relationship in relationships {
      let ends =
        "\(MermaidText.name(relationship.holder)) \(relationship.line) "
        + MermaidText.name(relationship.target)
      let rule = relationship.rules.map { ", \($0.onDelete)" } ?? ""
      lines.append("  \(ends) : \(MermaidText.quoted(relationship.name + rule))")
    }
    return lines.joined(separator: "\n")
  }
}

extension StorageSchema.Table {
  /// The name of the field that is the ID: `idName`, or `id` if `idName` is `nil`.
  fileprivate var idKey: String { idName ?? "id" }

  fileprivate var idWord: String { MermaidText.word(idName ?? "entityID") }
}

extension StorageSchema.Field {
  fileprivate var isKey: Bool { type.contains(".EntityID") }
}

extension StorageSchema.Relationship {
  /// The cardinality of both ends, in the notation of Mermaid.
  fileprivate var line: String {
    let holders = (holderLimits.maximum == 1 ? "|" : "}") + (holderLimits.minimum > 0 ? "|" : "o")
    let targets =
      switch kind {
      case .toOne: "||"
      case .optionalToOne: "o|"
      case .orderedToMany, .unorderedToMany: countLimits.minimum > 0 ? "|{" : "o{"
      }
    return "\(holders)--\(targets)"
  }
}

/// Conversions to text that Mermaid parses as intended.
private enum MermaidText {
  static func name(_ name: String) -> String {
    isWord(name) ? name : quoted(name)
  }

  static func quoted(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "'"
      case "%", "\\": "_"
      case _ where scalar.properties.generalCategory == .control: "_"
      default: String(scalar)
      }
    }
    let joined = safe.joined()
    return "\"\(joined.isEmpty ? "_" : joined)\""
  }

  static func word(_ text: String) -> String {
    let safe = String(text.map { isWordCharacter($0) ? $0 : "_" })
    // A word must begin with a letter.
    return safe.first?.isLetter == true ? safe : "x_\(safe)"
  }

  static func type(_ type: String) -> String {
    var text = Substring(type)
    while text.last == "?" { text.removeLast() }
    if text.hasPrefix("["), text.hasSuffix("]"), !text.contains(":") {
      return self.type(String(text.dropFirst().dropLast())) + "[]"
    }
    return word(String(text))
  }

  private static func isWord(_ text: String) -> Bool {
    text.first?.isLetter == true && text.allSatisfy(isWordCharacter)
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }
}

extension StorageSchema: CustomStringConvertible {
  /// The schema as text, with one line for each table, field, relationship, index and check.
  public var description: String {
    var lines = [name]
    if !tables.isEmpty { lines += ["", "tables:"] + tables.flatMap(\.lines) }
    if !relationships.isEmpty {
      lines += ["", "relationships:"] + relationships.map { "  \($0)" }
    }
    if !indexes.isEmpty { lines += ["", "indexes:"] + indexes.map { "  \($0)" } }
    if !checks.isEmpty { lines += ["", "checks:"] + checks.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}

extension StorageSchema.Table {
  fileprivate var lines: [String] {
    let entity = self.entity == name ? "" : " of \(self.entity)"
    let id = idName.map { "in \($0)" } ?? idType
    return ["  \(name)\(entity), ID \(id)\(isOrdered ? ", ordered" : "")"]
      + fields.map { "    \($0.name): \($0.type)" }
  }
}

extension StorageSchema.Relationship: CustomStringConvertible {
  /// The relationship on one line.
  package var description: String {
    var parts = ["\(name): \(holder) -> \(target), \(kind)"]
    if countLimits != .any { parts.append(countLimits.description) }
    if holderLimits != .any { parts.append("holders: \(holderLimits)") }
    if isRequired { parts.append("required") }
    if let rules {
      parts.append("on delete \(rules.onDelete)")
      if rules.onHolderDelete == .cascade { parts.append("on delete of the holder cascade") }
    }
    return parts.joined(separator: "; ")
  }
}

extension StorageSchema.Index: CustomStringConvertible {
  /// The index on one line.
  package var description: String {
    let key = fields.isEmpty ? "" : " by \(fields.joined(separator: ", "))"
    let rows =
      switch coverage {
      case .allRows: ""
      case .rowsWithKey: "; rows that have it"
      case .acceptedRows: fields.isEmpty ? "" : "; some rows"
      }
    return "\(name): \(kind) of \(entity)\(key)\(rows)"
  }
}

extension StorageSchema.Check: CustomStringConvertible {
  /// The check on one line.
  package var description: String { "\(name): \(rule)" }
}

extension NormalizedStorageType {
  /// The schema of a database of this type, without the fields of entities. Fields can only be read
  /// from rows: for a schema with fields, use the `schema` of a database that has rows.
  /// - Complexity: That of `init()`.
  public static var schema: StorageSchema {
    var reader = SchemaReader<Self>(contents: Self().snapshot.contents, readsFields: false)
    Contents.visitParts(&reader)
    return reader.schema
  }

  /// The schema of this database, with the fields of the first entity of every table that is not
  /// empty.
  /// - Complexity: O(1) for each part.
  public var schema: StorageSchema {
    var reader = SchemaReader<Self>(contents: snapshot.contents, readsFields: true)
    Contents.visitParts(&reader)
    return reader.schema
  }
}

private struct SchemaReader<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let contents: Contents
  let readsFields: Bool
  var schema = StorageSchema(name: String(describing: Storage.self))

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let row = readsFields ? contents[keyPath: path].first { _ in true } : nil
    schema.tables.append(
      StorageSchema.Table(
        name: name, entity: Table.Entity.entityName, idName: nil,
        idType: TypeName.of(Table.Entity.EntityIDRawType.self), isOrdered: Table.isOrdered,
        fields: row.map(StorageSchema.fields) ?? []))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents[keyPath: path]
    schema.relationships.append(
      StorageSchema.Relationship(
        name: name, holder: Relationship.Holder.entityName,
        target: Relationship.Target.entityName, kind: relationship.kind,
        countLimits: relationship.countLimits,
        rules: StorageSchema.Rules(
          onDelete: relationship.onDelete, onHolderDelete: relationship.onHolderDelete),
        isRequired: relationship.isRequired, holderLimits: relationship.holderLimits))
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    let index = contents[keyPath: path]
    let kind = String(describing: Index.self).prefix { $0 != "<" }
    schema.indexes.append(
      StorageSchema.Index(
        name: name, entity: Index.Entity.entityName, kind: String(kind),
        fields: index.fields.map { field in
          field.path.map { (field.isDescending ? "-" : "") + fieldName($0) } ?? "a closure"
        }, coverage: index.coverage))
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    schema.checks.append(StorageSchema.Check(name: name, rule: contents[keyPath: path].rule))
  }
}

extension StorageSchema {
  /// Returns the stored fields of an entity, in the order of their declaration, without transient
  /// members. Returns an empty array for an entity that is not a struct, because its fields depend
  /// on the value.
  package static func fields(of entity: some EntityType) -> [Field] {
    let mirror = Mirror(reflecting: entity)
    guard mirror.displayStyle == .struct else { return [] }
    return mirror.children.compactMap { child in
      if child.value is any AnyTransientMember { return nil }
      return child.label.map { Field($0, TypeName.of(type(of: child.value))) }
    }
  }
}
