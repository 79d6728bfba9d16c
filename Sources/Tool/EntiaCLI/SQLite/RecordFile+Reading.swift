import EntiaJSON
import EntiaRecords
import EntiaSQLite

extension RecordFile {
  /// Reads a database file as the JSON of its tables, which can be imported.
  ///
  /// In a file of another program, the tables are entities, and the foreign keys are relationships.
  /// The file is opened for reading only, and no code in it runs.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - tables: The names of the tables to read from a file of another program; `nil` for all.
  /// - Returns: The JSON, and notes on the parts of the file that the JSON lacks.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the database) in time and memory.
  static func read(
    _ path: String, tables: [String]? = nil
  ) throws(RecordFileError) -> (json: [UInt8], notes: [String]) {
    try describingErrors(of: path) {
      let file = try UntypedFile(reading: path)
      try file.connection.execute("BEGIN")
      return try contents(of: file, tables: tables)
    }
  }

  /// Returns the tables of a file that Entia created, as JSON.
  static func json(of file: UntypedFile) throws -> [UInt8] {
    // A file that a program has opened but not saved yet is read like a file that Entia did not
    // write.
    try contents(of: file).json
  }

  private static func contents(
    of file: UntypedFile, tables: [String]? = nil
  ) throws -> (json: [UInt8], notes: [String]) {
    guard file.isOwn else {
      var reading = ForeignReading(file, tables: tables)
      return try reading.read()
    }
    try file.requireAllRows()
    var reading = OwnReading(file, reports: try reports(of: file))
    return try reading.read()
  }

  /// Returns the problems that SQLite finds in the structure of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The number of problems after which the check ends.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the file).
  static func problems(
    of path: String, limit: Int
  ) throws(RecordFileError) -> [String] {
    try describingErrors(of: path) {
      try UntypedFile(reading: path).connection.problems(limit: limit)
    }
  }

  /// Returns the reason why some tables of a file cannot be read alone, or `nil` if they can.
  ///
  /// - Parameters:
  ///   - names: The names of the tables.
  ///   - path: The path of the file.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the schema).
  static func problem(
    withTables names: [String], of path: String
  ) throws(RecordFileError) -> String? {
    try describingErrors(of: path) {
      let file = try UntypedFile(reading: path)
      if file.isOwn {
        return "--table is for databases that something else made, and Entia wrote '\(path)'"
      }
      var reading = ForeignReading(file)
      let known = try reading.tableNames()
      guard let unknown = names.first(where: { !known.contains($0) }) else { return nil }
      if let kind = reading.ignored[unknown] {
        return "'\(unknown)' in '\(path)' is a \(kind), and only tables are read"
      }
      let suggestion = Suggestion.nearest(to: unknown, among: known)
      return "'\(path)' has no table '\(unknown)'"
        + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
    }
  }

  /// Whether a file has tables that describe its records.
  static func isDescribed(_ file: UntypedFile) throws -> Bool {
    try file.connection.value("SELECT 1 FROM sqlite_schema WHERE name='entia_records'") != nil
  }

  static func describingErrors<Result>(
    of path: String, _ body: () throws -> Result
  ) throws(RecordFileError) -> Result {
    do {
      return try UntypedFile.describingErrors(of: path, body)
    } catch let error as DatabaseFileError {
      switch error {
      case .isLocked, .isOpenElsewhere, .cannotOpen, .isReadOnly, .isFull:
        throw RecordFileError(isBadData: false, description: error.description)
      default: throw RecordFileError(isBadData: true, description: error.description)
      }
    } catch {
      throw RecordFileError(isBadData: true, description: "\(path): \(error)")
    }
  }

  /// Returns the delete rules of the relationships in a file of another program.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The rules of the foreign keys; `nil` for a file by Entia, which has no rules.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the schema).
  static func deleteRules(
    of path: String
  ) throws(RecordFileError) -> [ForeignDeleteRule]? {
    try describingErrors(of: path) {
      let file = try UntypedFile(reading: path)
      if file.isOwn { return nil }
      var reading = ForeignReading(file)
      return try reading.deleteRules()
    }
  }

  /// Whether a program has saved or shares a file. The rows of such a file are changed in their
  /// tables, because writing the file anew would remove its held IDs, its record of applied
  /// migrations, and storages with names.
  ///
  /// - Parameter path: The path of the file, which may be missing or no database.
  static func isUsedByProgram(_ path: String) -> Bool {
    do {
      return try UntypedFile(reading: path).isSavedByProgram() || UntypedFile.isShared(path)
    } catch {
      // The error is ignored here, because the later reading of the file reports it.
      return false
    }
  }

  /// Whether another connection has a file open, and would not notice that the file is replaced.
  ///
  /// - Parameter path: The path of the file, which need not exist.
  static func isOpenElsewhere(_ path: String) -> Bool {
    do throws(DatabaseFileError) {
      _ = try SoleUse(of: path)
      return false
    } catch {
      return true
    }
  }
}

/// Reads a file that Entia wrote.
private struct OwnReading {
  private let file: UntypedFile
  private var writer = JSONWriter(layout: .lines(depth: 3))
  /// The keys of all rows, by entity, for the entities with rows at the top level.
  private var keys: [ExactString: Set<RecordKey>] = [:]
  private let reports: (UntypedLoss) -> Bool
  private var losses = LossNotes()
  private var notes: [String] = []

  /// Creates a reading.
  ///
  /// - Parameter reports: A closure that returns whether a loss is added to the notes.
  init(_ file: UntypedFile, reports: @escaping (UntypedLoss) -> Bool) {
    self.file = file
    self.reports = reports
  }

  mutating func read() throws -> (json: [UInt8], notes: [String]) {
    let parts = try file.parts()
    let isDescribed = try RecordFile.isDescribed(file)
    let schema = try isDescribed ? description("schema") : nil
    let result = try isDescribed ? description("result") : nil
    for member in result?.members ?? [] { keys[ExactString(member.name)] = [] }
    writer.beginObject()
    writer.name("schema")
    let idNames = writer.schema(schema, of: parts.map(\.name)) { [Self.idName(of: parts[$0])] }
    writer.name("entities")
    writer.beginObject()
    for part in parts {
      try write(part, idNames: idNames[ExactString(part.name)] ?? [], isDescribed)
    }
    writer.endObject()
    writer.name("result")
    writer.result(result) { [keys] entity, id in
      id.key.map { keys[ExactString(entity)]?.contains($0) == true } ?? false
    }
    writer.endObject()
    writer.endLine()
    return (writer.bytes, notes + losses.notes)
  }

  private func description(_ key: String) throws -> JSONValue? {
    guard
      case .text(let text) = try file.connection.value(
        // The index is not used, because the sums that detect damage cover only the rows.
        "SELECT value FROM entia_records NOT INDEXED WHERE key=?", [.text(key)])
    else { return nil }
    return try JSONValue.parse(Array(text.utf8))
  }

  /// Returns the name of the member that contains the IDs of a part. Called for each part that the
  /// schema lacks.
  private static func idName(of part: UntypedFile.Part) -> String {
    if let index = part.idIndex { return part.members[index] }
    return part.members.contains { ExactString($0) == ExactString("id") } ? part.idColumn : "id"
  }

  private mutating func write(
    _ part: UntypedFile.Part, idNames: [String], _ isDescribed: Bool
  ) throws {
    let described =
      try isDescribed ? MemberDescriptions(of: part.name, in: file) : MemberDescriptions()
    let isResult = keys[ExactString(part.name)] != nil
    // A composite ID is not written, because it follows from the members.
    let idName = idNames.count == 1 ? idNames[0] : nil
    let rows = try file.reading(part)
    let kinds = part.members.map { described.kinds[ExactString($0)] ?? .mixed }
    writer.name(part.name)
    // Rows are written as an object by ID, so that their problems have readable paths. In a file
    // without descriptions, rows are written as an array, because a table may have both the IDs 1
    // and "1", which would be the same name in an object.
    let isByID = isDescribed && idName != nil
    if isByID { writer.beginObject() } else { writer.beginArray() }
    let columns = part.members + (part.idIndex == nil ? [part.idColumn] : [])
    var hasOddIDs = false
    while try rows.step() {
      for (index, column) in columns.enumerated() {
        guard let loss = rows.loss(at: index, isOwn: true), reports(loss) else { continue }
        losses.add(loss, "\(part.name).\(column)")
      }
      let idForm = rows.value(at: part.members.count)
      if rows.loss(at: part.members.count, isOwn: true) != nil { hasOddIDs = true }
      let id = UntypedValue(idForm, in: .strings) ?? .null
      if isByID { writer.name(id.key?.text ?? "") }
      writer.beginObject()
      if let idName {
        writer.name(idName)
        writer.write(id)
      }
      if isResult, let key = id.key {
        keys[ExactString(part.name)]?.insert(key)
      }
      for (index, member) in part.members.enumerated() {
        if let idName, ExactString(member) == ExactString(idName) { continue }
        let form = rows.value(at: index)
        guard let value = UntypedValue(form, in: kinds[index]) else {
          if described.spelling(of: member, idForm) != nil {
            writer.name(member)
            writer.null()
          }
          continue
        }
        writer.name(member)
        if let text = described.spelling(of: member, idForm),
          UntypedValue.isForm(form, ofNumber: text)
        {
          writer.write(.number(text))
        } else {
          writer.write(value)
        }
      }
      writer.endObject()
    }
    if isByID { return writer.endObject() }
    writer.endArray()
    guard hasOddIDs else { return }
    let ids = part.members.count..<part.members.count + 1
    let note = try EqualIDs.note(of: part.name, ids: ids, isOwn: true) { try file.reading(part) }
    if let note { notes.append(note) }
  }
}

/// The kinds of a part's columns, and the spellings of its values. They distinguish JSON values
/// that have the same form in a column.
struct MemberDescriptions {
  private(set) var kinds: [ExactString: UntypedValue.ColumnKind] = [:]
  private var spellings: [Cell: String] = [:]

  private struct Cell: Hashable {
    let member: ExactString
    let id: ExactString
  }

  init() {}

  init(of part: String, in file: UntypedFile) throws {
    let members = try file.connection.prepare(
      "SELECT member, kind FROM entia_members NOT INDEXED WHERE part=?")
    try members.bind(.text(part), at: 0)
    while try members.step() {
      kinds[ExactString(members.text(at: 0))] = UntypedValue.ColumnKind(
        rawValue: members.text(at: 1))
    }
    let texts = try file.connection.prepare(
      "SELECT member, id, spelling FROM entia_spellings WHERE part=?")
    try texts.bind(.text(part), at: 0)
    while try texts.step() {
      let cell = Cell(
        member: ExactString(texts.text(at: 0)), id: texts.value(at: 1).exactText)
      spellings[cell] = texts.text(at: 2)
    }
  }

  /// Returns the stored spelling of a value, or `nil` if none is stored.
  func spelling(of member: String, _ id: StoredValue) -> String? {
    if spellings.isEmpty { return nil }
    return spellings[Cell(member: ExactString(member), id: id.exactText)]
  }
}

extension StoredValue {
  /// A text that identifies the value.
  var exactText: ExactString {
    switch self {
    case .text(let text): ExactString("t" + text)
    case .integer(let number): ExactString("\(number)")
    case .real(let number): ExactString("\(number)")
    case .blob(let bytes): ExactString("b" + bytes.map { String($0, radix: 16) + "." }.joined())
    case .null: ExactString("")
    }
  }
}

extension JSONWriter {
  /// Writes the value of a column.
  mutating func write(_ value: UntypedValue) {
    switch value {
    case .null: self.value(.null)
    case .bool(let bool): self.value(.bool(bool))
    case .string(let string): self.string(string)
    case .number(let text):
      if let number = JSONNumber(text) { self.number(number) } else { string(text) }
    case .nested(let text):
      do throws(JSONError) {
        self.text(try JSONText.parse(Array(text.utf8)))
      } catch {
        // A text that only begins like JSON is a string.
        string(text)
      }
    }
  }
}

extension UntypedValue {
  /// The value as an ID.
  fileprivate var key: RecordKey? {
    switch self {
    case .string(let string): .string(string)
    case .number(let text): JSONNumber(text).map(RecordKey.number)
    default: nil
    }
  }
}

extension JSONValue {
  /// The value as an ID.
  fileprivate var key: RecordKey? {
    switch self {
    case .string(let string): .string(string)
    case .number(let number): .number(number)
    default: nil
    }
  }
}
