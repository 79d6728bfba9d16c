import EntiaDatabase
import Foundation

/// How the elements of one part of a storage, rows or IDs, are encoded and decoded.
struct ElementCoding<Element> {
  /// Returns the form of an element's ID.
  let idForm: (_ element: Element, _ values: ValueEncoder) throws -> StoredValue
  /// Returns the ID of an element, which equals all its spellings.
  let key: (_ element: Element) -> AnyHashable
  /// Returns the ID that the file has in any spelling; `nil` for a value that is no ID of the type.
  let storedKey: (_ id: StoredValue) -> AnyHashable?
  /// Encodes the members of an element; `nil` for elements that are IDs alone.
  let encode: ((_ element: Element, _ encoder: RowEncoder) throws -> Void)?
  /// Decodes an element from the current row.
  let decode: (_ row: RowDecoder, _ id: StoredValue) throws -> Element
  /// Whether the ID is an integer of at most 64 bits with a sign.
  let hasIntegerID: Bool
  /// Whether the ID is that of `Identifiable`, which usually is the member `id`.
  let isIdentifiable: Bool
  /// Returns the text of an element's ID for messages.
  let label: (_ element: Element) -> String
}

/// The type of a part that cannot be encoded.
struct NotCodable: Error {
  let type: String
}

extension ElementCoding where Element: EntityType {
  /// Creates the coding of the rows of an entity type.
  /// - Throws: `NotCodable`.
  static func rows() throws(NotCodable) -> Self {
    let ids = try ElementCoding<Element.EntityID>.ids(of: Element.self)
    guard let type = Element.self as? any (Encodable & Decodable).Type else {
      throw NotCodable(type: Element.entityName)
    }
    func make<Row: Codable>(_ type: Row.Type) -> Self {
      // `Row` is `Element`, as a type that is known to be `Codable`.
      Self(
        idForm: { try ids.idForm($0.entityID, $1) },
        key: { $0.entityID }, storedKey: ids.storedKey,
        encode: { try $1.encode(unsafeBitCast($0, to: Row.self)) },
        decode: { row, _ in unsafeBitCast(try row.decode(Row.self), to: Element.self) },
        hasIntegerID: ids.hasIntegerID,
        isIdentifiable: Element.self is any Identifiable.Type,
        label: { ids.label($0.entityID) })
    }
    return make(type)
  }
}

extension ElementCoding {
  /// Creates the coding of the IDs of an entity type.
  /// - Throws: `NotCodable`.
  static func ids<Entity: EntityType>(
    of entity: Entity.Type
  ) throws(NotCodable) -> Self where Element == Entity.EntityID {
    guard let type = Entity.EntityIDRawType.self as? any (Encodable & Decodable).Type else {
      throw NotCodable(type: "the ID of \(Entity.entityName)")
    }
    func make<Raw: Codable>(_ type: Raw.Type) -> Self {
      let json = JSONText()
      func decode(_ value: StoredValue) throws -> Element {
        let raw = try ValueDecoder(value: value, json: json, codingPath: []).decode(Raw.self)
        return Element(unsafeBitCast(raw, to: Entity.EntityIDRawType.self))
      }
      return Self(
        idForm: { id, values in
          let form = try values.form(of: unsafeBitCast(id.raw, to: Raw.self), at: [])
          return isScalar(Raw.self) ? form : StoredForm.distinct(form)
        },
        key: { $0 },
        storedKey: { value in
          // Something else may have inserted a value that is no ID of this type.
          do { return try decode(value) } catch { return nil }
        },
        encode: nil, decode: { try decode($1) },
        hasIntegerID: (Raw.self as? any FixedWidthInteger.Type).map { fitsSigned($0) } ?? false,
        isIdentifiable: false, label: { $0.description })
    }
    return make(type)
  }
}

/// Whether the IDs of a type are all stored alike. Those of other types may be integers and
/// floating-point numbers, which SQLite takes as one key when they are numerically equal.
private func isScalar(_ type: Any.Type) -> Bool {
  type == Double.self || type == Float.self || type == Date.self
    || type is any RawRepresentable.Type
}

private func fitsSigned<Number: FixedWidthInteger>(_ type: Number.Type) -> Bool {
  Int64(exactly: Number.max) != nil && Int64(exactly: Number.min) != nil
}
