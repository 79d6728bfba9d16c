import EntiaCoding
import EntiaJSON
import EntiaSQLite
import Foundation

extension RecordFile {
  /// Returns the problems of a file's values: values that JSON cannot represent, for example texts
  /// in another encoding than UTF-8; and IDs that differ from the members of their row. Each
  /// problem has the table, row and column.
  ///
  /// BLOBs and infinite numbers are problems only if the tool `entia` wrote the file, and no
  /// program that uses the library has saved it.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the file).
  static func valueProblems(of path: String) throws(RecordFileError) -> [ImportProblem] {
    try describingErrors(of: path) {
      let file = try UntypedFile(reading: path)
      try file.connection.execute("BEGIN")
      let isProblem = try file.isOwn ? reports(of: file) : { $0 == .text }
      var problems = ValueProblems()
      try visitLosses(of: file) { loss, place in
        if isProblem(loss) { problems.add(loss, place) }
      }
      return try problems.list(file: path) + idProblems(of: file, path)
    }
  }

  /// Returns a problem for each row whose ID is in a column of its own, and whose members have
  /// another ID. A program loads such a row by its members.
  private static func idProblems(
    of file: UntypedFile, _ path: String
  ) throws -> [ImportProblem] {
    guard file.isOwn else { return [] }
    return try file.parts().filter { $0.idIndex == nil }.flatMap { part in
      var others: [String] = []
      var count = 0
      var isMember = false
      let rows = try file.reading(part)
      while try rows.step() {
        let id = rows.value(at: part.members.count)
        let members = members(of: id, part)
        let isSame = members.allSatisfy { rows.value(at: $0.index).isSame(as: $0.value) }
        if !isSame {
          count += 1
          if count <= ValueProblems.maximumListed { others.append(id.label) }
        }
        if isSame && !members.isEmpty { isMember = true }
      }
      // Members that contain the ID of no row are probably not the ID, but the ID is computed.
      return (isMember ? others : []).enumerated().map { index, id in
        ImportProblem(
          file: path,
          path: JSONPath.root.name("entities").name(part.name).name(id).description,
          kind: .inconsistency,
          message: "\(part.idColumn) of \(part.name) \(id.quoted) differs from the ID in the "
            + "members of the row, by which a program loads it",
          cause: ImportProblem.Cause(
            entity: part.name, "\(part.idColumn) differs from the ID in the members"),
          more: index == others.count - 1 ? count - others.count : 0)
      }
    }
  }

  /// Returns the indexes of the members that contain an ID, with their parts of it. A composite ID
  /// is an object of members.
  private static func members(
    of id: StoredValue, _ part: UntypedFile.Part
  ) -> [(index: Int, value: JSONValue)] {
    guard let value = id.jsonValue else { return [] }
    var members = [JSONValue.Member("id", value)]
    if case .object(let parts) = value { members = parts }
    let found = members.compactMap { member in
      part.members.firstIndex { $0.isExactly(member.name) }.map { ($0, member.value) }
    }
    return found.count == members.count ? found : []
  }

  /// Returns a closure that decides whether the loss of a value is reported, for a file in the
  /// format of Entia. If a program has saved the file, BLOBs and infinite numbers are not reported,
  /// because they are valid values of the program.
  static func reports(of file: UntypedFile) throws -> (UntypedLoss) -> Bool {
    try file.isSavedByProgram() ? { $0 == .text } : { _ in true }
  }

  /// The place of a value in a file.
  struct ValuePlace {
    let table: String
    let row: String
    let column: String
  }

  /// Calls a closure with the loss and the place of each value that changes when it is read as
  /// JSON.
  static func visitLosses(
    of file: UntypedFile, _ body: (UntypedLoss, ValuePlace) -> Void
  ) throws {
    func visit(
      _ table: String, _ columns: [String], ids: Range<Int>, _ rows: SQLiteStatement
    ) throws {
      while try rows.step() {
        for (index, column) in columns.enumerated() {
          guard let loss = rows.loss(at: index, isOwn: file.isOwn) else { continue }
          let row = ids.map { rows.value(at: $0).label }.joined(separator: ", ")
          body(loss, ValuePlace(table: table, row: row, column: column))
        }
      }
    }
    if file.isOwn {
      for part in try file.parts() {
        let ids = part.members.count..<part.members.count + 1
        let columns = part.members + (part.idIndex == nil ? [part.idColumn] : [])
        try visit(part.name, columns, ids: ids, try file.reading(part))
      }
      return
    }
    var reading = ForeignReading(file)
    for table in try reading.allTables() {
      let ids =
        table.rowID == nil ? table.primaryKey.map(UntypedFile.quoted) : [table.rowNumber]
      let names = table.columns.map(UntypedFile.quoted) + ids
      let rows = try file.connection.prepare(
        "SELECT \(names.joined(separator: ", ")) FROM \(table.source())")
      try visit(
        table.name, table.columns, ids: table.columns.count..<names.count, rows)
    }
  }
}

/// The notes on values that change when a file is read as JSON, by column.
struct LossNotes {
  private var counts: [String: [UntypedLoss: Int]] = [:]
  /// The columns in the order of their first losses.
  private var columns: [String] = []

  mutating func add(_ loss: UntypedLoss, _ column: String) {
    if counts[column] == nil { columns.append(column) }
    counts[column, default: [:]][loss, default: 0] += 1
  }

  var notes: [String] {
    columns.flatMap { column in
      UntypedLoss.allCases.compactMap { loss in
        guard let count = counts[column]?[loss] else { return nil }
        let form =
          switch loss {
          case .blob: "as base64"
          case .text: "with U+FFFD in the place of the wrong bytes"
          case .number: count == 1 ? "as a text" : "as texts"
          }
        let example = loss == .number ? " such as \"$Infinity\"" : ""
        return
          "\(column): \(loss.counted(count)) \(count == 1 ? "is" : "are") read \(form)\(example)"
      }
    }
  }
}

/// Rows whose IDs differ in SQLite but are equal in JSON.
enum EqualIDs {
  /// Returns a note on rows whose IDs differ in SQLite but are equal in JSON; `nil` if the table
  /// has no such rows.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - ids: The columns of the ID in the rows.
  ///   - isOwn: Whether Entia wrote the file.
  ///   - rows: Returns a statement that reads all rows.
  /// - Complexity: O(*n*) in time, and O(*m*) in memory, where *m* is the number of rows whose IDs
  ///   change when they are read as JSON.
  static func note(
    of table: String, ids: Range<Int>, isOwn: Bool, _ rows: () throws -> SQLiteStatement
  ) throws -> String? {
    var counts: [[ExactString]: Int] = [:]
    var example: String?
    for isCounting in [false, true] {
      let rows = try rows()
      while try rows.step() {
        let id = ids.map { rows.value(at: $0).inJSON(isOwn: isOwn) }
        let key = id.map(\.exactText)
        if !isCounting {
          if ids.contains(where: { rows.loss(at: $0, isOwn: isOwn) != nil }) { counts[key] = 0 }
        } else if let count = counts[key] {
          counts[key] = count + 1
          if count == 1, example == nil { example = id.map(\.label).joined(separator: ", ") }
        }
      }
    }
    guard let example else { return nil }
    let equal = counts.values.filter { $0 > 1 }
    return "\(equal.reduce(0, +)) rows of \(table) have \(equal.count.counted("ID")) in JSON, "
      + "\(equal.count == 1 ? "" : "such as ")\(example), and are read as "
      + equal.count.counted("row")
  }
}

extension StoredValue {
  /// Returns the value that replaces this value in JSON. Infinite numbers and BLOBs become texts.
  /// In a file that Entia wrote, a BLOB that stores a JSON value other than a string is unchanged.
  ///
  /// - Parameter isOwn: Whether Entia wrote the file.
  func inJSON(isOwn: Bool) -> StoredValue {
    switch self {
    case .blob where isOwn:
      if case .string(let text) = UntypedValue(self, in: .strings) { .text(text) } else { self }
    case .blob(let bytes): .text(Data(bytes).base64EncodedString())
    case .real(let number) where !number.isFinite: .text(number > 0 ? "$Infinity" : "$-Infinity")
    case .null, .integer, .real, .text: self
    }
  }
}

/// The problems of values that JSON does not have.
private struct ValueProblems {
  private var found: [(loss: UntypedLoss, place: RecordFile.ValuePlace)] = []
  /// The numbers of values of each kind.
  private var counts: [UntypedLoss: Int] = [:]

  static let maximumListed = 1_000

  mutating func add(_ loss: UntypedLoss, _ place: RecordFile.ValuePlace) {
    counts[loss, default: 0] += 1
    if counts[loss, default: 0] <= Self.maximumListed { found.append((loss, place)) }
  }

  /// Returns the problems. The last listed problem of a kind also has the number of problems of
  /// this kind that are not listed.
  func list(file: String) -> [ImportProblem] {
    var listed: [UntypedLoss: Int] = [:]
    return found.map { loss, place in
      listed[loss, default: 0] += 1
      let isLast = listed[loss] == Self.maximumListed
      let path = JSONPath.root.name("entities").name(place.table).name(place.row)
      return ImportProblem(
        file: file, path: path.name(place.column).description, kind: .typeMismatch,
        message: "\(place.column) of \(place.table) \(place.row.quoted) is \(loss.description)",
        cause: ImportProblem.Cause(
          entity: place.table, "\(place.column) is \(loss.description)"),
        more: isLast ? counts[loss, default: 0] - Self.maximumListed : 0)
    }
  }
}

extension UntypedLoss {
  fileprivate var description: String {
    switch self {
    case .blob: "a BLOB, which JSON does not have"
    case .text: "a text that is not UTF-8"
    case .number: "an infinite number, which JSON does not have"
    }
  }

  /// Returns a phrase with the number of values that have this loss.
  func counted(_ count: Int) -> String {
    switch self {
    case .blob: count.counted("BLOB")
    case .text: count.counted("text that is not UTF-8", "texts that are not UTF-8")
    case .number: count.counted("infinite number")
    }
  }
}

extension StoredValue {
  /// The value in JSON; `nil` for NULL.
  fileprivate var jsonValue: JSONValue? {
    guard let value = UntypedValue(self) else { return nil }
    var writer = JSONWriter(layout: .compact)
    writer.write(value)
    do { return try JSONValue.parse(writer.bytes) } catch { return nil }
  }

  /// Whether a program that stores the value in a column stores the same value nested as `nested`.
  fileprivate func isSame(as nested: JSONValue) -> Bool {
    switch (jsonValue ?? .null, nested) {
    case (.number(let number), .bool(let bool)): number.text == (bool ? "1" : "0")
    case (.number(let one), .number(let other)): one.compareValue(to: other) == 0
    case (.string(let text), .number(let number)):
      JSONNumber(text)?.compareValue(to: number) == 0
    case (.string(let one), .string(let other)):
      one.isExactly(other)
        || UUID(uuidString: one) != nil && UUID(uuidString: one) == UUID(uuidString: other)
    case (let one, let other): JSONText(one) == JSONText(other)
    }
  }

  /// The value of an ID in a message.
  var label: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): Data(bytes).base64EncodedString()
    }
  }
}
