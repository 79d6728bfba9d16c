/// The tokens of one value, one after the other: what a decoder walks about in.
///
/// Nothing is made of a token before it is decoded: its text is a stretch of the input until then.
struct JSONTape {
  struct Node {
    let token: JSONToken
    let hasEscapes: Bool
    /// Where the token stands in the input, quotes included.
    let start: Int
    var end: Int
    /// The index of the node after this one and its parts.
    var next: Int
    /// In an object the index of the name after the one that was found last: members are mostly
    /// asked for in the order in which they stand.
    var hint: Int
    /// Whether something has decoded the value.
    var isDecoded = false
  }

  var nodes: [Node] = []
  /// The offsets of names that an earlier member of their object has already.
  private(set) var duplicates: [Int] = []
  private var open: [Int] = []
  /// The names of the object that has ended.
  private var names: [Int] = []

  /// Reads the value that a token begins, in the place of the last one.
  ///
  /// An object's names stand before the values of their members.
  /// - Throws: what is wrong with the text.
  mutating func read(_ first: JSONToken, from reader: inout JSONReader) throws(JSONError) {
    nodes.removeAll(keepingCapacity: true)
    duplicates.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    var token = first
    while true {
      switch token {
      case .endArray, .endObject:
        let index = open.removeLast()
        nodes[index].next = nodes.count
        nodes[index].end = reader.tokenEnd
        if token == .endObject { findDuplicates(of: index, reader) }
      default:
        if token.opens { open.append(nodes.count) }
        nodes.append(
          Node(
            token: token, hasEscapes: reader.hasEscapes, start: reader.tokenStart,
            end: reader.tokenEnd, next: nodes.count + 1, hint: nodes.count + 1))
      }
      if open.isEmpty { return }
      token = try reader.next()
    }
  }

  /// Gives the index of the node after an object's name that spells a member; nil if there is none.
  mutating func member(
    of object: Int, where matches: (Node) -> Bool
  ) -> Int? {
    let first = object + 1
    let end = nodes[object].next
    let hint = nodes[object].hint
    var index = hint < end ? hint : first
    let begun = index
    while index < end {
      if matches(nodes[index]) {
        nodes[object].hint = nodes[index + 1].next
        return index + 1
      }
      index = nodes[index + 1].next
      if index >= end, begun > first { index = first }
      if index == begun { return nil }
    }
    return nil
  }

  /// Notes that a member was found, by its name.
  mutating func passMember(_ name: Int, of object: Int) {
    nodes[object].hint = nodes[name + 1].next
  }

  private mutating func findDuplicates(of object: Int, _ reader: borrowing JSONReader) {
    names.removeAll(keepingCapacity: true)
    var index = object + 1
    while index < nodes[object].next {
      names.append(index)
      index = nodes[index + 1].next
    }
    guard names.count > 16 else {
      for place in names.indices {
        for other in 0..<place where haveSameText(names[other], names[place], reader) {
          duplicates.append(nodes[names[place]].start)
          break
        }
      }
      return
    }
    var seen: Set<ExactString> = []
    for name in names where !seen.insert(ExactString(reader.text(of: nodes[name]))).inserted {
      duplicates.append(nodes[name].start)
    }
  }

  @inline(__always)
  private func haveSameText(_ left: Int, _ right: Int, _ reader: borrowing JSONReader) -> Bool {
    let (left, right) = (nodes[left], nodes[right])
    if !left.hasEscapes, !right.hasEscapes, left.end - left.start != right.end - right.start {
      return false
    }
    if left.hasEscapes || right.hasEscapes {
      return reader.text(of: left).isExactly(reader.text(of: right))
    }
    return ByteRange.areEqual(
      reader.bytes(left.start..<left.end), reader.bytes(right.start..<right.end))
  }
}

extension JSONReader {
  /// The content of a string or name that has been read and kept.
  func text(of node: JSONTape.Node) -> String {
    guard node.hasEscapes else {
      return String(decoding: bytes(node.start + 1..<node.end - 1), as: UTF8.self)
    }
    var reader = reader(from: node.start)
    do {
      _ = try reader.next()
    } catch {
      // It was read before, so it is read again without an error.
      return ""
    }
    return reader.string()
  }
}
