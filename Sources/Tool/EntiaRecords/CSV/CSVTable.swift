import EntiaCoding

/// A text of comma-separated values as the records of an entity: its columns and their types.
///
/// CSV has no types. The types of the columns are determined from all inputs and the database:
/// - An ID and the references to it are numbers if all IDs of the entity are numbers. The same
///   applies to each part of a composite ID.
/// - Any other column has one of three types (numbers, Booleans, or JSON arrays and objects) if all
///   of its fields have this type.
/// - A column holds text if its fields have no such common type, or if its member has only text in
///   the database.
///
/// A single odd value therefore never causes different types in one column.
///
/// In a text column, an empty quoted field is an empty text. In any other column, an empty field is
/// a missing value even if it is quoted, because many programs quote all fields. An import counts
/// an empty quoted field outside text columns as ignored.
struct CSVTable {
  /// The possible types of a column, given the fields that have been read.
  struct Column {
    let name: String
    var hasValues = false
    var areNumbers = true
    var areBools = true
    var areNested = true
    /// The number of empty quoted fields.
    var emptyTexts = 0

    /// Updates the possible types with one field.
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

    /// Whether the values can only be text.
    var areText: Bool {
      get { !areNumbers && !areBools && !areNested }
      set { if newValue { (areNumbers, areBools, areNested) = (false, false, false) } }
    }

    /// Adds the values of another column. Afterwards, a type is possible only if it was possible
    /// for both columns.
    mutating func formUnion(_ other: Self) {
      hasValues = hasValues || other.hasValues
      areNumbers = areNumbers && other.areNumbers
      areBools = areBools && other.areBools
      areNested = areNested && other.areNested
    }

    /// The conversion to JSON if the schema does not define one.
    var form: CSVForm {
      guard hasValues else { return .string }
      return areNested ? .nested : areNumbers || areBools ? .literal : .string
    }
  }

  private(set) var columns: [Column] = []
  private(set) var problems: [CSVReader.Failure] = []

  /// Creates the columns of a text. The text is read to its end, to determine the types of the
  /// columns and to find problems.
  ///
  /// - Parameters:
  ///   - window: The text.
  ///   - separator: The byte between fields; nil to recognize it.
  init(_ window: ByteWindow, separator: UInt8? = nil) {
    var reader = CSVReader(window, separator: separator)
    var fields: [CSVReader.Field] = []
    do {
      guard try reader.next(&fields) else {
        if window.failure != nil { return }
        problems.append(
          CSVReader.Failure(
            message: "the text is empty; the names of the columns are its first line",
            line: reader.recordLine))
        return
      }
      readHeader(fields, line: reader.recordLine)
      if problems.count >= Self.maximumProblems { return }
      while try reader.next(&fields) {
        guard fields.count == columns.count else {
          problems.append(
            CSVReader.Failure(
              message: "\(fields.count.counted("field")), where the header has \(columns.count)"
                + Self.hint(fields, reader.separator),
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

  /// The number of problems after which reading stops, because the text is probably not CSV.
  private static let maximumProblems = 100

  /// Returns a hint at the separator of a line that has one field.
  private static func hint(_ fields: [CSVReader.Field], _ separator: UInt8) -> String {
    let other = CSVReader.separators.first { $0 != separator && fields[0].bytes.contains($0) }
    guard fields.count == 1, let other else { return "" }
    return "; the header is separated by \(CSVReader.name(of: separator)), and this line by "
      + "\(CSVReader.name(of: other)): --delimiter sets one for all lines"
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

  /// Returns whether a field is a JSON array or object.
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

/// The conversion of a column's fields to JSON.
enum CSVForm {
  /// Unchanged: numbers, `true` and `false`.
  case literal
  /// A field that is a JSON array or object stays JSON. Any other field becomes a string.
  case nested
  case string
}

/// Converts records of comma-separated values to lines of JSON.
struct CSVLines {
  let names: [String]
  let forms: [CSVForm]

  /// Appends one record. An empty field has no member.
  func append(_ fields: [CSVReader.Field], to bytes: inout [UInt8]) {
    bytes.append(Byte.openBrace)
    var isFirst = true
    for (index, field) in fields.prefix(names.count).enumerated() {
      if field.isEmpty || field.bytes.isEmpty && forms[index] != .string { continue }
      if !isFirst { bytes.append(Byte.comma) }
      isFirst = false
      JSONWriter.append(string: names[index], to: &bytes)
      bytes.append(Byte.colon)
      switch forms[index] {
      case .literal: bytes += field.bytes
      case .nested where CSVTable.isNested(field.bytes):
        // Line breaks become spaces, because a line feed would end the record. Line breaks can
        // only be between JSON tokens, where a space means the same.
        bytes += field.bytes.map {
          $0 == Byte.newline || $0 == Byte.carriageReturn ? Byte.space : $0
        }
      case .nested, .string: JSONWriter.append(string: field.text, to: &bytes)
      }
    }
    bytes.append(Byte.closeBrace)
    bytes.append(Byte.newline)
  }
}
