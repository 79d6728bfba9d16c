import EntiaCoding

/// Writes rows of one entity, each on one line under its ID: first the ID, then the members.
///
/// A line is first composed in separate memory. For each short text, `JSONWriter` would check
/// whether another copy shares its bytes.
struct RecordWriter: ~Copyable {
  /// The member names of the last row.
  private var names = MemberNames.empty
  /// The texts before the row's values, such as `,"name":`, and the end of each.
  private var prefixes = ScratchList<UInt8>()
  private var prefixEnds = ScratchList<Int>()
  /// The text before the ID.
  private var begin = ScratchList<UInt8>()
  /// The ID of the last row as JSON.
  private var key = ScratchList<UInt8>()
  private var line = ScratchList<UInt8>(capacity: 1024)

  init(idName: String) {
    begin.append(Byte.openBrace)
    Self.append(name: idName, to: &begin)
  }

  private static func append(name: String, to bytes: inout ScratchList<UInt8>) {
    JSONWriter.append(string: name, to: &bytes)
    bytes.append(Byte.colon)
  }

  /// Writes a row as a member whose name is the ID.
  mutating func write(_ row: Record, to writer: inout JSONWriter) {
    key.removeAll()
    line.removeAll()
    row.body.withUnsafeMutablePointerToHeader { head in
      if head.pointee.names !== names { adopt(head.pointee.names) }
      Self.append(head.pointee.id.node.key, to: &key)
    }
    if key[0] == Byte.quote {
      writer.name(json: key.elements)
    } else {
      line.append(Byte.quote)
      line.append(contentsOf: key.elements)
      line.append(Byte.quote)
      writer.name(json: line.elements)
      line.removeAll()
    }
    line.append(contentsOf: begin.elements)
    line.append(contentsOf: key.elements)
    var position = 0
    var start = 0
    row.forEachPart { text, targets in
      line.append(contentsOf: prefixes.elements(in: start..<prefixEnds[position]))
      start = prefixEnds[position]
      position += 1
      switch text.first {
      case RecordBody.oneMark: Self.append(targets, to: &line)
      case RecordBody.manyMark:
        line.append(Byte.openBracket)
        Self.append(targets, to: &line)
        line.append(Byte.closeBracket)
      default: line.append(contentsOf: text)
      }
    }
    line.append(Byte.closeBrace)
    writer.text(line.elements)
  }

  private mutating func adopt(_ names: MemberNames) {
    self.names = names
    prefixes.removeAll()
    prefixEnds.removeAll()
    for name in names.names {
      prefixes.append(Byte.comma)
      Self.append(name: name.string, to: &prefixes)
      prefixEnds.append(prefixes.count)
    }
  }

  private static func append(_ targets: Record.PartTargets, to bytes: inout ScratchList<UInt8>) {
    var isFirst = true
    targets.visit { id in
      if !isFirst { bytes.append(Byte.comma) }
      isFirst = false
      append(id.node.key, to: &bytes)
    }
  }

  private static func append(_ key: RecordKey, to bytes: inout ScratchList<UInt8>) {
    switch key {
    case .number(let number):
      var text = number.text
      text.withUTF8 { bytes.append(contentsOf: $0) }
    case .string(let string): JSONWriter.append(string: string, to: &bytes)
    }
  }
}
