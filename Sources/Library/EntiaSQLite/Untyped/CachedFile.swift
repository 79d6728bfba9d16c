import EntiaCoding
import EntiaSystemSQLite
package import Foundation

/// A file in which a program may keep a cache: rows, ages of rows, answers, and held IDs. The class
/// uses the file without the Swift types of the program.
package final class CachedFile {
  /// A table in the file.
  struct Table {
    /// The storage in the file.
    let storage: String
    /// The name of the part in the storage.
    let part: String
    /// The name of the part for users. In a storage with a name, this is the name of the table,
    /// because another storage may have a part with the same name.
    let label: String
    /// The table in the file.
    let rows: PartTable

    /// The columns of the members and the ID, quoted; the ID is the last.
    fileprivate(set) var columns: [String] = []
  }

  let connection: SQLiteConnection
  /// The tables of rows, in the order of their names.
  private(set) var tables: [Table] = []
  /// The tables of ages. `rows` is the index in `tables` of the table with the received rows.
  private(set) var ages: [(table: Table, rows: Int)] = []
  /// The tables of answers. `rows` is the index in `tables` of the table with the received rows.
  private(set) var answers: [(table: Table, rows: Int)] = []
  /// The tables of held IDs.
  private(set) var held: [Table] = []

  /// The names of the tables of rows.
  package var names: [String] { tables.map(\.label) }
  /// Whether rows in the file have ages.
  package var hasAges: Bool { !ages.isEmpty }

  /// Opens a file for reading.
  /// - Throws: `DatabaseFileError`, `SQLiteFailure`.
  package convenience init(reading path: String) throws {
    try self.init(DatabaseFileError.describing(path) { try SQLiteConnection.reading(path) })
  }

  /// Opens a file for writing, as its sole writer.
  /// - Throws: `DatabaseFileError`, `SQLiteFailure`.
  package convenience init(writing path: String) throws {
    let connection = try DatabaseFileError.describing(path) {
      let connection = try SQLiteConnection.opening(path, DatabaseFileConfiguration())
      try connection.startWriting(.durable, to: path)
      return connection
    }
    try self.init(connection)
  }

  private init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    do {
      guard try FileHeader(connection).isDescribed else { return }
    } catch is FileHeader.Foreign {
      // Another program's file.
      return
    }
    var kinds: [String: (held: Set<String>, fresh: [FreshnessPart])] = [:]
    var found: [(table: Table, fresh: FreshnessPart)] = []
    let names = try connection.prepare(
      """
      SELECT storage, part, parts.name FROM entia_parts AS parts JOIN sqlite_schema AS tables
      ON tables.type='table' AND tables.name=parts.name COLLATE NOCASE
      ORDER BY storage, part
      """)
    while try names.step() {
      let (storage, part, name) = (names.text(at: 0), names.text(at: 1), names.text(at: 2))
      if kinds[storage] == nil { kinds[storage] = try Self.kinds(of: storage, connection) }
      let kind = kinds[storage]
      let rows = try PartTable(part: part, name: name, on: connection)
      var table = Table(
        storage: storage, part: part, label: storage.isEmpty ? part : name, rows: rows)
      table.columns = rows.columns.map(SQLName.quoted) + [rows.quotedID]
      if let fresh = kind?.fresh.first(where: { $0.name == part }) {
        found.append((table, fresh))
      } else if kind?.held.contains(part) == true {
        held.append(table)
      } else {
        tables.append(table)
      }
    }
    for (table, fresh) in found {
      let rows = tables.firstIndex { $0.storage == table.storage && $0.part == fresh.rows }
      guard let rows else { continue }
      switch fresh.kind {
      case .ages: ages.append((table, rows))
      case .answers: answers.append((table, rows))
      }
    }
  }

  private static func kinds(
    of storage: String, _ connection: SQLiteConnection
  ) throws -> (held: Set<String>, fresh: [FreshnessPart]) {
    (Set(try connection.heldParts(of: storage)), try connection.freshnessParts(of: storage))
  }
}

// Statistics.
extension CachedFile {
  /// The ages of the rows of a table.
  package struct AgeStatistics {
    /// The name of the table of ages.
    package let name: String
    /// The name of the table of rows.
    package let rows: String
    /// The number of ages.
    package let count: Int
    /// The number of rows.
    package let rowCount: Int
    /// The time at which the oldest row was received.
    package let oldest: Date?
    /// The time at which the newest row was received.
    package let newest: Date?
  }

  /// The answers to the requests of one type.
  package struct AnswerStatistics {
    /// The name of the table of answers.
    package let name: String
    /// The name of the table of rows.
    package let rows: String
    /// The number of answers.
    package fileprivate(set) var count = 0
    /// The number of invalidated answers.
    package fileprivate(set) var invalidated = 0
    /// The number of IDs in all answers.
    package fileprivate(set) var ids = 0
    /// The time at which the oldest answer was received.
    package fileprivate(set) var oldest: Date?
    /// The time at which the newest answer was received.
    package fileprivate(set) var newest: Date?
  }

  /// Returns statistics of the ages and answers. Rows that other programs have removed do not
  /// count.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(size of the ages, answers and IDs).
  package func statistics() throws -> (ages: [AgeStatistics], answers: [AnswerStatistics]) {
    (
      try ages.map { ages, rows in try statistics(of: ages.rows, ages.label, tables[rows]) },
      try answers.map { answers, rows in
        var statistics = AnswerStatistics(name: answers.label, rows: tables[rows].label)
        let existing = try ids(of: tables[rows])
        let list = try connection.prepare(
          "SELECT pages, isInvalidated FROM \(answers.rows.quotedName)")
        while try list.step() {
          statistics.count += 1
          if list.value(at: 1) == .integer(1) { statistics.invalidated += 1 }
          let answer = StoredAnswer(list.value(at: 0))
          statistics.ids += answer.ids.count(where: existing.contains)
          guard let time = answer.receivedAt else { continue }
          statistics.oldest = min(statistics.oldest ?? time, time)
          statistics.newest = max(statistics.newest ?? time, time)
        }
        return statistics
      }
    )
  }

  private func statistics(
    of ages: PartTable, _ name: String, _ rows: Table
  ) throws -> AgeStatistics {
    let times = try connection.prepare(
      """
      SELECT count(*), min(receivedAt), max(receivedAt) FROM \(ages.quotedName)
      WHERE \(ages.quotedID) IN (SELECT \(rows.rows.quotedID) FROM \(rows.rows.quotedName))
      """)
    _ = try times.step()
    return AgeStatistics(
      name: name, rows: rows.label, count: Int(times.integer(at: 0)),
      rowCount: Int(try connection.countRows(of: rows.rows.name)),
      oldest: times.value(at: 1).date, newest: times.value(at: 2).date)
  }

  /// Returns the keys of the IDs of the rows of a table.
  private func ids(of table: Table) throws -> Set<String> {
    let list = try connection.prepare(
      "SELECT \(table.rows.quotedID) FROM \(table.rows.quotedName)")
    var ids: Set<String> = []
    while try list.step() { if let id = list.value(at: 0).idKey { ids.insert(id) } }
    return ids
  }
}

/// The pages of an answer in a file.
struct StoredAnswer {
  /// The keys of the IDs.
  private(set) var ids: [String] = []
  /// The time at which the oldest page was received.
  private(set) var receivedAt: Date?

  init(_ pages: StoredValue) {
    guard case .array(let pages) = pages.json else { return }
    for case .object(let members) in pages {
      for member in members {
        switch (member.name, member.value) {
        case ("ids", .array(let list)): ids += list.compactMap(\.idKey)
        case ("receivedAt", .number(let number)):
          guard let seconds = Double(number.text) else { continue }
          let time = Date(timeIntervalSinceReferenceDate: seconds)
          receivedAt = min(receivedAt ?? time, time)
        default: break
        }
      }
    }
  }
}

extension StoredValue {
  /// The value as a date.
  fileprivate var date: Date? {
    StoredForm.double(self).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The JSON of a nested value; `nil` for another value.
  var json: JSONValue? {
    guard case .text(let text) = self, text.hasPrefix("{") || text.hasPrefix("[") else {
      return nil
    }
    // A text that only begins like JSON is no nested value.
    do { return try JSONValue.parse(Array(text.utf8)) } catch { return nil }
  }

  /// The value as the text of an ID. IDs of different types may have the same text.
  var idText: String? {
    switch self {
    case .null: nil
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\(bytes)"
    }
  }

  /// The text with which an ID is compared. Equal IDs have one text, however they are written.
  var idKey: String? {
    if let json { return json.idKey }
    if case .real(let number) = self { return number.idKey }
    return idText
  }
}

extension JSONValue {
  /// The text with which an ID is compared; `nil` if the value cannot be an ID.
  var idKey: String? {
    switch self {
    case .string(let text): text
    case .number(let number):
      Int64(number.text) == nil ? Double(number.text)?.idKey ?? number.text : number.text
    case .array(let elements): "[\(elements.map { $0.idKey ?? "" }.joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.name):\($0.value.idKey ?? "")" }.sorted().joined(separator: ","))}"
    default: nil
    }
  }
}

extension Double {
  fileprivate var idKey: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension SQLiteConnection {
  /// Calls the closure with the bytes that a file with the database would have.
  /// - Throws: `SQLiteFailure`; the error of the closure.
  /// - Complexity: O(size of the database).
  package func withFileBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    var count: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &count, 0) else {
      throw SQLiteFailure(SQLITE_NOMEM, on: nil)
    }
    defer { sqlite3_free(bytes) }
    return try body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }
}
