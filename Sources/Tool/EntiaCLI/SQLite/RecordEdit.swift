import EntiaCoding
import EntiaCollections
import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaSQLite

/// A change of the records in a file that a program has saved, or that programs share.
///
/// Only the rows that differ are written, in their tables. Everything else in the file is
/// unchanged. Programs that share the file load the change as one version.
struct RecordEdit {
  private let edit: UntypedEdit
  private let path: String

  /// Opens a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: A `RecordFileError`, for example if a program that does not share the file has it
  ///   open.
  init(_ path: String) throws(RecordFileError) {
    self.path = path
    edit = try Self.describingErrors(of: path) { try UntypedEdit(path) }
  }

  /// Returns the tables of the file as JSON. The next call of `write(_:since:)` writes only if the
  /// file still has the version that this call reads.
  ///
  /// - Parameter holds: Whether other processes cannot write the file until the next call of
  ///   `write(_:since:)`.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the database) in time and memory.
  func read(holding holds: Bool) throws(RecordFileError) -> [UInt8] {
    try Self.describingErrors(of: path) {
      if holds { try edit.hold() }
      return try edit.read(RecordFile.json)
    }
  }

  /// Writes the differences between two databases.
  ///
  /// - Parameters:
  ///   - new: The new database.
  ///   - old: The database that was read.
  /// - Returns: `true` if the differences were written; `false` if nothing was written, because the
  ///   file has changed since it was read.
  /// - Throws: A `RecordFileError`; the file is then unchanged.
  /// - Complexity: O(rows).
  func write(
    _ new: RecordDatabase, since old: RecordDatabase
  ) throws(RecordFileError) -> Bool {
    let difference = new.difference(from: old)
    return try Self.describingErrors(of: path) {
      try edit.write { file in
        try DifferenceWriting(new, in: file, named: path).write(difference)
      }
    }
  }

  private static func describingErrors<Result>(
    of path: String, _ body: () throws -> Result
  ) throws(RecordFileError) -> Result {
    do {
      return try body()
    } catch let error as RecordFileError {
      throw error
    } catch {
      if case DatabaseFileError.isLocked = error,
        let process = UntypedEdit.process(inTransactionOf: path)
      {
        throw RecordFileError(
          isBadData: false,
          description:
            "cannot write '\(path)': process \(process) is writing it; try again later")
      }
      return try RecordFile.describingErrors(of: path) { throw error }
    }
  }
}

/// Writes the differences between two databases into the tables of a file.
private struct DifferenceWriting {
  private let database: RecordDatabase
  private let file: UntypedFile
  private let path: String
  private let forms: ReferenceForms
  private let isDescribed: Bool
  private let parts: [ExactString: UntypedFile.Part]

  init(_ database: RecordDatabase, in file: UntypedFile, named path: String) throws {
    self.database = database
    self.file = file
    self.path = path
    forms = ReferenceForms(database.schema.entities)
    guard file.isOwn else {
      throw RecordFileError(
        isBadData: true,
        description: "cannot change '\(path)': a program has it open, and has saved nothing yet")
    }
    isDescribed = try RecordFile.isDescribed(file)
    parts = Dictionary(
      try file.parts().map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Writes a difference, and returns the parts that it changes.
  func write(_ difference: DatabaseDifference) throws -> [UntypedRows] {
    try writeDescription(difference)
    // The difference is sorted by ID, but rows are inserted in the order of the database.
    var inserted: [ExactString: [Record]] = [:]
    let ids = Set(difference.tables.flatMap { $0.inserted.map(\.id) })
    if !ids.isEmpty {
      for record in database.table where ids.contains(record.id) {
        inserted[ExactString(record.id.entity), default: []].append(record)
      }
    }
    return try difference.tables.map { table in
      try write(table, inserting: inserted[ExactString(table.entity)] ?? [])
    }
  }

  private func writeDescription(_ difference: DatabaseDifference) throws {
    if isDescribed {
      let update = try file.connection.prepare("UPDATE entia_records SET value=? WHERE key=?")
      let schema = String(decoding: database.schema.bytes(), as: UTF8.self)
      for (key, text) in [("schema", schema), ("result", database.resultText)] {
        try update.run([.text(text), .text(key)])
      }
      return
    }
    for change in difference.schema {
      if case .entityInserted = change { continue }
      throw refusal(
        "a program has saved it without a schema, and this would be lost: \(change)")
    }
  }

  private func write(
    _ table: DatabaseDifference.Table, inserting inserted: [Record]
  ) throws -> UntypedRows {
    guard let entity = database.schema.entity(table.entity) else {
      throw refusal("no entity of the schema is called '\(table.entity)'")
    }
    let rows = try UntypedRows(
      try parts[ExactString(table.entity)] ?? addPart(entity, for: inserted), in: file)
    var writing = try RowWriting(
      entity, forms, rows, isDescribed ? MemberDescriptions(of: entity.name, in: file) : nil, file)
    // Read before the removals, which leave fewer rows to distinguish the ID from other members.
    let idMembers = try table.updated.isEmpty ? [] : Self.idMembers(of: rows)
    for record in table.removed {
      guard try writing.delete(record.id) else { throw missing(record.id) }
    }
    for update in table.updated {
      if rows.part.idIndex == nil, let member = Self.idMember(changedBy: update, idMembers) {
        throw refusal("\(member) is the ID of \(update.id) and cannot be changed")
      }
      guard try writing.update(update) else { throw missing(update.id) }
    }
    for record in inserted {
      guard try writing.insert(record) else {
        throw refusal("the IDs of \(entity.name) are integers, and \(record.id.key) is none")
      }
    }
    return rows
  }

  /// Returns the names of the members that are equal to the ID of each row, which is also in a
  /// column of its own. A member of the only row may have the same value by chance.
  private static func idMembers(of rows: UntypedRows) throws -> [String] {
    if rows.part.idIndex != nil { return [] }
    return try rows.part.members.indices.filter { member in
      let values = try rows.values(of: member)
      return values.count > 1 && values.allSatisfy { $0.id == $0.value }
    }.map { rows.part.members[$0] }
  }

  /// Returns the quoted name of a changed member that belongs to the ID, which is also in a column
  /// of its own; `nil` if the update changes none. A program finds the row by its members. If
  /// several members are equal to the ID in each row, an update may change all but one of them.
  private static func idMember(
    changedBy update: DatabaseDifference.Update, _ idMembers: [String]
  ) -> String? {
    let changed = update.fields.map(\.name)
    if !idMembers.isEmpty, idMembers.allSatisfy(changed.contains) {
      return idMembers.map(\.quoted).joined(separator: " or ")
    }
    let key = update.id.key
    var composite: [String] = []
    do {
      if case .object(let members) = try JSONValue.parse(Array(key.text.utf8)) {
        composite = members.map(\.name)
      }
    } catch {
      // The ID is one value.
    }
    let id = RecordValue.plain(JSONText(key.value))
    return update.fields.first {
      composite.contains($0.name) || ["id", "rawID"].contains($0.name) && $0.old == id
    }?.name.quoted
  }

  /// Creates the table of an entity of which the file has no rows yet. `rows` are its first rows.
  private func addPart(_ entity: Schema.Entity, for rows: [Record]) throws -> UntypedFile.Part {
    if !isDescribed {
      let known = try file.tableNames()
      guard known.contains(where: { ExactString($0) == ExactString(entity.name) }) else {
        let suggestion = Suggestion.nearest(to: entity.name, among: known)
        throw refusal(
          "a program has saved it, and has no table '\(entity.name)'"
            + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
      }
    }
    let members = MemberOrder(rows).names.map(\.string)
    let idMembers = entity.hasCompositeID ? [] : [entity.idName]
    let hasIntegerID =
      !entity.hasCompositeID
      && rows.allSatisfy {
        if case .integer = UntypedValue($0.id.key).idForm { true } else { false }
      }
    return try file.addPart(
      entity.name, members: idMembers + members, descriptions: [:],
      idIndex: entity.hasCompositeID ? nil : 0, hasIntegerID: hasIntegerID
    ).part
  }

  private func refusal(_ reason: String) -> RecordFileError {
    RecordFileError(isBadData: true, description: "cannot change '\(path)': \(reason)")
  }

  private func missing(_ id: RecordID) -> RecordFileError {
    refusal("row \(id.key) of \(id.entity) has its ID in a form that JSON does not have")
  }
}

/// Writes rows of one entity into their table.
private struct RowWriting {
  private let entity: Schema.Entity
  private let forms: ReferenceForms
  private let rows: UntypedRows
  private let file: UntypedFile
  /// The descriptions of the members; `nil` in a file without descriptions.
  private let descriptions: MemberDescriptions?
  /// The members whose columns had only strings until this edit wrote an array or object there.
  private var mixed: Set<ExactString> = []

  init(
    _ entity: Schema.Entity, _ forms: ReferenceForms, _ rows: UntypedRows,
    _ descriptions: MemberDescriptions?, _ file: UntypedFile
  ) throws {
    self.entity = entity
    self.forms = forms
    self.rows = rows
    self.descriptions = descriptions
    self.file = file
  }

  func delete(_ id: RecordID) throws -> Bool {
    let form = UntypedValue(id.key).idForm
    try setSpelling(nil, of: nil, form)
    return try rows.delete(form)
  }

  mutating func update(_ update: DatabaseDifference.Update) throws -> Bool {
    let id = UntypedValue(update.id.key).idForm
    let values = try update.fields.map { try stored($0.new, of: $0.name, in: id) }
    return values.isEmpty ? true : try rows.update(id, values)
  }

  /// Inserts a row.
  ///
  /// - Returns: `false` if the table has only integer IDs, and the ID of the row is no integer.
  mutating func insert(_ record: Record) throws -> Bool {
    let id = UntypedValue(record.id.key).idForm
    if rows.hasIntegerIDs {
      guard case .integer = id else { return false }
    }
    let values = try record.members.map { try stored($0.value, of: $0.name, in: id) }
    try rows.insert(id, values)
    return true
  }

  /// Returns the index of a member and the stored form of its value. Writes the spelling of the
  /// value to `entia_spellings`.
  private mutating func stored(
    _ value: RecordValue?, of name: String, in id: StoredValue
  ) throws -> (member: Int, value: StoredValue) {
    let member = try rows.index(of: name)
    guard let value else {
      try setSpelling(nil, of: name, id)
      return (member, .null)
    }
    let relationship = entity.relationship(name)
    let untyped = UntypedValue(value, by: relationship, forms)
    let isLink = relationship.map { !$0.isMany && $0.typeName == nil } ?? false
    // In a column with a foreign key, both `null` and a missing member are stored as NULL. Only
    // `null` has a spelling.
    let (form, spelling) =
      descriptions != nil && isLink && untyped == .null
      ? (.null, "null")
      : untyped.form(
        in: try kind(of: name, member, for: untyped), declaredAs: rows.declaredType(of: member))
    try setSpelling(spelling, of: name, id)
    return (member, form)
  }

  private mutating func kind(
    of name: String, _ member: Int, for value: UntypedValue
  ) throws -> UntypedValue.ColumnKind {
    guard let descriptions else {
      // Programs store Boolean values as integers if a member has only Boolean values.
      guard case .bool = value else { return .mixed }
      return try rows.hasOnly(["integer"], in: member) ? .booleans : .mixed
    }
    guard let kind = descriptions.kinds[ExactString(name)], !mixed.contains(ExactString(name))
    else { return .mixed }
    if kind == .strings, case .nested = value {
      try mix(name, member)
      return .mixed
    }
    return kind
  }

  /// Marks the strings of a member that look like arrays or objects. Called before the member gets
  /// its first array or object, which would otherwise look like such a string.
  private mutating func mix(_ name: String, _ member: Int) throws {
    for (id, form) in try rows.values(of: member) {
      // Values other than texts, which a program may have stored in the column, need no mark.
      guard case .text = form, let value = UntypedValue(form, in: .strings) else { continue }
      let (new, _) = value.form(in: .mixed)
      if new != form { _ = try rows.update(id, [(member, new)]) }
    }
    try file.connection.prepare("DELETE FROM entia_members WHERE part=? AND member=?")
      .run([.text(entity.name), .text(name)])
    mixed.insert(ExactString(name))
  }

  /// Replaces the spelling of a member's value; a `nil` text removes the spelling. Without a name,
  /// removes all spellings of the row.
  private func setSpelling(_ text: String?, of name: String?, _ id: StoredValue) throws {
    guard descriptions != nil else { return }
    let filter = name == nil ? "" : " AND member=?"
    try file.connection.prepare("DELETE FROM entia_spellings WHERE part=? AND id IS ?\(filter)")
      .run([.text(entity.name), id] + (name.map { [.text($0)] } ?? []))
    guard let text, let name else { return }
    try file.connection.prepare("INSERT INTO entia_spellings VALUES (?, ?, ?, ?)")
      .run([.text(entity.name), .text(name), id, .text(text)])
  }
}
