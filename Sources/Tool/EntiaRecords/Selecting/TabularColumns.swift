import EntiaCoding

/// The columns of rows in a tabular format: the ID, and each member of any row.
struct TabularColumns {
  private let forms: ReferenceForms
  /// The member that holds the ID; nil for a composite ID. The members of a composite ID have their
  /// own columns.
  private let idName: String?
  private let variants: [ExactString: Schema.Relationship]?
  private let members: [ExactString]

  init(_ rows: [Record], of entity: String, _ forms: ReferenceForms) {
    self.forms = forms
    idName = forms.idName(of: entity)
    variants = forms.variants(of: entity)
    members = MemberOrder(rows).names
  }

  private var header: [String] { (idName.map { [$0] } ?? []) + members.map(\.string) }

  /// The content of one field.
  private enum Cell {
    case empty
    case text(String)

    init(_ key: RecordKey) { self = .text(key.text) }
  }

  private func cells(of row: Record) -> [Cell] {
    var values: [ExactString: RecordValue] = [:]
    for (name, value) in zip(row.names, row.values) { values[name] = value }
    let own = idName == nil ? [] : [Cell(row.id.key)]
    return own + members.map { cell(values[$0], variants?[$0]) }
  }

  private func cell(_ value: RecordValue?, _ relationship: Schema.Relationship?) -> Cell {
    switch value {
    case nil: return .empty
    case .plain(let text):
      if text.isNull { return .empty }
      return .text(text.string ?? text.text)
    case .reference(let id) where relationship == nil: return Cell(id.key)
    case .some(let value):
      return .text(forms.text(of: value, by: relationship))
    }
  }

  // MARK: CSV

  func writeCSV<Failure: Error>(
    _ rows: [Record], to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = CSVWriter()
    writer.write(header.map { .some($0) })
    for row in rows {
      writer.write(
        cells(of: row).map { cell in
          switch cell {
          case .empty: nil
          case .text(let text): text
          }
        })
      if writer.bytes.count >= RecordDatabase.rowPieceSize { try writer.flush(to: pieces) }
    }
    try writer.flush(to: pieces)
  }

  // MARK: Tables

  /// The maximum number of characters of a field in a table.
  private static let maximumWidth = 40

  func writeTable<Failure: Error>(
    _ rows: [Record], to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let header = header.map(Self.shown)
    var widths = header.map(\.count)
    // The texts are computed twice, so that they are not all kept in memory.
    for row in rows {
      for (index, cell) in shown(row).enumerated() {
        widths[index] = max(widths[index], cell.count)
      }
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    var text = Self.line(header, widths) + Self.line(rule, widths)
    for row in rows {
      text += Self.line(shown(row), widths)
      if text.utf8.count >= RecordDatabase.rowPieceSize {
        try pieces(Array(text.utf8))
        text = ""
      }
    }
    try pieces(Array(text.utf8))
  }

  private func shown(_ row: Record) -> [String] {
    cells(of: row).map { cell in
      switch cell {
      case .empty: ""
      case .text(let text): Self.shown(text)
      }
    }
  }

  /// Returns the text on one line, truncated if it is long.
  private static func shown(_ text: String) -> String {
    var shown = ""
    var count = 0
    for character in text {
      if count == maximumWidth { return shown.dropLast() + "…" }
      let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      shown.append(isControl ? " " : character)
      count += 1
    }
    return shown
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      line += (line.isEmpty ? "" : "  ") + cell
      line += String(repeating: " ", count: width - cell.count)
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}

/// An output format of selected rows.
public enum RowFormat: String, Hashable, Sendable, CaseIterable {
  /// A JSON array, one line for each row.
  case json
  /// A JSON object on each line.
  case ndjson
  /// Comma-separated values (RFC 4180) with a header line.
  case csv
  /// Aligned columns for reading; long values are truncated.
  case table
}

extension RecordDatabase {
  /// Writes rows of one entity in pieces.
  ///
  /// JSON contains the rows as they are stored. CSV and tables have a column for the ID and one for
  /// each member of any row. In CSV and tables, a missing member and `null` are empty, a reference
  /// is the ID of its target, and arrays and objects are JSON. In CSV, an empty string is `""`.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - entity: The entity of the rows.
  ///   - format: The format.
  ///   - pieces: Called with each piece, in order.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the rows).
  public func write<Failure: Error>(
    _ rows: [Record], of entity: String, as format: RowFormat,
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let forms = ReferenceForms(schema.entities)
    switch format {
    case .json:
      var writer = JSONWriter(layout: .lines(depth: 1))
      writer.beginArray()
      for row in rows {
        forms.write(row, to: &writer)
        if writer.bytes.count >= Self.rowPieceSize { try writer.flush(to: pieces) }
      }
      writer.endArray()
      writer.endLine()
      try writer.flush(to: pieces)
    case .ndjson:
      var bytes: [UInt8] = []
      for row in rows {
        var writer = JSONWriter(layout: .compact)
        forms.write(row, to: &writer)
        writer.endLine()
        bytes += writer.bytes
        if bytes.count >= Self.rowPieceSize {
          try pieces(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
      }
      try pieces(bytes)
    case .csv: try TabularColumns(rows, of: entity, forms).writeCSV(rows, to: pieces)
    case .table: try TabularColumns(rows, of: entity, forms).writeTable(rows, to: pieces)
    }
  }

  static var rowPieceSize: Int { 1 << 16 }
}

extension JSONText {
  /// Returns the value of a member, or nil if the value is not an object with this member.
  func member(_ name: String) -> JSONText? {
    guard text.utf8.first == Byte.openBrace else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> JSONText? in
      var canonicalizer = JSONCanonicalizer()
      do {
        _ = try reader.next()
        while try reader.next() == .name {
          let isFound = reader.string().isExactly(name)
          let token = try reader.next()
          if isFound { return try canonicalizer.read(token, from: &reader) }
          try reader.skipValue(token)
        }
      } catch {}
      return nil
    }
  }

  /// The elements if the value is an array, otherwise nil.
  var elements: [JSONText]? {
    guard text.utf8.first == Byte.openBracket else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> [JSONText]? in
      var elements: [JSONText] = []
      var canonicalizer = JSONCanonicalizer()
      do {
        _ = try reader.next()
        while true {
          let token = try reader.next()
          if token == .endArray { return elements }
          elements.append(try canonicalizer.read(token, from: &reader))
        }
      } catch {
        return nil
      }
    }
  }
}
