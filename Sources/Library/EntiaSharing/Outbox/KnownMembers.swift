import EntiaCoding
import EntiaCollections
import EntiaDatabase

/// Finds the parts and members that a batch of an outbox has and this program does not have.
///
/// In batches of the log, such parts and members are ignored, because programs with other schemas
/// write to the log. A batch of an outbox with such parts or members is refused. Otherwise, this
/// program would push the batch without them, and they would be lost.
struct KnownMembers<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  private let parts: SpaceParts<Storage>
  private let rows: [String: [JSONValue]]
  private var names: Set<String> = []
  private var failure: (any Error)?

  /// Checks that this program has the parts and members in the entries of a batch. The rows of the
  /// batch must be decodable.
  /// - Throws: `SharedDatabaseError.cannotDecode` with the unknown part, or with the unknown member
  ///   and its part.
  static func check(_ entries: [JSONValue], _ parts: SpaceParts<Storage>) throws {
    var names: [String] = []
    var rows: [String: [JSONValue]] = [:]
    for entry in entries {
      guard case .array(let values) = entry, values.count > 2, case .string(let kind) = values[0],
        case .string(let part) = values[1]
      else { continue }
      names.append(part)
      if ["insert", "update", "replace"].contains(kind) {
        rows[part, default: []].append(values[2])
      }
    }
    var search = KnownMembers(parts: parts, rows: rows)
    Contents.visitParts(&search)
    if let failure = search.failure { throw failure }
    for part in names where !search.names.contains(part) {
      throw search.unknown(part, column: nil, "this program has no part of this name")
    }
  }

  private init(parts: SpaceParts<Storage>, rows: [String: [JSONValue]]) {
    (self.parts, self.rows) = (parts, rows)
  }

  private func unknown(_ part: String, column: String?, _ reason: String) -> SharedDatabaseError {
    .cannotDecode(space: parts.space, entity: part, row: "", column: column, reason: reason)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    names.insert(name)
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) { names.insert(name) }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    names.insert(name)
    guard failure == nil, let coding = parts.coding(of: name, Table.Entity.self) else { return }
    do {
      for row in rows[name] ?? [] {
        guard let member = try unknownMember(of: row, coding) else { continue }
        let names = member.filter { $0.intValue == nil }.map(\.stringValue)
        failure = unknown(
          name, column: names.joined(separator: "."), "this program has no member of this name")
        return
      }
    } catch {
      failure = error
    }
  }

  /// Returns the path of a member that this program neither reads nor writes; `nil` if the row has
  /// no such member.
  private func unknownMember<Entity: EntityType>(
    of row: JSONValue, _ coding: PartCoding<Entity>
  ) throws -> [any CodingKey]? {
    let text = try FormText(row)
    text.recordReads()
    let decoded = try coding.decode(text, 0)
    let unread = text.unreadNames
    if unread.isEmpty { return nil }
    // A member that `decode` does not read is still known if `encode` writes it.
    let written = try FormText(coding.encode(decoded))
    return unread.map { text.path(from: 0, to: $0 + 1) }
      .first { written.node(at: $0, from: 0) == nil }
  }
}

extension FormText {
  /// The nodes of the names that were not looked up since the call of `recordReads()`. The names
  /// inside the value of an unread member are left out.
  fileprivate var unreadNames: [Int] {
    var unread: [Int] = []
    var index = 0
    while index < nodes.count {
      let isUnread = nodes[index].token == .name && readNames?.contains(index) == false
      if isUnread { unread.append(index) }
      index = isUnread ? nodes[index + 1].next : index + 1
    }
    return unread
  }

  /// Returns the node at the end of a coding path that begins at another node, or `nil`.
  fileprivate func node(at path: [any CodingKey], from root: Int) -> Int? {
    path.reduce(root) { node, key in
      guard let node else { return nil }
      if nodes[node].token == .beginObject { return member(node, JSONForm.text(key.stringValue)) }
      guard let index = key.intValue, let elements = elements(node) else { return nil }
      return elements.indices.contains(index) ? elements[index] : nil
    }
  }
}
