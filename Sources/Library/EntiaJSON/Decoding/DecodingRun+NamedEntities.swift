import EntiaCoding
public import EntiaDatabase

/// An entity that the input names as the type of a record or of a link to one.
@usableFromInline
struct NamedEntity {
  let type: any EntityType.Type
  /// The name of the type in the input.
  let name: String
}

extension DecodingRun {
  /// Checks that the input names no other entity for a record or its ID than the one that is read.
  ///
  /// - Throws: `DecodingError.typeMismatch` if it does.
  @inlinable
  @inline(__always)
  func checkEntity<Entity: EntityType>(_ type: Entity.Type, at node: Int) throws {
    // Only some formats have names of types.
    if !namedEntities.isEmpty { try compareEntity(type, node) }
  }

  @usableFromInline
  func compareEntity<Entity: EntityType>(_ type: Entity.Type, _ node: Int) throws {
    guard let named = namedEntities[node], ObjectIdentifier(named.type) != ObjectIdentifier(type)
    else { return }
    let path = codingPath(node)
    let member = path.last { $0.intValue == nil }.map { " as \($0.stringValue.quoted)" } ?? ""
    throw DecodingError.typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: "expected a row of \(Entity.entityName)\(member), found the type "
          + "\(named.name.quoted), which is \(named.type.entityName)"))
  }
}
