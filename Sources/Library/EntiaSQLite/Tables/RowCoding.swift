import EntiaDatabase

/// The coding of the rows of an entity type.
final class RowCoding<Element: EntityType & Codable>: ElementCoding {
  private let ids: any ElementCoding<Element.EntityID>
  private let idType = StoredType(Element.EntityID.self)

  fileprivate init(ids: any ElementCoding<Element.EntityID>) { self.ids = ids }

  var hasIntegerID: Bool { ids.hasIntegerID }
  var isIdentifiable: Bool { Element.self is any Identifiable.Type }

  func idForm(of element: Element, _ encoder: RowEncoder) throws -> StoredValue {
    let id = element.entityID
    return try idType.form(of: id) ?? ids.idForm(of: id, encoder)
  }

  func key(of element: Element) -> AnyHashable { element.entityID }

  func storedKey(of id: StoredValue) -> AnyHashable? { ids.storedKey(of: id) }

  func encode(_ element: Element, to encoder: RowEncoder) throws { try encoder.encode(element) }

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element {
    try row.decode(Element.self)
  }

  func label(of element: Element) -> String { ids.label(of: element.entityID) }
}

/// Returns the coding of the rows of an entity type.
/// - Throws: `NotCodable`.
func rowCoding<Entity: EntityType>(
  of entity: Entity.Type
) throws(NotCodable) -> any ElementCoding<Entity> {
  guard let type = Entity.self as? any (EntityType & Codable).Type else {
    throw NotCodable(type: Entity.entityName)
  }
  func make<Row: EntityType & Codable>(_ type: Row.Type) throws(NotCodable) -> AnyObject {
    RowCoding<Row>(ids: try idCoding(of: Row.self))
  }
  // `Row` is `Entity`, as a type that is known to be `Codable`.
  guard let coding = try make(type) as? any ElementCoding<Entity> else {
    throw NotCodable(type: Entity.entityName)
  }
  return coding
}
