public import EntiaDatabase

extension Schema {
  /// Returns the schema in the form that is printed as text and as a Mermaid diagram.
  ///
  /// A JSON schema has no delete rules, and names no members except IDs and relationships.
  ///
  /// - Parameter name: The name of the database.
  /// - Complexity: O(size of the schema), plus sorting.
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
