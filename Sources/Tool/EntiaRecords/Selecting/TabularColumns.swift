import EntiaCoding
import EntiaJSON

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

  /// Returns the contents of the fields; nil for an empty field.
  private func cells(of row: Record) -> [String?] {
    var values: [ExactString: RecordValue] = [:]
    for (name, value) in zip(row.names, row.values) { values[name] = value }
    let own: [String?] = idName == nil ? [] : [row.id.key.text]
    return own + members.map { cell(values[$0], variants?[$0]) }
  }

  private func cell(_ value: RecordValue?, _ relationship: Schema.Relationship?) -> String? {
    switch value {
    case nil: nil
    case .plain(let text): text.isNull ? nil : text.string ?? text.text
    case .reference(let id) where relationship == nil: id.key.text
    case .some(let value): forms.text(of: value, by: relationship)
    }
  }

  // MARK: CSV

  func writeCSV<Failure: Error>(
    _ rows: [Record], to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var text = PieceWriter()
    text.append(csv: header)
    for row in rows {
      text.append(csv: cells(of: row))
      try text.flush(ifFull: true, pieces)
    }
    try text.flush(ifFull: false, pieces)
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
    var text = PieceWriter()
    text.append(Self.line(header, widths) + Self.line(rule, widths))
    for row in rows {
      text.append(Self.line(shown(row), widths))
      try text.flush(ifFull: true, pieces)
    }
    try text.flush(ifFull: false, pieces)
  }

  private func shown(_ row: Record) -> [String] { cells(of: row).map { Self.shown($0 ?? "") } }

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
package enum RowFormat: String, Hashable, Sendable, CaseIterable {
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
  package func write<Failure: Error>(
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
        if writer.bytes.count >= PieceWriter.pieceLength { try writer.flush(to: pieces) }
      }
      writer.endArray()
      writer.endLine()
      try writer.flush(to: pieces)
    case .ndjson:
      var text = PieceWriter()
      for row in rows {
        var writer = JSONWriter(layout: .compact)
        forms.write(row, to: &writer)
        writer.endLine()
        text.append(writer.bytes)
        try text.flush(ifFull: true, pieces)
      }
      try text.flush(ifFull: false, pieces)
    case .csv: try TabularColumns(rows, of: entity, forms).writeCSV(rows, to: pieces)
    case .table: try TabularColumns(rows, of: entity, forms).writeTable(rows, to: pieces)
    }
  }
}

extension JSONText {
  /// Returns the value of a member, or nil if the value is not an object with this member.
  func member(_ name: String) -> JSONText? {
    reading(from: Byte.openBrace) { reader -> JSONText? in
      var canonicalizer = JSONCanonicalizer()
      _ = try reader.next()
      while try reader.next() == .name {
        let isFound = reader.string().isExactly(name)
        let token = try reader.next()
        if isFound { return try canonicalizer.read(token, from: &reader) }
        try reader.skipValue(token)
      }
      return nil
    }
  }

  /// The elements if the value is an array, otherwise nil.
  var elements: [JSONText]? {
    reading(from: Byte.openBracket) { reader -> [JSONText]? in
      var elements: [JSONText] = []
      var canonicalizer = JSONCanonicalizer()
      _ = try reader.next()
      while let token = try reader.nextElement() {
        elements.append(try canonicalizer.read(token, from: &reader))
      }
      return elements
    }
  }
}
