/// A text of comma-separated values as the records of an entity: its columns and their types.
///
/// CSV has no types. An ID and what refers to it is a number if all IDs of its entity are, in all
/// inputs and in the database; any other column holds numbers, or `true` and `false`, or lists and
/// objects as JSON, if every field of it does, and text otherwise. So one odd value never makes the
/// types of a column differ from row to row.
///
/// An empty field in quotes is an empty text in a column of texts. In any other column it is no
/// value, as if it stood without the quotes, because many programs quote all fields; an import
/// counts it as ignored.
struct CSVTable {
  /// What the fields of a column may be, as far as they were read.
  struct Column {
    let name: String
    var hasValues = false
    var areNumbers = true
    var areBools = true
    var areNested = true
    /// The number of empty fields in quotes.
    var emptyTexts = 0

    /// Notes one field.
    mutating func add(_ field: CSVReader.Field) {
      if field.bytes.isEmpty {
        if field.isQuoted { emptyTexts += 1 }
        return
      }
      hasValues = true
      let text = field.text
      if areNumbers { areNumbers = JSONNumber(text) != nil }
      if areBools { areBools = text == "true" || text == "false" }
      if areNested { areNested = CSVTable.isNested(field.bytes) }
    }

    /// How the fields become JSON where the schema says nothing of them.
    var form: CSVForm {
      guard hasValues else { return .string }
      return areNested ? .nested : areNumbers || areBools ? .literal : .string
    }
  }

  private(set) var columns: [Column] = []
  private(set) var problems: [CSVReader.Failure] = []

  /// Reads a text to its end, and notes what its columns hold and what is wrong with it.
  init(_ window: ByteWindow) {
    var reader = CSVReader(window)
    var fields: [CSVReader.Field] = []
    do {
      guard try reader.next(&fields) else { return }
      readHeader(fields, line: reader.recordLine)
      if problems.count >= Self.maximumProblems { return }
      while try reader.next(&fields) {
        guard fields.count == columns.count else {
          problems.append(
            CSVReader.Failure(
              message: "\(Self.counted(fields.count)), where the header has \(columns.count)",
              line: reader.recordLine))
          if problems.count >= Self.maximumProblems { return }
          continue
        }
        for index in columns.indices { columns[index].add(fields[index]) }
      }
    } catch {
      problems.append(error)
    }
  }

  /// After so many problems it is clear that something else is wrong.
  private static let maximumProblems = 100

  private static func counted(_ count: Int) -> String {
    count == 1 ? "1 field" : "\(count) fields"
  }

  private mutating func readHeader(_ fields: [CSVReader.Field], line: Int) {
    if fields.contains(where: { !$0.isQuoted && $0.bytes.contains(Byte.carriageReturn) }) {
      problems.append(
        CSVReader.Failure(
          message: "the header has a carriage return that ends no line; a line ends with a line "
            + "feed, or with both", line: line))
    }
    var names: Set<ExactString> = []
    for (index, field) in fields.enumerated() where problems.count < Self.maximumProblems {
      let name = field.text
      if name.isEmpty {
        problems.append(
          CSVReader.Failure(message: "column \(index + 1) of the header has no name", line: line))
      } else if !names.insert(ExactString(name)).inserted {
        problems.append(
          CSVReader.Failure(message: "two columns are named \(name.quoted)", line: line))
      }
      columns.append(Column(name: name))
    }
  }

  /// Whether a field is a list or an object as JSON has it.
  static func isNested(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == Byte.openBracket || bytes.first == Byte.openBrace else { return false }
    do {
      _ = try JSONText.parse(bytes)
      return true
    } catch {
      return false
    }
  }
}
