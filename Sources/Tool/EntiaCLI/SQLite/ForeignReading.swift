import EntiaCoding
import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaSQLite

/// Reads a database of another program. Tables are read as entities, foreign keys as relationships,
/// and tables that only connect rows as to-many relationships.
struct ForeignReading {
  /// A table that only connects rows.
  private struct Junction {
    let table: ForeignTable
    let holder: ForeignTable
    let holderColumn: String
    let target: ForeignTable
    let targetColumn: String
    /// The member of the holder.
    let member: String
    /// The rules of the foreign keys to the holder and to the target.
    let holderRule: NullableDeleteRule
    let targetRule: NullableDeleteRule
  }

  private let file: UntypedFile
  private var writer = JSONWriter(layout: .lines(depth: 3))
  private var notes: [String] = []
  private var tables: [ForeignTable] = []
  /// The kinds of the views and virtual tables, which cannot be read as tables, by name.
  private(set) var ignored: [String: String] = [:]
  private var junctions: [Junction] = []
  /// The tables to which columns refer as relationships, by table and column.
  private var targets: [ExactString: [ExactString: ForeignTable]] = [:]
  private var losses = LossNotes()

  /// The names of the tables to read; `nil` for all.
  private let selected: Set<String>?
  /// The names of the tables that are not read, because `selected` does not contain them.
  private var unselected: [String] = []

  init(_ file: UntypedFile, tables: [String]? = nil) {
    self.file = file
    selected = tables.map(Set.init)
  }

  /// Returns the names of the tables of the file.
  mutating func tableNames() throws -> [String] {
    try findTables()
    return tables.map(\.name)
  }

  /// Returns the tables of the file, also those that only connect rows.
  mutating func allTables() throws -> [ForeignTable] {
    try findTables()
    return tables
  }

  /// Returns the tables as JSON, and notes on the parts of the file that the JSON lacks.
  mutating func read() throws -> (json: [UInt8], notes: [String]) {
    try findTables()
    findJunctions()
    writer.beginObject()
    writer.name("schema")
    schema().write(to: &writer)
    writer.name("entities")
    writer.beginObject()
    for table in tables { try write(table) }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return (writer.bytes, notes + losses.notes)
  }

  /// Returns the delete rules of the relationships.
  mutating func deleteRules() throws -> [ForeignDeleteRule] {
    try findTables()
    findJunctions()
    var rules: [ForeignDeleteRule] = []
    for table in tables {
      for key in table.foreignKeys where target(of: key) != nil {
        // If a column has several keys, the first is the relationship.
        let isKnown = rules.contains {
          $0.entity.isExactly(table.name) && $0.member.isExactly(key.columns[0])
        }
        if isKnown { continue }
        rules.append(
          ForeignDeleteRule(
            entity: table.name, member: key.columns[0], onDelete: key.deleteRule,
            deniesHolder: false))
      }
    }
    for junction in junctions {
      // As JSON, a connecting row is a reference in a list of the holder. If deleting the target
      // deletes the connecting row, the holder is kept and only loses the reference.
      let rule = junction.targetRule == .cascade ? .nullify : junction.targetRule
      rules.append(
        ForeignDeleteRule(
          entity: junction.holder.name, member: junction.member, onDelete: rule,
          deniesHolder: junction.holderRule == .deny))
    }
    return rules
  }

  private mutating func findTables() throws {
    let list = try file.connection.prepare(
      """
      SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view')
      AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name
      """)
    var virtual: [String] = []
    func ignore(_ name: String, _ kind: String) {
      ignored[name] = kind
      notes.append("the \(kind) \(name) is ignored")
    }
    while try list.step() {
      let name = list.text(at: 0)
      let isVirtual = list.text(at: 2).uppercased().hasPrefix("CREATE VIRTUAL")
      if list.text(at: 1) == "view" {
        ignore(name, "view")
      } else if isVirtual {
        virtual.append(name)
        ignore(name, "virtual table")
      } else if !ForeignTable.isShadow(name, of: virtual) {
        tables.append(try ForeignTable(name, on: file.connection))
      }
    }
    guard let selected else { return }
    unselected = tables.map(\.name).filter { !selected.contains($0) }
    tables.removeAll { !selected.contains($0.name) }
    notes = []
  }

  private func table(_ name: String) -> ForeignTable? {
    tables.first { UntypedFile.isSameName($0.name, name) }
  }

  /// Returns the table that a foreign key refers to, if it refers to the table's ID.
  private func target(of key: ForeignTable.ForeignKey) -> ForeignTable? {
    guard let target = table(key.target), target.primaryKey.count == 1, key.columns.count == 1
    else { return nil }
    let id = key.targetColumns.first.map { ForeignTable.column($0, among: target.columns) }
    return id == nil || id == target.primaryKey[0] ? target : nil
  }

  private mutating func findJunctions() {
    var members: [String: Set<String>] = [:]
    for table in tables {
      guard let (first, second) = table.junction, let holder = target(of: first),
        let target = target(of: second),
        !tables.contains(where: { other in
          other.foreignKeys.contains { UntypedFile.isSameName($0.target, table.name) }
        })
      else { continue }
      let taken = members[holder.name, default: Set(holder.columns + holder.idNames)]
      let choices = [target.name, table.name, table.name + "_rows"]
      guard let member = choices.first(where: { !taken.contains($0) && $0 != holder.name }) else {
        continue
      }
      members[holder.name] = taken.union([member])
      junctions.append(
        Junction(
          table: table, holder: holder, holderColumn: first.columns[0], target: target,
          targetColumn: second.columns[0], member: member,
          holderRule: first.deleteRule, targetRule: second.deleteRule))
      notes.append(
        "the table \(table.name) only connects rows and is read as \(holder.name).\(member)")
    }
    tables.removeAll { table in junctions.contains { $0.table.name.isExactly(table.name) } }
  }

  private mutating func schema() -> Schema {
    var entities: [Schema.Entity] = []
    for table in tables {
      var relationships: [Schema.Relationship] = []
      var known: [ExactString: ForeignTable] = [:]
      for key in table.foreignKeys {
        let column = key.columns[0]
        guard let target = target(of: key) else {
          notes.append(note(on: key, of: table))
          continue
        }
        if let first = known[ExactString(column)] {
          // A key may be declared twice.
          if first.name.isExactly(target.name) { continue }
          notes.append(
            "\(table.name).\(column) refers to several tables, and \(target.name) is not read as one"
          )
          continue
        }
        known[ExactString(column)] = target
        if table.idNames == [column] {
          notes.append(
            "\(table.name).\(column) refers to \(target.name), and is read as the ID of "
              + "\(table.name) only")
          continue
        }
        relationships.append(Schema.Relationship(column, to: target.name))
      }
      targets[ExactString(table.name)] = known
      for junction in junctions where junction.holder.name.isExactly(table.name) {
        relationships.append(
          Schema.Relationship(junction.member, to: junction.target.name, isMany: true))
      }
      if let rowID = table.rowID {
        notes.append(
          "\(table.name) has no primary key: its rows get the member '\(rowID)', with "
            + "\(table.hasRowNumbers ? "SQLite's number of the row" : "their place in the table")")
      }
      entities.append(
        Schema.Entity(table.name, idNames: table.idNames, relationships: relationships))
    }
    return Schema(entities)
  }

  /// Returns a note on a foreign key that is not a relationship.
  private func note(on key: ForeignTable.ForeignKey, of table: ForeignTable) -> String {
    let columns = key.columns.joined(separator: ", ")
    let isOne = key.columns.count == 1
    let place = isOne ? "\(table.name).\(columns)" : "the foreign key \(table.name).(\(columns))"
    let reading = isOne ? "is read as a plain member" : "is read as plain members"
    if self.table(key.target) != nil {
      return isOne
        ? "\(place) refers to another column of \(key.target) than its ID, and \(reading)"
        : "\(place) has several columns, and they are read as plain members: a relationship is one "
          + "member"
    }
    if let view = ignored.first(where: { UntypedFile.isSameName($0.key, key.target) }) {
      return "\(place) refers to the \(view.value) \(view.key), and \(reading)"
    }
    if let selected, unselected.contains(where: { UntypedFile.isSameName($0, key.target) }) {
      return "\(place) refers to \(key.target), which is not among the \(selected.count) selected "
        + "tables, and \(reading)"
    }
    return "\(place) refers to \(key.target), a table that the file does not have, and \(reading)"
  }

  private mutating func write(_ table: ForeignTable) throws {
    var columns = table.columns.map { value(of: $0, table) }
    var names = table.columns
    if let rowID = table.rowID {
      columns.insert(table.rowNumber, at: 0)
      names.insert(rowID, at: 0)
    }
    let order = table.primaryKey.map { "this.\(UntypedFile.quoted($0))" }
    let rows = try file.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table.source(as: "this")) ORDER BY "
        + (order.isEmpty ? "1" : order.joined(separator: ", ")))
    var links: [(member: String, targets: [ExactString: [StoredValue]])] = []
    for junction in junctions where junction.holder.name.isExactly(table.name) {
      links.append((junction.member, try connections(of: junction)))
    }
    let idIndex = names.firstIndex { $0.isExactly(table.idNames[0]) } ?? 0
    var hasOddIDs = false
    writer.name(table.name)
    writer.beginArray()
    while try rows.step() {
      writer.beginObject()
      for (index, name) in names.enumerated() {
        writer.name(name)
        write(rows.value(at: index))
        if let loss = rows.loss(at: index, isOwn: false) {
          losses.add(loss, "\(table.name).\(name)")
          if table.primaryKey.contains(name) { hasOddIDs = true }
        }
      }
      for (member, targets) in links {
        writer.name(member)
        writer.beginArray()
        for target in targets[rows.value(at: idIndex).exactText] ?? [] { write(target) }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endArray()
    guard hasOddIDs else { return }
    let ids = table.primaryKey.map(UntypedFile.quoted).joined(separator: ", ")
    let note = try EqualIDs.note(of: table.name, ids: table.primaryKey.indices, isOwn: false) {
      try file.connection.prepare("SELECT \(ids) FROM \(table.source())")
    }
    if let note { notes.append(note) }
  }

  /// Returns the SQL expression for the value of a column. For a relationship, the value is the ID
  /// of the target and not the foreign key. The two may differ in JSON, because SQLite can treat
  /// `1` and `'1'` as equal.
  private func value(of column: String, _ table: ForeignTable) -> String {
    let value = "this.\(UntypedFile.quoted(column))"
    // A column of the primary key keeps its values, because different IDs must not become equal.
    guard !table.primaryKey.contains(column),
      let target = targets[ExactString(table.name)]?[ExactString(column)]
    else {
      return value
    }
    let id = "target.\(UntypedFile.quoted(target.primaryKey[0]))"
    return """
      coalesce((SELECT \(id) FROM \(target.source(as: "target")) \
      WHERE \(Self.isEqual(id, value))), \(value))
      """
  }

  /// Returns the condition that a foreign key refers to the row with an ID. As in SQLite's check of
  /// foreign keys, only the type of the ID's column decides how the key and the ID are compared.
  private static func isEqual(_ id: String, _ value: String) -> String {
    // `+` turns the foreign key into an expression, so that the type of its column has no effect.
    "\(id) = +\(value)"
  }

  /// Returns the connected rows of each holder, by the holder's ID. Adds a note with the number of
  /// rows that connect nothing.
  private mutating func connections(
    of junction: Junction
  ) throws -> [ExactString: [StoredValue]] {
    let ends = [junction.holderColumn, junction.targetColumn].map {
      "link.\(UntypedFile.quoted($0))"
    }
    let ids = zip(["holder", "target"], [junction.holder, junction.target]).map {
      "\($0).\(UntypedFile.quoted($1.primaryKey[0]))"
    }
    let rows = try file.connection.prepare(
      """
      SELECT \(ids[0]), coalesce(\(ids[1]), \(ends[1])), \(ends[0]) IS NULL OR \(ends[1]) IS NULL
      FROM \(UntypedFile.quoted(junction.table.name)) AS link
      LEFT JOIN \(junction.holder.source(as: "holder")) ON \(Self.isEqual(ids[0], ends[0]))
      LEFT JOIN \(junction.target.source(as: "target")) ON \(Self.isEqual(ids[1], ends[1]))
      ORDER BY 1, 2
      """)
    var targets: [ExactString: [StoredValue]] = [:]
    var known: (holder: ExactString, targets: Set<ExactString>) = (ExactString(""), [])
    var (orphans, nulls, repeats) = (0, 0, 0)
    while try rows.step() {
      let (holder, target) = (rows.value(at: 0), rows.value(at: 1))
      if rows.integer(at: 2) != 0 {
        nulls += 1
      } else if holder == .null {
        orphans += 1
      } else {
        let holder = holder.exactText
        if known.holder != holder { known = (holder, []) }
        guard known.targets.insert(target.inJSON(isOwn: false).exactText).inserted else {
          repeats += 1
          continue
        }
        targets[holder, default: []].append(target)
        if let loss = rows.loss(at: 1, isOwn: false) {
          losses.add(loss, "\(junction.table.name).\(junction.targetColumn)")
        }
      }
    }
    let (table, holder) = (junction.table.name, junction.holder.name)
    note(
      orphans, of: table, "refers to a row of \(holder) that does not exist",
      "refer to rows of \(holder) that do not exist")
    note(nulls, of: table, "has NULL as a reference", "have NULL as a reference")
    note(repeats, of: table, "repeats another row", "repeat other rows")
    return targets
  }

  /// Notes that some rows of a table are not read.
  private mutating func note(_ count: Int, of table: String, _ one: String, _ many: String) {
    if count == 0 { return }
    notes.append(
      "\(count.counted("row")) of \(table) "
        + (count == 1 ? "\(one), and is not read" : "\(many), and are not read"))
  }

  private mutating func write(_ value: StoredValue) {
    switch value.inJSON(isOwn: false) {
    case .null, .blob: writer.null()
    case .text(let text): writer.string(text)
    case .integer, .real:
      if let value = UntypedValue(value) { writer.write(value) } else { writer.null() }
    }
  }
}
