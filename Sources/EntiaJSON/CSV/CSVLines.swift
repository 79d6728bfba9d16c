/// Turns records of comma-separated values into lines of JSON, one after the other.
struct CSVLines {
  /// How a column's fields become JSON.
  enum Form {
    /// As they are: numbers, `true` and `false`.
    case literal
    /// As they are if they are JSON's lists or objects, otherwise as strings.
    case nested
    case string
  }

  let names: [String]
  let forms: [Form]

  /// Makes an input of the lines.
  func source(_ source: ImportSource) -> ImportSource {
    ImportSource(name: source.name) {
      let lines = try Conversion(self, source.opened())
      return { try lines.read(into: $0) }
    }
  }

  /// Appends one record; an empty field leaves its member out.
  fileprivate func append(_ fields: [CSVReader.Field], to bytes: inout [UInt8]) {
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
        // A line ends the record, and whitespace between JSON's tokens means nothing.
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

/// The lines of one reading of an input.
private final class Conversion {
  private let lines: CSVLines
  private let window: ByteWindow
  private var reader: CSVReader
  private var fields: [CSVReader.Field] = []
  private var bytes: [UInt8] = []
  private var position = 0

  init(_ lines: CSVLines, _ window: ByteWindow) throws {
    self.lines = lines
    self.window = window
    reader = CSVReader(window)
    // The first record has the names.
    _ = try reader.next(&fields)
  }

  func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    var count = 0
    while count < memory.count {
      if position == bytes.count {
        bytes.removeAll(keepingCapacity: true)
        position = 0
        guard try reader.next(&fields) else { break }
        lines.append(fields, to: &bytes)
      }
      let part = bytes[position..<min(bytes.count, position + memory.count - count)]
      UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: part)
      count += part.count
      position += part.count
    }
    if let failure = window.failure { throw failure }
    return count
  }
}
