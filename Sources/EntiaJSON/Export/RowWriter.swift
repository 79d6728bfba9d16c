/// Writes rows of one entity, each on one line: first the ID, then the members.
struct RowWriter {
  /// The member names of the last row.
  private var names = MemberNames.empty
  /// The text before each of the row's values, such as `,"name":`.
  private var prefixes: [[UInt8]] = []
  /// The text before the ID.
  private let begin: [UInt8]

  init(idName: String) {
    begin = [Byte.openBrace] + Self.name(idName)
  }

  private static func name(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(string: name, to: &bytes)
    bytes.append(Byte.colon)
    return bytes
  }

  /// Appends a row.
  mutating func write(_ row: Record, to bytes: inout [UInt8]) {
    row.body.withUnsafeMutablePointerToHeader { head in
      if head.pointee.names !== names { adopt(head.pointee.names) }
      bytes.append(contentsOf: begin)
      Self.append(head.pointee.id.node.key, to: &bytes)
    }
    var position = 0
    row.forEachPart { text, targets in
      bytes.append(contentsOf: prefixes[position])
      position += 1
      switch text.first {
      case RecordBody.oneMark: Self.append(targets, to: &bytes)
      case RecordBody.manyMark:
        bytes.append(Byte.openBracket)
        Self.append(targets, to: &bytes)
        bytes.append(Byte.closeBracket)
      default: bytes.append(contentsOf: text)
      }
    }
    bytes.append(Byte.closeBrace)
  }

  private mutating func adopt(_ names: MemberNames) {
    self.names = names
    prefixes = names.names.map { [Byte.comma] + Self.name($0.string) }
  }

  private static func append(_ targets: Record.PartTargets, to bytes: inout [UInt8]) {
    var isFirst = true
    targets.visit { id in
      if !isFirst { bytes.append(Byte.comma) }
      isFirst = false
      append(id.node.key, to: &bytes)
    }
  }

  private static func append(_ key: RecordKey, to bytes: inout [UInt8]) {
    switch key {
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let string): JSONWriter.append(string: string, to: &bytes)
    }
  }
}
