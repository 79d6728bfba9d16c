import EntiaCoding
import EntiaSQLite

/// Reads and writes database files as records without Swift types. `DatabaseFile` opens the same
/// files with a storage.
///
/// Three further tables store what JSON distinguishes and the rows do not. `entia_records` has the
/// schema and the rows of the top level. `entia_members` has the members whose columns have only
/// Boolean values or only strings. `entia_spellings` has the text of each number that Swift would
/// write differently. It also has each `null` in a column with a foreign key. These tables describe
/// the file at the time of writing. A value that was changed later is read in its current form.
enum RecordFile {
  /// The tables that describe the records.
  static let definitions = """
    CREATE TABLE entia_records(key TEXT PRIMARY KEY, value);
    CREATE TABLE entia_members(part TEXT, member TEXT, kind TEXT, PRIMARY KEY(part, member));
    CREATE TABLE entia_spellings(part TEXT, member TEXT, id, spelling TEXT);
    """
}

/// The error of a database file that cannot be read or written.
struct RecordFileError: Error, Equatable, CustomStringConvertible {
  /// Whether the content of the file caused the error, and not the access to it.
  let isBadData: Bool
  /// A sentence that names the file and the reason.
  let description: String
}

extension RecordFile {
  /// Returns descriptions of the content that is lost if a file is written anew from its records.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: Phrases such as `column types` and `1 index (by_name)`; empty if nothing is lost.
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  /// - Complexity: O(size of the schema), and O(size of the file) for a file of another program.
  static func losses(of path: String) throws(RecordFileError) -> [String] {
    try describingErrors(of: path) {
      let file = try UntypedFile(reading: path)
      try file.connection.execute("BEGIN")
      return try Losses(file).list()
    }
  }
}

/// Lists the parts of a file that records cannot represent.
private struct Losses {
  private let file: UntypedFile
  private var connection: SQLiteConnection { file.connection }

  init(_ file: UntypedFile) { self.file = file }

  func list() throws -> [String] {
    var (tables, virtual, objects) = try self.objects()
    var losses: [String] = []
    if file.isOwn {
      let own = try texts("SELECT name FROM entia_parts")
      // Entia's own tables have no constraints but keys, unless another program has added some.
      losses += try lostConstraints(of: tables.filter { own.contains($0.name) })
      tables.removeAll { own.contains($0.name) || $0.name.hasPrefix("entia_") }
      losses += Self.counted(tables.map(\.name), "table", "tables")
      losses += try valueLosses()
    } else {
      losses += try self.losses(of: tables)
      if losses.isEmpty, !tables.isEmpty { losses = ["the definitions of its tables"] }
    }
    losses += Self.counted(virtual, "virtual table", "virtual tables")
    for (type, plural) in [("index", "indexes"), ("trigger", "triggers"), ("view", "views")] {
      losses += Self.counted(objects[type] ?? [], type, plural)
    }
    for setting in ["user_version", "application_id"] {
      if case .integer(let number) = try connection.value("PRAGMA \(setting)"), number != 0 {
        losses.append("\(setting) \(number)")
      }
    }
    return losses
  }

  private typealias Table = (name: String, definition: String)

  /// Returns the tables, the names of virtual tables, and the names of other objects by type.
  private func objects() throws -> ([Table], virtual: [String], others: [String: [String]]) {
    var tables: [Table] = []
    var virtual: [String] = []
    var others: [String: [String]] = [:]
    let list = try connection.prepare(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
        AND NOT (\(UntypedFile.ownTriggers)) ORDER BY name
      """)
    while try list.step() {
      let (type, name, definition) = (list.text(at: 0), list.text(at: 1), list.text(at: 2))
      if type != "table" {
        others[type, default: []].append(name)
      } else if definition.uppercased().hasPrefix("CREATE VIRTUAL") {
        virtual.append(name)
      } else if !ForeignTable.isShadow(name, of: virtual) {
        tables.append((name, definition))
      }
    }
    return (tables, virtual, others)
  }

  /// Returns phrases for the definitions and values of foreign tables that records cannot
  /// represent.
  private func losses(of tables: [Table]) throws -> [String] {
    var hasTypes = false
    var foreignKeys = Int64(0)
    for (name, _) in tables {
      let info = try connection.prepare("SELECT type FROM pragma_table_xinfo(?)")
      try info.bind(.text(name), at: 0)
      while try info.step() { if !info.text(at: 0).isEmpty { hasTypes = true } }
      let keys = try connection.prepare(
        "SELECT count(DISTINCT id) FROM pragma_foreign_key_list(?)")
      try keys.bind(.text(name), at: 0)
      while try keys.step() { foreignKeys += keys.integer(at: 0) }
    }
    var losses = hasTypes ? ["column types"] : []
    losses += try lostConstraints(of: tables)
    if foreignKeys > 0 {
      losses.append(foreignKeys.counted("foreign key"))
    }
    return try losses + valueLosses()
  }

  /// Returns an array of one phrase, which lists the constraints of tables except primary and
  /// foreign keys, and also lists generated columns. The array is empty if the tables have none of
  /// these.
  private func lostConstraints(of tables: [Table]) throws -> [String] {
    var constraints: Set<String> = []
    for (name, definition) in tables {
      let words = Self.words(of: definition)
      constraints.formUnion(words.filter(Self.constraints.contains))
      if zip(words, words.dropFirst()).contains(where: { $0 == ("NOT", "NULL") }) {
        constraints.insert("NOT NULL")
      }
      let info = try connection.prepare("SELECT hidden FROM pragma_table_xinfo(?)")
      try info.bind(.text(name), at: 0)
      while try info.step() {
        if info.integer(at: 0) > 1 { constraints.insert("generated columns") }
      }
    }
    if constraints.isEmpty { return [] }
    return ["constraints (\(constraints.sorted().joined(separator: ", ")))"]
  }

  /// Returns phrases with the numbers of the values that records cannot represent.
  private func valueLosses() throws -> [String] {
    var counts: [UntypedLoss: Int] = [:]
    try RecordFile.visitLosses(of: file) { loss, _ in counts[loss, default: 0] += 1 }
    return UntypedLoss.allCases.compactMap { loss in counts[loss].map(loss.counted) }
  }

  /// The constraints whose names are reserved words of SQL. If a definition contains one of these
  /// words without quotes, the word is always a constraint.
  private static let constraints: Set<String> = [
    "AUTOINCREMENT", "CHECK", "COLLATE", "DEFAULT", "UNIQUE",
  ]

  /// Returns the words of a definition in capitals, without comments, strings and quoted names.
  private static func words(of definition: String) -> [String] {
    var words: [String] = []
    var word = ""
    var rest = Substring(definition)
    func end(_ word: inout String) {
      if !word.isEmpty { words.append(word.uppercased()) }
      word = ""
    }
    while let character = rest.popFirst() {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
        continue
      }
      end(&word)
      let close: Character? =
        switch character {
        case "'", "\"", "`": character
        case "[": "]"
        default: nil
        }
      if let close {
        rest = rest.drop { $0 != close }.dropFirst()
      } else if character == "-", rest.first == "-" {
        rest = rest.drop { !$0.isNewline }
      } else if character == "/", rest.first == "*" {
        rest.removeFirst()
        var last: Character = " "
        while let next = rest.popFirst(), !(last == "*" && next == "/") { last = next }
      }
    }
    end(&word)
    return words
  }

  private static let maximumNames = 3

  /// Returns one phrase with the number of names and the first names. Returns an empty array if
  /// there are no names.
  private static func counted(_ names: [String], _ one: String, _ many: String) -> [String] {
    if names.isEmpty { return [] }
    let listed = names.prefix(maximumNames).joined(separator: ", ")
    let ending = names.count > maximumNames ? ", …" : ""
    return ["\(names.count.counted(one, many)) (\(listed)\(ending))"]
  }

  private func texts(_ query: String) throws -> Set<String> {
    var result: Set<String> = []
    let rows = try connection.prepare(query)
    while try rows.step() { result.insert(rows.text(at: 0)) }
    return result
  }
}
