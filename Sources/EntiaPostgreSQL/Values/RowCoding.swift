import EntiaDatabase
import EntiaJSON
import Foundation

/// How the elements of one part of a storage, rows or IDs, are encoded and decoded.
struct RowCoding<Element> {
  /// Returns the JSON of an element.
  let encode: (_ element: Element) throws -> JSONValue
  /// Returns the element of a JSON value.
  let decode: (_ value: JSONValue) throws -> Element
  /// Returns the key of an element's ID in the server.
  let key: (_ element: Element) throws -> String
  /// Returns the text of an element's ID for messages.
  let label: (_ element: Element) -> String
}

/// The type of a part that cannot be encoded.
struct NotCodable: Error {
  let type: String
}

extension RowCoding where Element: EntityType {
  /// Creates the coding of the rows of an entity type.
  /// - Throws: `NotCodable`.
  static func rows() throws(NotCodable) -> Self {
    let ids = try RowCoding<Element.EntityID>.ids(of: Element.self)
    guard let type = Element.self as? any (Encodable & Decodable).Type else {
      throw NotCodable(type: Element.entityName)
    }
    func make<Row: Codable>(_ type: Row.Type) -> Self {
      // `Row` is `Element`, as a type that is known to be `Codable`.
      Self(
        encode: { try JSONFormEncoder.json(of: unsafeBitCast($0, to: Row.self)) },
        decode: { unsafeBitCast(try JSONFormDecoder($0).decode(Row.self), to: Element.self) },
        key: { try ids.key($0.entityID) }, label: { ids.label($0.entityID) })
    }
    return make(type)
  }
}

extension RowCoding {
  /// Creates the coding of the IDs of an entity type.
  /// - Throws: `NotCodable`.
  static func ids<Entity: EntityType>(
    of entity: Entity.Type
  ) throws(NotCodable) -> Self where Element == Entity.EntityID {
    guard let type = Entity.EntityIDRawType.self as? any (Encodable & Decodable).Type else {
      throw NotCodable(type: "the ID of \(Entity.entityName)")
    }
    func make<Raw: Codable>(_ type: Raw.Type) -> Self {
      // `Raw` is the raw type of the ID, as a type that is known to be `Codable`.
      func json(_ id: Element) throws -> JSONValue {
        try JSONFormEncoder.json(of: unsafeBitCast(id.raw, to: Raw.self))
      }
      return Self(
        encode: json,
        decode: {
          Element(
            unsafeBitCast(
              try JSONFormDecoder($0).decode(Raw.self), to: Entity.EntityIDRawType.self))
        },
        key: { RowKey.key(of: try json($0)) }, label: \.description)
    }
    return make(type)
  }
}

/// The keys of rows in the server: the JSON of the ID as text, one for all spellings of equal IDs.
enum RowKey {
  /// Returns the key of the JSON of an ID.
  static func key(of id: JSONValue) -> String {
    String(decoding: normalized(id).bytes(), as: UTF8.self)
  }

  private static func normalized(_ value: JSONValue) -> JSONValue {
    switch value {
    // Swift takes two spellings of a character as equal, and 0 and -0.
    case .string("$-0"): .number(JSONNumber("0.0") ?? JSONNumber(0))
    case .string(let text): .string(text.precomposedStringWithCanonicalMapping)
    case .array(let elements): .array(elements.map(normalized))
    case .object(let members):
      .object(
        members.map { member in
          JSONValue.Member(
            member.name.precomposedStringWithCanonicalMapping, normalized(member.value))
        }
        .sorted { ExactString($0.name) < ExactString($1.name) })
    case .null, .bool, .number: value
    }
  }
}
