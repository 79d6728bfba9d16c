import EntiaCollections
import EntiaDatabase
import EntiaJSON
import EntiaPostgreSQL
import EntiaRecords

extension RecordSpace {
  /// Replaces the rows of the space by those of a database, as one version.
  /// - Parameters:
  ///   - database: The database.
  ///   - replacesRows: Whether the space may have rows, which are removed.
  /// - Throws: `UntypedSpace.NotEmpty` when it has rows and may not; `SharedDatabaseError`. Nothing
  ///   was then changed, unless the connection was lost.
  /// - Complexity: O(size of the database) in time and memory.
  func write(_ database: RecordDatabase, replacingRows replacesRows: Bool) throws {
    try space.replace(
      Self.rows(of: database),
      expecting: replacesRows ? .anything : .empty(besides: Self.description))
  }

  private static func rows(of database: RecordDatabase) -> [UntypedSpace.Row] {
    var writer = JSONWriter(layout: .compact)
    writer.beginObject()
    for (entity, keys) in database.result {
      writer.name(entity)
      writer.beginArray()
      for key in keys { writer.value(key.value) }
      writer.endArray()
    }
    writer.endObject()
    let texts = ReferenceTexts(database.schema)
    var entities: [ExactString: Schema.Entity] = [:]
    for entity in database.schema.entities { entities[ExactString(entity.name)] = entity }
    var keys = RowKeys()
    var orders = MemberOrders()
    var rows: [UntypedSpace.Row] = []
    for record in database.table {
      guard let entity = entities[ExactString(record.id.entity)] else { continue }
      let id = JSONText(record.id.key.value)
      var members = entity.hasCompositeID ? [] : [member(entity.idName, id)]
      for (name, value) in record.members {
        let text =
          switch value {
          case .plain(let text): text
          case .reference, .references:
            JSONText.parsed(texts.text(of: value, by: entity.relationship(name)))
          }
        members.append(member(name, text))
      }
      let part = JSONTextForm.name(entity.name)
      let key = keys.insert(id, into: part)
      orders.note(members.map(\.name), ofRow: key, in: part)
      rows.append(UntypedSpace.Row(part: part, key: key, body: .object(members)))
    }
    // As strings, in which objects keep the order of their members.
    let descriptions = [
      ("schema", database.schema.bytes()), ("result", writer.bytes),
      ("members", orders.json.bytes()),
    ]
    return descriptions.map { key, bytes in
      UntypedSpace.Row(
        part: description, key: key, body: .string(String(decoding: bytes, as: UTF8.self)))
    } + rows
  }

  private static func member(_ name: String, _ text: JSONText) -> JSONValue.Member {
    JSONValue.Member(JSONTextForm.name(name), JSONTextForm.form(of: text))
  }
}

/// The keys of the rows of each part.
private struct RowKeys {
  private struct Place: Hashable {
    let part: String
    let key: ExactString
  }

  private var keys: Set<Place> = []

  /// Returns the key of the row with an ID.
  mutating func insert(_ id: JSONText, into part: String) -> String {
    let key = JSONTextForm.key(of: id)
    var unique = key
    var number = 1
    // IDs that JSON distinguishes and Swift does not, such as two spellings of a character.
    while !keys.insert(Place(part: part, key: ExactString(unique))).inserted {
      number += 1
      unique = "\(key) \(number)"
    }
    return unique
  }
}

extension JSONText {
  /// Returns a text that was written as JSON.
  fileprivate static func parsed(_ text: String) -> JSONText {
    do throws(JSONError) {
      return try parse(Array(text.utf8))
    } catch {
      return JSONText(.string(text))
    }
  }
}
