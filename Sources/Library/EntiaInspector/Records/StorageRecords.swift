import EntiaDatabase
import EntiaJSON
import EntiaRecords

/// The rows of a storage as records, with a member for each relationship.
struct StorageRecords {
  private(set) var entities: [Schema.Entity] = []
  private(set) var rows: [Record] = []
  private(set) var rules: [PageRules.Rule] = []

  /// Adds the rows of a storage.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - prefix: The beginning of the names of the tables.
  /// - Complexity: O(size of the rows).
  mutating func add<Storage: NormalizedStorageType>(_ storage: Storage, prefix: String) {
    var names = TableNames<Storage.Contents>(prefix: prefix)
    Storage.Contents.visitParts(&names)
    var links = LinkReader(contents: storage.snapshot.contents, tables: names.tables)
    Storage.Contents.visitParts(&links)
    var reader = RowReader(contents: storage.snapshot.contents, prefix: prefix, links: links.links)
    Storage.Contents.visitParts(&reader)
    entities += reader.entities
    rows += reader.rows
    rules += links.links.map { link in
      PageRules.Rule(
        entity: link.table, member: link.member, onDelete: link.onDelete,
        cascadesToTargets: link.onHolderDelete == .cascade)
    }
  }
}

/// The names of the tables of a storage, by their entity types.
private struct TableNames<Contents: StorageContents>: StorageVisitor {
  let prefix: String
  var tables: [ObjectIdentifier: String] = [:]

  init(prefix: String) { self.prefix = prefix }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    tables[ObjectIdentifier(Table.Entity.self)] = prefix + name
  }
}

/// A relationship, independent of its type.
private struct Link {
  let holder: ObjectIdentifier
  /// The table of the holders.
  let table: String
  let target: String
  /// The member with the references: the field that is the key, or one with the relationship's
  /// name.
  var member: String
  let name: String
  let isMany: Bool
  let onDelete: NullableDeleteRule
  let onHolderDelete: HolderDeleteRule
  /// Returns the keys of the rows that a holder references.
  let targets: (_ holder: Any) -> [RecordKey]

  /// Returns the references of a holder.
  func value(of holder: Any) -> RecordValue {
    let ids = targets(holder).map { RecordID(entity: target, key: $0) }
    if isMany { return .references(ids) }
    return ids.first.map(RecordValue.reference) ?? .plain(.null)
  }
}

private struct LinkReader<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  let tables: [ObjectIdentifier: String]
  var links: [Link] = []

  init(contents: Contents, tables: [ObjectIdentifier: String]) {
    self.contents = contents
    self.tables = tables
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents[keyPath: path]
    let holder = ObjectIdentifier(Relationship.Holder.self)
    guard let table = tables[holder],
      let target = tables[ObjectIdentifier(Relationship.Target.self)]
    else { return }
    let field = (relationship as? any KeyFieldRelationship)?.keyFieldName
    let isTaken = links.contains { $0.holder == holder && $0.member == field }
    // A key inside of a field of a struct is no member of the row.
    let member = field.flatMap { $0.contains(".") || isTaken ? nil : $0 }
    links.append(
      Link(
        holder: holder, table: table, target: target, member: member ?? name, name: name,
        isMany: relationship.kind.isToMany, onDelete: relationship.onDelete,
        onHolderDelete: relationship.onHolderDelete,
        targets: { holder in
          guard let holder = holder as? Relationship.Holder else { return [] }
          return relationship.targetIDs(of: holder).map { RecordKey(inspecting: $0.raw) }
        }))
  }
}

private struct RowReader<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  let prefix: String
  let links: [Link]
  var entities: [Schema.Entity] = []
  var rows: [Record] = []

  init(contents: Contents, prefix: String, links: [Link]) {
    self.contents = contents
    self.prefix = prefix
    self.links = links
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = contents[keyPath: path]
    let links = links.filter { $0.holder == ObjectIdentifier(Table.Entity.self) }
    entities.append(
      Schema.Entity(
        prefix + name,
        relationships: links.map {
          Schema.Relationship($0.member, to: $0.target, isMany: $0.isMany)
        }))
    var keys: Set<RecordKey> = []
    for row in table {
      var key = RecordKey(inspecting: row.entityID.raw)
      // Different IDs of a user's type may have the same text.
      var number = 2
      while !keys.insert(key).inserted {
        key = .string("\(RecordKey(inspecting: row.entityID.raw).text) #\(number)")
        number += 1
      }
      rows.append(
        Record(
          id: RecordID(entity: prefix + name, key: key),
          members: members(of: row, key, links)))
    }
  }

  /// Returns the members of a row in the order of their declaration, and then the relationships
  /// whose keys are no fields.
  private func members(
    of row: some EntityType, _ key: RecordKey, _ links: [Link]
  ) -> [(name: String, value: RecordValue)] {
    var members: [(name: String, value: RecordValue)] = []
    var rest = links
    for child in Mirror(reflecting: row).children {
      guard let name = JSONValue.inspectedName(of: child) else { continue }
      if let index = rest.firstIndex(where: { $0.member == name }) {
        members.append((name: name, value: rest.remove(at: index).value(of: row)))
        continue
      }
      let value = JSONValue(inspecting: child.value)
      if name == "id", value == key.value { continue }
      members.append((name: name, value: .plain(JSONText(value))))
    }
    return members + rest.map { (name: $0.member, value: $0.value(of: row)) }
  }
}
