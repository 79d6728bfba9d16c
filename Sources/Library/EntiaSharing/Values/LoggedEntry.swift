import EntiaCoding
import EntiaDatabase

/// An entry of a batch in the log: its kind and its values.
struct LoggedEntry {
  let version: Int64
  /// The node of the name of the entry's kind. The nodes of the part's name and of the values
  /// follow.
  let kind: Int
  let count: Int
}

/// The entries of one part of a storage, in the order of the log.
struct LoggedEntries {
  let space: String
  let part: String
  let text: FormText
  private(set) var entries: [LoggedEntry] = []

  init(space: String, part: String, text: FormText) {
    (self.space, self.part, self.text) = (space, part, text)
  }

  mutating func append(_ entry: LoggedEntry) { entries.append(entry) }

  /// Returns the error for malformed changes of a batch.
  static func malformed(
    _ reason: String, space: String, part: String = "entia_log", _ version: Int64
  ) -> SharedDatabaseError {
    .cannotDecode(
      space: space, entity: part, row: "version \(version)", column: "changes", reason: reason)
  }

  /// Returns the error for a malformed entry.
  func malformed(_ reason: String, _ entry: LoggedEntry) -> SharedDatabaseError {
    Self.malformed(reason, space: space, part: part, entry.version)
  }

  /// Returns the error for an entry of an unknown kind, or with too few values.
  func unknown(_ entry: LoggedEntry) -> SharedDatabaseError {
    malformed("'\(kind(of: entry))' with \(entry.count) values is unknown", entry)
  }

  func kind(of entry: LoggedEntry) -> String { text.rawString(entry.kind) }

  /// Returns the node of a value of an entry.
  func value(_ index: Int, of entry: LoggedEntry) -> Int {
    var node = entry.kind + 2
    for _ in 0..<index { node = text.nodes[node].next }
    return node
  }

  /// Returns the element at a node.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  func decode<Element>(
    _ node: Int, of entry: LoggedEntry, _ coding: PartCoding<Element>
  ) throws -> Element {
    do {
      return try coding.decode(text, node)
    } catch {
      throw located(error, entry)
    }
  }

  /// Returns `cannotDecode` for an error of `Codable`, with the part, the version and the column.
  func located(_ error: any Error, _ entry: LoggedEntry) -> SharedDatabaseError {
    .decoding(space: space, entity: part, row: "version \(entry.version)", error)
  }

  /// Returns the nodes of the elements of an array.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  func array(_ node: Int, of entry: LoggedEntry) throws -> [Int] {
    guard let elements = text.elements(node) else {
      throw malformed("expected an array, found \(JSONForm.kind(of: text.scalar(node)))", entry)
    }
    return elements
  }

  /// Returns the elements of an array.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  func decodeAll<Element>(
    _ node: Int, of entry: LoggedEntry, _ coding: PartCoding<Element>
  ) throws -> [Element] {
    try array(node, of: entry).map { try decode($0, of: entry, coding) }
  }

  /// Returns the old row of an `update` entry.
  /// - Throws: `SharedDatabaseError.cannotDecode`; the error of the coding.
  func oldRow<Row>(of entry: LoggedEntry, _ coding: PartCoding<Row>) throws -> Row {
    let new = value(0, of: entry)
    let previous = text.nodes[new].next
    let added = text.nodes[previous].next
    guard text.nodes[previous].token == .beginObject else {
      throw malformed("the old members are no object", entry)
    }
    let isEmpty = text.nodes[added].token == .beginArray && text.nodes[added].next == added + 1
    if isEmpty, let decode = coding.decodeReplacing { return try decode(text, new, previous) }
    guard try array(added, of: entry).allSatisfy({ text.nodes[$0].token == .string }) else {
      throw malformed("the name of a member is no string", entry)
    }
    // If the new row is no object, decoding it throws an error.
    guard text.nodes[new].token == .beginObject else { return try coding.decode(text, new) }
    return try coding.decode(
      text, text.appendOldRow(of: new, previous: previous, added: added))
  }

  /// Returns the coding of the IDs of an entity type.
  /// - Throws: `SharedDatabaseError.notCodable`.
  func ids<Entity: EntityType>(of entity: Entity.Type) throws -> PartCoding<Entity.EntityID> {
    try PartCoding.ids(of: entity, in: part, space: space)
  }
}
