import EntiaDatabase
import Foundation

/// The coding of the IDs of an entity type. `Raw` is the type of their raw values, known to be
/// `Codable`.
final class IDCoding<Entity: EntityType, Raw: Codable>: ElementCoding {
  typealias Element = Entity.EntityID

  let hasIntegerID: Bool
  private let idType = StoredType(Element.self)
  /// Whether the IDs are all stored alike. Those of other types may be integers and floating-point
  /// numbers, which SQLite takes as one key when they are numerically equal.
  private let isScalar: Bool
  private let json = JSONText()

  fileprivate init(_ type: Raw.Type) {
    hasIntegerID = (type as? any FixedWidthInteger.Type).map { fitsSigned($0) } ?? false
    let any: Any.Type = type
    isScalar =
      any == Double.self || any == Float.self || any == Date.self
      || any is any RawRepresentable.Type
  }

  var isIdentifiable: Bool { false }

  func idForm(of id: Element, _ encoder: RowEncoder) throws -> StoredValue {
    if let form = idType.form(of: id) { return form }
    let form = try encoder.values.form(of: unsafeBitCast(id.raw, to: Raw.self), at: [])
    return isScalar ? form : StoredForm.distinct(form)
  }

  func key(of id: Element) -> AnyHashable { id }

  func storedKey(of id: StoredValue) -> AnyHashable? {
    // Something else may have inserted a value that is no ID of this type.
    do { return try decode(id) } catch { return nil }
  }

  func encode(_ id: Element, to encoder: RowEncoder) {}

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element {
    try decode(row.value(at: idColumn))
  }

  private func decode(_ value: StoredValue) throws -> Element {
    let raw = try ValueDecoder(value: value, json: json, codingPath: []).decode(Raw.self)
    return Element(unsafeBitCast(raw, to: Entity.EntityIDRawType.self))
  }

  func label(of id: Element) -> String { id.description }
}

/// Returns the coding of the IDs of an entity type.
/// - Throws: `NotCodable`.
func idCoding<Entity: EntityType>(
  of entity: Entity.Type
) throws(NotCodable) -> any ElementCoding<Entity.EntityID> {
  guard let type = Entity.EntityIDRawType.self as? any (Encodable & Decodable).Type else {
    throw NotCodable(type: "the ID of \(Entity.entityName)")
  }
  func make<Raw: Codable>(_ type: Raw.Type) -> any ElementCoding<Entity.EntityID> {
    IDCoding<Entity, Raw>(type)
  }
  return make(type)
}

private func fitsSigned<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
  Int64(exactly: Number.max) != nil && Int64(exactly: Number.min) != nil
}
