public import EntiaDatabase

extension Schema {
  /// The schema in the form that is printed as text and as a Mermaid diagram.
  ///
  /// JSON says nothing of delete rules, and only of the members that the schema names.
  /// - Parameter name: what the database is called.
  /// - Complexity: O(size of the schema), and sorting.
  public func storageSchema(name: String) -> StorageSchema {
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
