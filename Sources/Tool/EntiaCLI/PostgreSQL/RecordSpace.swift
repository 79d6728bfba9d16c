import EntiaCollections
import EntiaDatabase
import EntiaJSON
import EntiaPostgreSQL
import EntiaRecords

/// A space as records without Swift types. `SharedDatabase` opens the same space with a storage.
///
/// Each entity has the rows of the table with its name, so that a program with matching entities
/// can load them. The part `$records` has the schema, the rows of the top level and the orders of
/// members. No table has this name. The part describes the space at the time of writing. Rows that
/// were changed later are read in their current state.
struct RecordSpace {
  /// The name of the part of the space that describes the records.
  static let description = "$records"

  let space: UntypedSpace

  /// Creates a value that accesses a space. The first access connects to the server.
  /// - Parameters:
  ///   - connection: The connection string.
  ///   - space: The name of the space.
  /// - Throws: `SharedDatabaseError` for a connection string that cannot be used.
  init(connecting connection: String, space: String) throws {
    self.space = try UntypedSpace(connecting: connection, space: space)
  }
}

extension RecordSpace {
  /// Reads the space as the JSON of its tables, which can be imported.
  /// - Returns: `json`, the JSON of the tables, and `notes` on the parts of the space that the JSON
  ///   lacks.
  /// - Throws: `SharedDatabaseError`.
  /// - Complexity: O(size of the space) in time and memory.
  func read() throws -> (json: [UInt8], notes: [String]) {
    var reading = SpaceReading()
    try space.read { reading.add($0) }
    return try reading.finish(space.space)
  }
}

/// Collects the rows of a space, and writes them as JSON.
private struct SpaceReading {
  private struct Part {
    let name: String
    var rows: [UntypedSpace.Row] = []
  }

  private var description: [String: JSONValue] = [:]
  private var parts: [Part] = []
  private var heldIDs: [String] = []
  private var notes: [String] = []
  private var orders = MemberOrders()
  private var writer = JSONWriter(layout: .lines(depth: 3))
  /// The keys of all rows, by entity, for the entities with rows at the top level.
  private var keys: [ExactString: Set<ExactString>] = [:]

  mutating func add(_ row: UntypedSpace.Row) {
    if row.part == RecordSpace.description {
      description[row.key] = row.body
      return
    }
    let name = JSONTextForm.name(of: row.part)
    guard !row.isHeldID, case .object = row.body else {
      if heldIDs.last != name { heldIDs.append(name) }
      return
    }
    if parts.last.map({ ExactString($0.name) }) != ExactString(name) {
      parts.append(Part(name: name))
    }
    parts[parts.count - 1].rows.append(row)
  }

  mutating func finish(_ space: String) throws -> (json: [UInt8], notes: [String]) {
    let schema = try described("schema", space)
    let result = try described("result", space)
    orders = MemberOrders(try described("members", space))
    for member in result?.members ?? [] { keys[ExactString(member.name)] = [] }
    writer.beginObject()
    writer.name("schema")
    let idNames = writer.schema(schema, of: parts.map(\.name)) { [parts] in
      Self.idNames(of: parts[$0])
    }
    writer.name("entities")
    writer.beginObject()
    for part in parts { write(part, idNames: idNames[ExactString(part.name)] ?? []) }
    writer.endObject()
    writer.name("result")
    writer.result(result) { [keys] entity, id in
      keys[ExactString(entity)]?.contains(ExactString(JSONText(id).text)) == true
    }
    writer.endObject()
    writer.endLine()
    return (
      writer.bytes, heldIDs.map { "'\($0)' holds IDs and no rows; it is left out" } + notes
    )
  }

  private func described(_ key: String, _ space: String) throws -> JSONValue? {
    guard case .string(let text) = description[key] else { return nil }
    do throws(JSONError) {
      return try JSONValue.parse(text)
    } catch {
      throw SharedDatabaseError.cannotDecode(
        space: space, entity: RecordSpace.description, row: key, column: "body",
        reason: error.message)
    }
  }

  /// Returns the names of the members that hold the ID in each row. If the rows have no such
  /// members, returns the name of a new member for the ID.
  private static func idNames(of part: Part) -> [String] {
    var names = part.rows.first?.body.members.map { JSONTextForm.name(of: $0.name) } ?? []
    names.sort { ($0 == "id" ? 0 : 1, ExactString($0)) < ($1 == "id" ? 0 : 1, ExactString($1)) }
    let found = names.first { name in
      part.rows.allSatisfy { row in
        row.body[JSONTextForm.name(name)].map { JSONTextForm.key(of: JSONTextForm.text(of: $0)) }
          == row.key
      }
    }
    if let found { return [found] }
    if let names = compositeIDNames(of: part) { return names }
    let isFree = part.rows.allSatisfy { $0.body["id"] == nil }
    return [isFree ? "id" : "entia_id"]
  }

  /// Returns the names of the members of a composite ID, or `nil` if the IDs are not composite.
  private static func compositeIDNames(of part: Part) -> [String]? {
    guard let first = part.rows.first else { return nil }
    do throws(JSONError) {
      let names = try JSONValue.parse(first.key).members.map { JSONTextForm.name(of: $0.name) }
      guard names.count > 1 else { return nil }
      let isID = part.rows.allSatisfy { row in
        JSONTextForm.key(ofForm: id(of: row.body.members, names)) == row.key
          && key(of: row, names) != nil
      }
      return isID ? names : nil
    } catch {
      // The key is no JSON.
      return nil
    }
  }

  /// Returns the form of a composite ID, from the forms of a row's members.
  fileprivate static func id(of members: [JSONValue.Member], _ names: [String]) -> JSONValue {
    let forms = Set(names.map { ExactString(JSONTextForm.name($0)) })
    return .object(members.filter { forms.contains(ExactString($0.name)) })
  }

  /// Returns a composite ID as one key, or `nil` if a member is missing or cannot be part of an ID.
  private static func key(of row: UntypedSpace.Row, _ names: [String]) -> RecordKey? {
    var parts: [RecordKey] = []
    for name in names {
      guard let form = row.body[JSONTextForm.name(name)],
        let key = JSONTextForm.text(of: form).key
      else { return nil }
      parts.append(key)
    }
    return RecordKey(composedOf: parts)
  }

  private mutating func write(_ part: Part, idNames: [String]) {
    // A composite ID is not written, because it follows from the members.
    let idName = idNames.count == 1 ? idNames[0] : nil
    let isResult = keys[ExactString(part.name)] != nil
    var numbers: [ExactString: Int] = [:]
    writer.name(part.name)
    // If possible, the rows are written in an object by ID, because the paths of problems are then
    // readable.
    if idName == nil { writer.beginArray() } else { writer.beginObject() }
    for row in part.rows {
      let id = idName.map { Self.id(of: row, $0) }
      if let id { writer.name(id.string ?? id.text) }
      if isResult,
        let id = id ?? Self.key(of: row, idNames).map({ JSONText($0.value) })
      {
        keys[ExactString(part.name)]?.insert(ExactString(id.text))
      }
      writer.beginObject()
      if let idName, let id {
        writer.name(idName)
        writer.text(id)
      }
      for member in orders.ordered(row.body.members, ofRow: row.key, in: row.part) {
        let name = JSONTextForm.name(of: member.name)
        if JSONTextForm.hasNaN(member.value) { numbers[ExactString(name), default: 0] += 1 }
        if let idName, ExactString(name) == ExactString(idName) { continue }
        writer.name(name)
        writer.text(JSONTextForm.text(of: member.value))
      }
      writer.endObject()
    }
    if idName == nil { writer.endArray() } else { writer.endObject() }
    for (name, count) in numbers.sorted(by: { $0.key < $1.key }) {
      notes.append(
        "\(part.name).\(name.string): NaN in \(count.counted("row")) is read as a text such as "
          + "\"$NaN\", which is no number for 'entia push'")
    }
  }

  /// Returns the ID of a row. If the row has no member for the ID, the ID is read from the row's
  /// key.
  private static func id(of row: UntypedSpace.Row, _ idName: String) -> JSONText {
    if let value = row.body[JSONTextForm.name(idName)] { return JSONTextForm.text(of: value) }
    do throws(JSONError) {
      let key = JSONTextForm.text(of: try JSONValue.parse(row.key))
      // In JSON, an ID is a string or a number.
      if "\"-0123456789".utf8.contains(where: { $0 == key.text.utf8.first }) { return key }
    } catch {
      // The key is no JSON.
    }
    return JSONText(.string(row.key))
  }
}

extension RecordSpace {
  /// Replaces the rows of the space by the rows of a database, as one version.
  /// - Parameters:
  ///   - database: The database.
  ///   - replacesRows: Whether to remove existing rows of the space.
  /// - Throws: `UntypedSpace.NotEmpty` if the space has rows and `replacesRows` is `false`;
  ///   `SharedDatabaseError`. After an error, the space is unchanged. If the connection was lost,
  ///   however, the server may have stored the new rows.
  /// - Complexity: O(size of the database) in time and memory.
  func write(_ database: RecordDatabase, replacingRows replacesRows: Bool) throws {
    try space.replace(
      Self.rows(of: database),
      expecting: replacesRows ? .anything : .empty(besides: Self.description))
  }

  private static func rows(of database: RecordDatabase) -> [UntypedSpace.Row] {
    let forms = ReferenceForms(database.schema.entities)
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
            JSONText.parsed(forms.text(of: value, by: entity.relationship(name)))
          }
        members.append(member(name, text))
      }
      let part = JSONTextForm.name(entity.name)
      // The key of a composite ID is made from an object, because programs that share the space do
      // the same.
      let key = keys.insert(
        entity.hasCompositeID
          ? JSONTextForm.key(ofForm: SpaceReading.id(of: members, entity.idNames))
          : JSONTextForm.key(of: id), into: part)
      orders.note(members.map(\.name), ofRow: key, in: part)
      rows.append(UntypedSpace.Row(part: part, key: key, body: .object(members)))
    }
    // The descriptions are stored as strings, because `jsonb` does not keep the order of members.
    let descriptions = [
      ("schema", String(decoding: database.schema.bytes(), as: UTF8.self)),
      ("result", database.resultText),
      ("members", String(decoding: orders.json.bytes(), as: UTF8.self)),
    ]
    return descriptions.map { UntypedSpace.Row(part: description, key: $0, body: .string($1)) }
      + rows
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

  /// Returns a unique key for a row: `key`, or `key` with a number if a row of the part has `key`.
  mutating func insert(_ key: String, into part: String) -> String {
    var unique = key
    var number = 1
    // JSON distinguishes some IDs that are equal in Swift, such as two spellings of a character.
    while !keys.insert(Place(part: part, key: ExactString(unique))).inserted {
      number += 1
      unique = "\(key) \(number)"
    }
    return unique
  }
}

extension JSONText {
  /// Returns a text of JSON as a `JSONText`. A text that is no JSON is returned as a string.
  fileprivate static func parsed(_ text: String) -> JSONText {
    do throws(JSONError) {
      return try parse(Array(text.utf8))
    } catch {
      return JSONText(.string(text))
    }
  }
}
