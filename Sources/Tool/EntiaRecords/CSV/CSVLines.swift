import EntiaCoding

/// Converts records of comma-separated values to lines of JSON.
struct CSVLines {
  let names: [String]
  let forms: [CSVForm]

  init(names: [String], forms: [CSVForm]) {
    self.names = names
    self.forms = forms
  }

  /// Creates a converter for a table without a schema.
  init(_ table: CSVTable) {
    self.init(names: table.columns.map(\.name), forms: table.columns.map(\.form))
  }

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
        // A line feed ends the record, and whitespace between JSON tokens is not significant.
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
