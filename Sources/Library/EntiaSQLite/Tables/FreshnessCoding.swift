import EntiaCollections
import EntiaDatabase
import Foundation

/// Returns the coding of the entries of an index of ages or answers.
/// - Throws: `NotCodable`.
func freshnessCoding<Index: FreshnessIndex>(
  of index: Index.Type
) throws(NotCodable) -> any ElementCoding<KeyValueEntry<Index.Key, Index.Value>> {
  func ages<Ages: AgeIndex>(_ type: Ages.Type) throws(NotCodable) -> AnyObject {
    AgeCoding<Ages.Entity>(ids: try idCoding(of: Ages.Entity.self))
  }
  func answers<Answers: AnswerIndex>(_ type: Answers.Type) throws(NotCodable) -> AnyObject {
    func make<Value: Codable>(_ type: Value.Type) -> AnyObject { AnswerCoding<Answers, Value>() }
    guard let type = Response<Answers.Entity>.self as? any (Encodable & Decodable).Type else {
      throw NotCodable(type: "the ID of \(Answers.Entity.entityName)")
    }
    return make(type)
  }
  let coding: AnyObject?
  if let type = Index.self as? any AgeIndex.Type {
    coding = try ages(type)
  } else if let type = Index.self as? any AnswerIndex.Type {
    coding = try answers(type)
  } else {
    coding = nil
  }
  guard let coding = coding as? any ElementCoding<KeyValueEntry<Index.Key, Index.Value>> else {
    throw NotCodable(type: "\(Index.self)")
  }
  return coding
}

/// The coding of the times at which rows were received. The key of an entry is the ID in the table,
/// and the time is the member `receivedAt`.
private final class AgeCoding<Entity: EntityType>: ElementCoding {
  typealias Element = KeyValueEntry<Entity.EntityID, Date>

  private let ids: any ElementCoding<Entity.EntityID>

  init(ids: any ElementCoding<Entity.EntityID>) { self.ids = ids }

  var hasIntegerID: Bool { ids.hasIntegerID }
  var isIdentifiable: Bool { false }

  func idForm(of entry: Element, _ encoder: RowEncoder) throws -> StoredValue {
    try ids.idForm(of: entry.key, encoder)
  }

  func key(of entry: Element) -> AnyHashable { entry.key }

  func storedKey(of id: StoredValue) -> AnyHashable? { ids.storedKey(of: id) }

  func encode(_ entry: Element, to encoder: RowEncoder) throws {
    try encoder.encode(AgeMembers(receivedAt: entry.value))
  }

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element {
    Element(
      key: try ids.decode(row, idColumn: idColumn),
      value: try row.decode(AgeMembers.self).receivedAt)
  }

  func label(of entry: Element) -> String { ids.label(of: entry.key) }
}

private struct AgeMembers: Codable {
  let receivedAt: Date
}

/// The coding of answers. The request of an answer is stored as the ID. `Value` is the `Codable`
/// type of the answers.
private final class AnswerCoding<Answers: AnswerIndex, Value: Codable>: ElementCoding {
  typealias Element = KeyValueEntry<HashedKey<Answers.Request>, Response<Answers.Entity>>

  private let json = NestedJSON()

  var hasIntegerID: Bool { false }
  var isIdentifiable: Bool { false }

  func idForm(of entry: Element, _ encoder: RowEncoder) throws -> StoredValue {
    StoredForm.distinct(try encoder.values.form(of: entry.key.key, at: []))
  }

  func key(of entry: Element) -> AnyHashable { entry.key }

  func storedKey(of id: StoredValue) -> AnyHashable? {
    // `Answers.Request` may have changed since `id` was stored.
    do { return try key(id) } catch { return nil }
  }

  private func key(_ id: StoredValue) throws -> HashedKey<Answers.Request> {
    HashedKey(try CellSource(id, json, at: []).decode(Answers.Request.self))
  }

  func encode(_ entry: Element, to encoder: RowEncoder) throws {
    try encoder.encode(recast(entry.value, as: Value.self))
  }

  func decode(_ row: RowDecoder, idColumn: Int) throws -> Element {
    Element(
      key: try key(row.value(at: idColumn)),
      value: recast(try row.decode(Value.self), as: Response<Answers.Entity>.self))
  }

  func label(of entry: Element) -> String { "\(entry.key.key)" }
}
