import EntiaCoding
import EntiaDatabase
import EntiaExplorer
import EntiaStore

/// The rows of storages for a page, with a member for each relationship.
struct StorageRecords {
  /// One table, with its rows in the order of the storage.
  private struct Table {
    let name: String
    /// Whether the order of the rows is a part of the table's value.
    let isOrdered: Bool
    let rows: [InspectedRow]
    let links: [InspectedLink]
  }

  private var tables: [Table] = []

  /// Adds the rows of a storage.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - prefix: The beginning of the names of the tables.
  /// - Complexity: O(size of the rows).
  mutating func add<Storage: NormalizedStorageType>(_ storage: Storage, prefix: String) {
    var names = PageTableNames<Storage.Contents>(prefix: prefix)
    Storage.Contents.visitParts(&names)
    var links = LinkReader(storage: storage, tables: names.tables)
    Storage.Contents.visitParts(&links)
    var reader = RowReader(contents: storage.snapshot.contents, links: links.links)
    Storage.Contents.visitParts(&reader)
    tables += reader.tables.map {
      Table(name: prefix + $0.name, isOrdered: $0.isOrdered, rows: $0.rows, links: $0.links)
    }
  }

  /// Returns the rows of all storages as the database of a page. The rows of an ordered table keep
  /// their order, and the rows of a hashed table are sorted by ID.
  ///
  /// - Complexity: O(size of the rows), plus sorting.
  func database() -> PageDatabase {
    let tables = tables.sorted { ExactString($0.name) < ExactString($1.name) }
    var numbers: [ExactString: [InspectedKey: Int]] = [:]
    var count = 0
    let sorted = tables.map { table in
      let rows = table.isOrdered ? table.rows : table.rows.sorted { $0.key < $1.key }
      for row in rows {
        numbers[ExactString(table.name), default: [:]][row.key] = count
        count += 1
      }
      return rows
    }
    return PageDatabase(
      zip(tables, sorted).map { table, rows in
        var names: [String] = []
        for row in rows {
          for member in row.members where !names.contains(member.name) { names.append(member.name) }
        }
        var shown = PageDatabase.Table(
          name: table.name, idNames: ["id"], memberNames: names, rowCount: rows.count,
          line: { rows[$0].line },
          targets: { row in
            zip(table.links, rows[row].targets).map { link, keys in
              let found = keys.map { numbers[ExactString(link.target)]?[$0] ?? -1 }
              return link.isMany ? .many(found) : found.first.map { .one($0) } ?? .none
            }
          })
        shown.relationships = table.links.map { link in
          let target = ExactString(link.target)
          var relationship = PageDatabase.Relationship(
            link.member, to: tables.indices.filter { ExactString(tables[$0].name) == target },
            isMany: link.isMany)
          relationship.rule = link.rule
          return relationship
        }
        return shown
      }, rules: .storage)
  }
}

/// The ID of a row on an `ExplorePage`. Numbers precede texts.
private enum InspectedKey: Hashable, Comparable {
  case number(JSONNumber)
  case text(ExactString)

  init(_ raw: Any) {
    switch JSONValue(inspectingID: raw) {
    case .number(let number): self = .number(number)
    case let value: self = .text(ExactString(value.nameText))
    }
  }

  var value: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .text(let text): .string(text.string)
    }
  }
}

/// A row of a storage.
private struct InspectedRow {
  let key: InspectedKey
  /// The properties in the order of declaration, followed by additional members for relationships.
  /// A relationship has an additional member if its key is no property of the row, or is shared
  /// with another relationship.
  let members: [(name: String, value: JSONValue)]
  /// The IDs that each of the table's relationships refers to.
  let targets: [[InspectedKey]]

  var line: [UInt8] {
    PageDatabase.line(
      key: { $0.value(key.value) },
      members: { writer in
        for member in members {
          writer.name(member.name)
          writer.value(member.value)
        }
      })
  }
}

/// The names of the tables of a storage, by their entity types.
private struct PageTableNames<Contents: StorageContents>: StorageVisitor {
  let prefix: String
  var tables: [ObjectIdentifier: String] = [:]

  init(prefix: String) { self.prefix = prefix }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    tables[ObjectIdentifier(Table.Entity.self)] = prefix + name
  }
}

/// A relationship, independent of its type.
private struct InspectedLink {
  let holder: ObjectIdentifier
  /// The table of the targets.
  let target: String
  /// The name of the member with the references. This is the name of the key property. If the key
  /// is no property of the row, or is shared with another relationship, it is the name of the
  /// relationship.
  let member: String
  let isMany: Bool
  let rule: PageDatabase.DeleteRule
  /// Returns the IDs of the rows that a holder refers to.
  let targets: (_ holder: Any) -> [InspectedKey]

  /// Returns the value of the member that refers to the rows with these IDs.
  func value(_ targets: [InspectedKey]) -> JSONValue {
    isMany ? .array(targets.map(\.value)) : targets.first?.value ?? .null
  }
}

private struct LinkReader<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let storage: Storage
  let tables: [ObjectIdentifier: String]
  var links: [InspectedLink] = []

  init(storage: Storage, tables: [ObjectIdentifier: String]) {
    self.storage = storage
    self.tables = tables
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = storage.snapshot.contents[keyPath: path]
    let holder = ObjectIdentifier(Relationship.Holder.self)
    guard tables[holder] != nil, let target = tables[ObjectIdentifier(Relationship.Target.self)]
    else { return }
    let field = (relationship as? any KeyFieldRelationship)?.keyFieldName
    let isTaken = links.contains { $0.holder == holder && $0.member == field }
    // A key inside a nested struct is not a member of the row.
    let member = field.flatMap { $0.contains(".") || isTaken ? nil : $0 }
    links.append(
      InspectedLink(
        holder: holder, target: target, member: member ?? name,
        isMany: relationship.kind.isToMany,
        rule: PageDatabase.DeleteRule(
          onDelete: relationship.onDelete,
          cascadesToTargets: relationship.onHolderDelete == .cascade),
        targets: { [storage] holder in
          guard let holder = holder as? Relationship.Holder else { return [] }
          // Equal IDs may have different texts, such as "é" with one or two scalars.
          return relationship.targetIDs(of: holder).map { id in
            InspectedKey((storage.view(of: id)?.entity.entityID ?? id).raw)
          }
        }))
  }
}

private struct RowReader<Contents: StorageContents>: StorageVisitor {
  let contents: Contents
  let links: [InspectedLink]
  var tables: [(name: String, isOrdered: Bool, rows: [InspectedRow], links: [InspectedLink])] = []

  init(contents: Contents, links: [InspectedLink]) {
    self.contents = contents
    self.links = links
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let links = links.filter { $0.holder == ObjectIdentifier(Table.Entity.self) }
    var keys: Set<InspectedKey> = []
    let rows = contents[keyPath: path].map { row in
      let first = InspectedKey(row.entityID.raw)
      var key = first
      // Different IDs of a user's type may have the same text.
      var number = 2
      while !keys.insert(key).inserted {
        key = .text(ExactString("\(first.value.nameText) #\(number)"))
        number += 1
      }
      let targets = links.map { $0.targets(row) }
      return InspectedRow(
        key: key, members: Self.members(of: row, key, links, targets), targets: targets)
    }
    tables.append((name, Table.isOrdered, rows, links))
  }

  private static func members(
    of row: some EntityType, _ key: InspectedKey, _ links: [InspectedLink],
    _ targets: [[InspectedKey]]
  ) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = []
    var rest = zip(links, targets).map { (name: $0.member, value: $0.value($1)) }
    for child in Mirror(reflecting: row).children {
      guard let name = Mirror.propertyName(of: child) else { continue }
      if let index = rest.firstIndex(where: { $0.name == name }) {
        members.append(rest.remove(at: index))
        continue
      }
      let value = JSONValue(inspecting: child.value)
      if name == "id", value == key.value { continue }
      members.append((name: name, value: value))
    }
    return members + rest
  }
}

/// The content of a state: the rows of its databases, and its other members.
struct StateRecords {
  /// The rows of all databases.
  let database: PageDatabase
  /// The members that are not databases, in the order of their declaration, as JSON.
  let members: [(name: String, json: JSONText)]

  /// Reads a state.
  ///
  /// - Complexity: O(size of the state).
  init(_ state: Any) {
    let databases = StateDatabases(of: state).databases
    var records = StorageRecords()
    for (path, storage) in databases {
      records.add(storage, prefix: databases.count == 1 ? "" : path + ".")
    }
    database = records.database()
    members = StateDatabases.members(of: state).filter { !($0.value is any NormalizedStorageType) }
      .map { (name: $0.path, json: JSONText(JSONValue(inspecting: $0.value))) }
  }
}
