/// Turns values into canonical text (see ``JSONText``) as they are read. The memory is reused from
/// value to value.
package struct JSONCanonicalizer {
  /// A range of bytes in the input or in the arena.
  private struct Slice {
    var start = 0
    var count = 0
    var isInArena = false
  }

  /// One value. The nodes are in input order, so the parts of a value follow its node.
  private struct Node {
    let token: JSONToken
    var name = Slice()
    var nameOffset = 0
    var text = Slice()
    /// The index of the node after this one and its parts.
    var next = 0
  }

  /// An array or object whose text is being written.
  private struct Open {
    let isObject: Bool
    var position: Int
    let start: Int
  }

  /// The offsets of member names that repeat an earlier name of the same object.
  package private(set) var duplicates: [Int] = []

  /// The canonical text of the last value.
  package private(set) var output: [UInt8] = []
  private var nodes: [Node] = []
  /// The content of the strings that have escapes, with the escapes resolved.
  private var arena: [UInt8] = []
  private var open: [Int] = []
  private var order: [Int] = []
  private var writing: [Open] = []

  package init() {}

  /// Removes all recorded duplicates.
  package mutating func clearDuplicates() { duplicates.removeAll(keepingCapacity: true) }

  /// Reads the value that begins with a token, and returns its canonical text.
  ///
  /// - Throws: A ``JSONError`` if the text is invalid.
  package mutating func read(
    _ first: JSONToken, from reader: inout JSONReader
  ) throws(JSONError) -> JSONText {
    try write(first, from: &reader)
    return JSONText(canonical: String(decoding: output, as: UTF8.self))
  }

  /// Reads the value that begins with a token, and stores its canonical text in ``output`` until
  /// the next value is read.
  ///
  /// - Throws: A ``JSONError`` if the text is invalid.
  package mutating func write(
    _ first: JSONToken, from reader: inout JSONReader
  ) throws(JSONError) {
    guard first.opens else { return writeScalar(first, from: reader) }
    nodes.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    try gather(first, from: &reader)
    output.removeAll(keepingCapacity: true)
    write(from: reader.base)
  }

  private mutating func writeScalar(_ token: JSONToken, from reader: JSONReader) {
    output.removeAll(keepingCapacity: true)
    guard token == .string, !reader.isCanonicalString else {
      return output.append(contentsOf: reader.tokenBytes)
    }
    arena.removeAll(keepingCapacity: true)
    reader.appendContent(to: &arena)
    output.append(Byte.quote)
    arena.withUnsafeBufferPointer { JSONWriter.append(content: $0, to: &output) }
    output.append(Byte.quote)
  }

  // MARK: Reading

  private mutating func gather(_ first: JSONToken, from reader: inout JSONReader) throws(JSONError)
  {
    var token = first
    var name = Slice()
    var nameOffset = 0
    while true {
      switch token {
      case .name:
        name = slice(of: reader)
        nameOffset = reader.tokenStart
      case .endObject, .endArray:
        nodes[open.removeLast()].next = nodes.count
      case .end:
        return
      default:
        var node = Node(token: token, name: name, nameOffset: nameOffset)
        if token.opens {
          open.append(nodes.count)
        } else if token == .string {
          node.text = slice(of: reader)
        } else {
          node.text = Slice(start: reader.tokenStart, count: reader.tokenBytes.count)
        }
        node.next = nodes.count + 1
        nodes.append(node)
      }
      if open.isEmpty { return }
      token = try reader.next()
    }
  }

  /// Returns the position of the content of the string or name that the reader has just read.
  private mutating func slice(of reader: JSONReader) -> Slice {
    guard reader.hasEscapes else {
      return Slice(start: reader.tokenStart + 1, count: reader.rawString.count)
    }
    let start = arena.count
    reader.appendContent(to: &arena)
    return Slice(start: start, count: arena.count - start, isInArena: true)
  }

  // MARK: Writing

  private mutating func write(from base: UnsafePointer<UInt8>) {
    order.removeAll(keepingCapacity: true)
    writing.removeAll(keepingCapacity: true)
    begin(0, from: base)
    while var last = writing.popLast() {
      guard last.position < order.count else {
        output.append(last.isObject ? Byte.closeBrace : Byte.closeBracket)
        order.removeSubrange(last.start...)
        continue
      }
      if last.position > last.start { output.append(Byte.comma) }
      let child = order[last.position]
      last.position += 1
      writing.append(last)
      if last.isObject {
        append(string: nodes[child].name, from: base)
        output.append(Byte.colon)
      }
      begin(child, from: base)
    }
  }

  private mutating func begin(_ index: Int, from base: UnsafePointer<UInt8>) {
    let node = nodes[index]
    switch node.token {
    case .beginArray, .beginObject:
      let isObject = node.token == .beginObject
      output.append(isObject ? Byte.openBrace : Byte.openBracket)
      let start = order.count
      var child = index + 1
      while child < node.next {
        order.append(child)
        child = nodes[child].next
      }
      if isObject { sort(from: start, base: base) }
      writing.append(Open(isObject: isObject, position: start, start: start))
    case .string:
      append(string: node.text, from: base)
    default:
      output.append(contentsOf: bytes(node.text, base))
    }
  }

  private mutating func append(string slice: Slice, from base: UnsafePointer<UInt8>) {
    output.append(Byte.quote)
    if slice.isInArena {
      arena[slice.start..<slice.start + slice.count].withUnsafeBufferPointer {
        JSONWriter.append(content: $0, to: &output)
      }
    } else {
      // The string has no escapes in the input, so its canonical form has none, either.
      output.append(contentsOf: bytes(slice, base))
    }
    output.append(Byte.quote)
  }

  private func bytes(
    _ slice: Slice, _ base: UnsafePointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + slice.start, count: slice.count)
  }

  // MARK: Order

  private mutating func sort(from start: Int, base: UnsafePointer<UInt8>) {
    guard order.count - start > 1 else { return }
    var isSorted = true
    for index in start + 1..<order.count where isSorted {
      isSorted = compare(order[index - 1], order[index], base) < 0
    }
    if isSorted { return }
    let sorted = order[start...].sorted {
      let order = compare($0, $1, base)
      return order == 0 ? $0 < $1 : order < 0
    }
    order.replaceSubrange(start..., with: sorted)
    for index in start + 1..<order.count where compare(order[index - 1], order[index], base) == 0 {
      duplicates.append(nodes[order[index]].nameOffset)
    }
  }

  /// Compares the names of two nodes by their bytes: negative, zero or positive.
  private func compare(_ left: Int, _ right: Int, _ base: UnsafePointer<UInt8>) -> Int {
    arena.withUnsafeBufferPointer { arena in
      let left = name(nodes[left].name, base, arena)
      let right = name(nodes[right].name, base, arena)
      for index in 0..<min(left.count, right.count) where left[index] != right[index] {
        return left[index] < right[index] ? -1 : 1
      }
      return left.count - right.count
    }
  }

  private func name(
    _ slice: Slice, _ base: UnsafePointer<UInt8>, _ arena: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    slice.isInArena
      ? UnsafeBufferPointer(rebasing: arena[slice.start..<slice.start + slice.count])
      : UnsafeBufferPointer(start: base + slice.start, count: slice.count)
  }
}
