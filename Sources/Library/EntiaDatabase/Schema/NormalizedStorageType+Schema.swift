extension NormalizedStorageType {
  /// The schema of a database of this type, without the fields of entities. These are read from an
  /// entity: use the `schema` of a database that contains entities.
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
  /// Returns the stored fields of an entity, in the order of their declaration; none for an entity
  /// that is not a struct, because its fields depend on the value.
  package static func fields(of entity: some EntityType) -> [Field] {
    let mirror = Mirror(reflecting: entity)
    guard mirror.displayStyle == .struct else { return [] }
    return mirror.children.compactMap { child in
      child.label.map { Field($0, TypeName.of(type(of: child.value))) }
    }
  }
}
