import EntiaDatabase
import Foundation

/// The coding of the rows of an entity type.
final class RowCoding<Element: EntityType, Members: MemberCoding<Element>>: ElementCoding {
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

  func idForm(inMembersOf row: RowDecoder) -> StoredValue? { ids.idForm(inMembersOf: row) }

  func hasID(of element: Element, _ row: ChunkRow, idColumn: Int) -> Bool {
    let id = element.entityID
    if idType.isForm(of: id, row, at: idColumn) { return true }
    return ids.storedKey(of: row.value(at: idColumn)) == AnyHashable(id)
  }

  func encode(_ element: Element, to encoder: RowEncoder) throws {
    try Members.encode(element, to: encoder)
  }

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element { try Members.decode(row) }

  func label(of element: Element) -> String { ids.label(of: element.entityID) }
}

/// Returns the coding of the rows of an entity type.
/// - Throws: `NotCodable`.
func rowCoding<Entity: EntityType>(
  of entity: Entity.Type
) throws(NotCodable) -> any ElementCoding<Entity> {
  func generated<Row: EntityType & RowCodable>(
    _ type: Row.Type
  ) throws(NotCodable) -> AnyObject {
    RowCoding<Row, GeneratedMembers<Row>>(ids: try idCoding(of: Row.self))
  }
  func codable<Row: EntityType & Codable>(_ type: Row.Type) throws(NotCodable) -> AnyObject {
    RowCoding<Row, CodableMembers<Row>>(ids: try idCoding(of: Row.self))
  }
  let coding: AnyObject?
  if let type = Entity.self as? any (EntityType & RowCodable).Type {
    coding = try generated(type)
  } else if let type = Entity.self as? any (EntityType & Codable).Type {
    coding = try codable(type)
  } else {
    coding = nil
  }
  // The cast fails only if `coding` is `nil`, because `Row` is the same type as `Entity`.
  guard let coding = coding as? any ElementCoding<Entity> else {
    throw NotCodable(type: Entity.entityName)
  }
  return coding
}

/// Encodes and decodes the members of rows.
protocol MemberCoding<Row> {
  /// The type of the rows.
  associatedtype Row

  /// Encodes a row.
  /// - Throws: The error that encoding the row throws.
  static func encode(_ row: Row, to encoder: RowEncoder) throws

  /// Decodes the current row of a decoder.
  /// - Throws: `DecodingError`, and the error that the row throws.
  static func decode(_ decoder: RowDecoder) throws -> Row
}

/// The members of rows with generated code.
private enum GeneratedMembers<Row: RowCodable>: MemberCoding {
  static func encode(_ row: Row, to encoder: RowEncoder) throws { try encoder.encodeMembers(row) }
  static func decode(_ decoder: RowDecoder) throws -> Row { try decoder.decodeMembers(Row.self) }
}

/// The members of rows that are `Codable`.
private enum CodableMembers<Row: Codable>: MemberCoding {
  static func encode(_ row: Row, to encoder: RowEncoder) throws { try encoder.encode(row) }
  static func decode(_ decoder: RowDecoder) throws -> Row { try decoder.decode(Row.self) }
}

/// Encodes and decodes the elements of one part of a storage: rows or IDs.
///
/// The coding is a class and not a structure with closures. Each row needs several calls, and
/// calling a method is cheaper than calling a closure.
protocol ElementCoding<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Whether the ID is of an integer type whose values all fit into `Int64`.
  var hasIntegerID: Bool { get }
  /// Whether the elements are rows of an `Identifiable` type. Their ID is usually the member `id`.
  var isIdentifiable: Bool { get }

  /// Returns the form of an element's ID.
  /// - Throws: The error that encoding the ID throws.
  func idForm(of element: Element, _ encoder: RowEncoder) throws -> StoredValue

  /// Returns the ID of an element. Different spellings of an ID have equal keys.
  func key(of element: Element) -> AnyHashable

  /// Returns the ID for a stored value, which may be in any spelling of the ID. Returns `nil` if
  /// the value is no ID of the type.
  func storedKey(of id: StoredValue) -> AnyHashable?

  /// Returns the form of the ID in the members of the current row, which is no element of the type;
  /// `nil` if the members have no ID that can be read.
  func idForm(inMembersOf row: RowDecoder) -> StoredValue?

  /// Returns whether the ID column of a row contains the ID of the element decoded from the row. An
  /// entity decodes its ID from its members, which may be other columns.
  func hasID(of element: Element, _ row: ChunkRow, idColumn: Int) -> Bool

  /// Encodes the members of an element. An element that is only an ID has none.
  /// - Throws: The error that encoding the element throws.
  func encode(_ element: Element, to encoder: RowEncoder) throws

  /// Decodes an element from the current row.
  /// - Parameters:
  ///   - row: The decoder of the row.
  ///   - idColumn: The column of the ID.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element

  /// Returns the text of an element's ID for messages.
  func label(of element: Element) -> String
}

extension ElementCoding {
  func idForm(inMembersOf row: RowDecoder) -> StoredValue? { nil }
  func hasID(of element: Element, _ row: ChunkRow, idColumn: Int) -> Bool { true }
}

/// The type of a part that cannot be encoded.
struct NotCodable: Error {
  let type: String
}

/// The coding of the IDs of an entity type. `Raw` is the `Codable` type of the raw values of the
/// IDs.
final class IDCoding<Entity: EntityType, Raw: Codable>: ElementCoding {
  typealias Element = Entity.EntityID

  let hasIntegerID: Bool
  private let idType = StoredType(Element.self)
  /// Whether all IDs of the type are stored in the same form. If not, the IDs may include integers
  /// and floating-point numbers. SQLite takes `1` and `1.0` as one key, so
  /// `StoredForm.distinct(_:)` then makes them distinct.
  private let isScalar: Bool
  private let json = NestedJSON()

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
    // Another program may have inserted a value that is no ID of this type.
    do { return try decode(id) } catch { return nil }
  }

  func idForm(inMembersOf row: RowDecoder) -> StoredValue? {
    do {
      let isIdentifiable = Entity.self is any Identifiable.Type
      let id = isIdentifiable ? try row.decode(IdentifiableMember<Raw>.self).id : nil
      let raw = try id ?? row.decode(Raw.self)
      return try idForm(
        of: Element(unsafeBitCast(raw, to: Entity.EntityIDRawType.self)), RowEncoder())
    } catch {
      // The ID itself cannot be read, or is computed from other members.
      return nil
    }
  }

  func encode(_ id: Element, to encoder: RowEncoder) {}

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element {
    try decode(try row.value(at: idColumn))
  }

  private func decode(_ value: StoredValue) throws -> Element {
    let raw = try CellSource(value, json, at: []).decode(Raw.self)
    return Element(unsafeBitCast(raw, to: Entity.EntityIDRawType.self))
  }

  func label(of id: Element) -> String { id.description }
}

/// The member `id` of a row; `nil` if the ID consists of several members.
private struct IdentifiableMember<ID: Decodable>: Decodable {
  let id: ID?
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

/// A statement that writes columns of members. Its first parameters are the values of these
/// members.
final class RowStatement {
  private let statement: SQLiteStatement
  let columns: [Int]
  /// The cells that the statement removes; `nil` for one that inserts.
  let removed: RemovedColumns?

  init(_ statement: SQLiteStatement, columns: [Int], removed: RemovedColumns? = nil) {
    self.statement = statement
    self.columns = columns
    self.removed = removed
  }

  /// Writes the current row of an encoder.
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - id: The value of the parameter after the members; `nil` if the statement has no parameter
  ///     for the ID.
  ///   - order: The value of the last parameter; `nil` if the statement has no parameter for the
  ///     order number.
  /// - Throws: `SQLiteFailure`.
  func run(_ encoder: RowEncoder, id: StoredValue?, order: Int64?) throws(SQLiteFailure) {
    try encoder.bind(columns, to: statement)
    var parameter = columns.count
    if let id {
      try statement.bind(id, at: parameter)
      parameter += 1
    }
    if let order { try statement.bind(order, at: parameter) }
    try statement.run()
  }
}
