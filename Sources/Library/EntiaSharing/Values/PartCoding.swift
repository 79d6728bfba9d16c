import EntiaCoding
import EntiaCollections
package import EntiaDatabase
import Foundation

/// The functions that encode and decode the elements of one part of a storage: rows or IDs.
package struct PartCoding<Element> {
  /// Returns the JSON of an element.
  let encode: (_ element: Element) throws -> JSONValue
  /// Returns the element that a value in a text represents.
  package let decode: (_ text: FormText, _ node: Int) throws -> Element
  /// Returns the element that the object at `node` represents. Members of the object at `replaced`
  /// are read instead of the equally named members of the object at `node`. The closure is `nil` if
  /// elements are decoded by `Codable`.
  let decodeReplacing: ((_ text: FormText, _ node: Int, _ replaced: Int) throws -> Element)?
  /// Returns the key of an element's ID in the server.
  package let key: (_ element: Element) throws -> String
  /// Returns the current key of an ID, given the key of the ID in the server. The two keys differ
  /// if the key in the server has former names of the ID's members.
  package let currentKey: (_ key: String) throws -> String
  /// Returns the text of an element's ID for messages.
  let label: (_ element: Element) -> String
  /// Throws an error unless the JSON of an element decodes to an equal element with the same ID.
  let verify: (_ element: Element, _ value: JSONValue) throws -> Void
}

extension PartCoding where Element: EntityType {
  /// Creates the coding of the rows of an entity type in a part of a space. The coding uses the
  /// generated code of the type, or its `Codable` if it has no generated code.
  /// - Throws: `SharedDatabaseError.notCodable`.
  static func rows(in part: String, space: String) throws(SharedDatabaseError) -> Self {
    let ids = try PartCoding<Element.EntityID>.ids(of: Element.self, in: part, space: space)
    // In both functions, `Row` is the same type as `Element`, so the bit casts are valid.
    func generated<Row: RowCodable>(_ type: Row.Type) -> Self {
      rows(
        ids, encode: { try FormWriter.json(of: unsafeBitCast($0, to: Row.self)) },
        decode: { text, node in
          var row = try FormRow(text, at: node)
          return unsafeBitCast(try Row(row: &row), to: Element.self)
        },
        decodeReplacing: { text, node, replaced in
          var row = try FormRow(text, at: node, replacing: replaced)
          return unsafeBitCast(try Row(row: &row), to: Element.self)
        })
    }
    func coded<Row: Codable>(_ type: Row.Type) -> Self {
      rows(
        ids, encode: { try FormDestination.json(of: unsafeBitCast($0, to: Row.self)) },
        decode: { text, node in
          unsafeBitCast(try FormSource(text, at: node).decode(Row.self), to: Element.self)
        })
    }
    if let type = Element.self as? any RowCodable.Type { return generated(type) }
    if let type = Element.self as? any (Encodable & Decodable).Type { return coded(type) }
    throw .notCodable(space: space, entity: part, type: Element.entityName)
  }

  private static func rows(
    _ ids: PartCoding<Element.EntityID>, encode: @escaping (Element) throws -> JSONValue,
    decode: @escaping (FormText, Int) throws -> Element,
    decodeReplacing: ((FormText, Int, Int) throws -> Element)? = nil
  ) -> Self {
    let hasExactID = PartCoding<Element.EntityID>.isExact(Element.EntityIDRawType.self)
    let members = RowMembers<Element>()
    return Self(
      encode: encode, decode: decode, decodeReplacing: decodeReplacing,
      key: { try ids.key($0.entityID) }, currentKey: ids.currentKey,
      label: { ids.label($0.entityID) },
      verify: { row, value in
        let decoded = try LossyCoding.locating { try decode(try FormText(value), 0) }
        if !haveSameValue(decoded, row) {
          // Transient members are not encoded, so they are restored before the comparison.
          try LossyCoding.check(members.restored(decoded, row), equals: row)
        }
        if !hasExactID { try ids.verify(row.entityID, ids.encode(row.entityID)) }
      })
  }
}

extension PartCoding {
  /// Whether every value of a type is known to decode to an equal value.
  private static func isExact(_ type: Any.Type) -> Bool {
    type is any FixedWidthInteger.Type || type == String.self || type == UUID.self
  }

  /// Creates the coding of the IDs of an entity type in a part of a space.
  /// - Throws: `SharedDatabaseError.notCodable`.
  static func ids<Entity: EntityType>(
    of entity: Entity.Type, in part: String, space: String
  ) throws(SharedDatabaseError) -> Self where Element == Entity.EntityID {
    guard let type = Entity.EntityIDRawType.self as? any (Encodable & Decodable).Type else {
      throw .notCodable(space: space, entity: part, type: "the ID of \(Entity.entityName)")
    }
    let isExact = isExact(Entity.EntityIDRawType.self)
    func make<Raw: Codable>(_ type: Raw.Type) -> Self {
      // `Raw` is the raw type of the ID, and known to be `Codable`.
      func json(_ id: Element) throws -> JSONValue {
        try FormDestination.json(of: unsafeBitCast(id.raw, to: Raw.self))
      }
      func id(_ source: FormSource) throws -> Element {
        Element(unsafeBitCast(try source.decode(Raw.self), to: Entity.EntityIDRawType.self))
      }
      return Self(
        encode: json, decode: { try id(FormSource($0, at: $1)) }, decodeReplacing: nil,
        key: { ServerKey.key(of: try json($0)) },
        currentKey: { key in
          ServerKey.key(of: try json(id(FormSource(try JSONValue.parse(key)))))
        }, label: \.description,
        verify: { id, value in
          if isExact { return }
          let raw = unsafeBitCast(
            try LossyCoding.locating { try FormSource(value).decode(Raw.self) },
            to: Entity.EntityIDRawType.self)
          if Element(raw) == id { return }
          throw LossyCoding(
            reason: "the Codable form of \(id.raw) decodes to \(raw)", path: ["id"])
        })
    }
    return make(type)
  }
}

/// The error for an element whose JSON decodes to another element.
struct LossyCoding: Error {
  let reason: String
  /// The name of the member that differs, if it can be found.
  let path: [String]

  init(reason: String, path: [String]) { (self.reason, self.path) = (reason, path) }

  /// Decodes an element.
  /// - Throws: `LossyCoding` for an element that cannot be decoded.
  static func locating<Element>(_ decode: () throws -> Element) throws -> Element {
    do {
      return try decode()
    } catch {
      let (column, reason) = SharedDatabaseError.place(of: error)
      throw LossyCoding(
        reason: "its Codable form cannot be decoded: \(reason)", path: column.map { [$0] } ?? [])
    }
  }

  /// Throws an error unless a decoded element equals the encoded one.
  static func check<Element: Equatable>(_ decoded: Element, equals element: Element) throws {
    if haveSameValue(decoded, element) { return }
    for (old, new) in zip(
      Mirror(reflecting: element).children, Mirror(reflecting: decoded).children)
    where !areSame(old.value, new.value) {
      throw LossyCoding(
        reason: "its Codable form decodes to \(new.value) instead of \(old.value)",
        path: old.label.map { [$0] } ?? [])
    }
    throw LossyCoding(reason: "its Codable form decodes to a row that is not equal", path: [])
  }

  private static func areSame(_ first: Any, _ second: Any) -> Bool {
    func equals<Value: Equatable>(_ first: Value) -> Bool {
      (second as? Value).map { haveSameValue(first, $0) } ?? false
    }
    if let first = first as? any Equatable { return equals(first) }
    return String(reflecting: first) == String(reflecting: second)
  }
}

/// The parts of a storage that are shared: tables, and held IDs.
package struct SpaceParts<Storage: NormalizedStorageType>: HeldIDsVisitor {
  package typealias Contents = Storage.Contents

  /// The name of the space, for messages.
  package let space: String
  /// The coding of the elements of each part, by the part's name.
  private var codings: [String: any Sendable] = [:]
  /// A text with a line for each part and rule. Storages with different fingerprints cannot share a
  /// space.
  package private(set) var fingerprint = ""
  private var failure: SharedDatabaseError?

  /// Creates the parts.
  /// - Throws: `SharedDatabaseError.notCodable`.
  package init(space: String) throws(SharedDatabaseError) {
    self.space = space
    Contents.visitParts(&self)
    if let failure { throw failure }
    let schema = Storage.schema
    let lines =
      fingerprint.split(separator: "\n").map(String.init)
      + schema.relationships.map { "relationship \($0)" }
      + schema.indexes.filter { $0.kind == "Unique" }.map { "index \($0)" }
      + schema.checks.map { "check \($0)" }
    fingerprint = lines.joined(separator: "\n")
  }

  package mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let kind = Table.isOrdered ? "ordered table" : "table"
    fingerprint += "\(kind) \(name), ID \(Table.Entity.EntityIDRawType.self)\n"
    do {
      codings[name] = PartCodingBox(
        coding: try PartCoding<Table.Entity>.rows(in: name, space: space))
    } catch {
      failure = failure ?? error
    }
  }

  package mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    fingerprint += "held IDs \(name) of \(IDs.Entity.entityName)\n"
    do {
      codings[name] = PartCodingBox(
        coding: try PartCoding<IDs.Entity.EntityID>.ids(
          of: IDs.Entity.self, in: name, space: space))
    } catch {
      failure = failure ?? error
    }
  }

  /// Returns the coding of a part.
  package func coding<Element>(of part: String, _ element: Element.Type) -> PartCoding<Element>? {
    (codings[part] as? PartCodingBox<Element>)?.coding
  }

  /// Returns the reason why a space with another fingerprint cannot be used.
  package func difference(from other: String) -> String {
    let (mine, theirs) = (Self.lines(fingerprint), Self.lines(other))
    let missing = theirs.filter { !mine.contains($0) }
    let extra = mine.filter { !theirs.contains($0) }
    let parts = [("the space has", missing), ("this program has", extra)].compactMap {
      $1.isEmpty ? nil : "\($0) \($1.map { "'\($0)'" }.joined(separator: ", "))"
    }
    return parts.isEmpty ? "their parts have another order" : parts.joined(separator: "; ")
  }

  private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}

/// A coding, for a dictionary of codings of several types.
///
/// The closures of a coding are not `Sendable`. They are nevertheless safe to share, because they
/// capture only types.
private struct PartCodingBox<Element>: @unchecked Sendable {
  let coding: PartCoding<Element>
}
