/// The tokens of one value in input order, which a decoder traverses.
///
/// A token is not converted before it is decoded; until then it is a range of the input.
@usableFromInline
package struct JSONTape {
  @usableFromInline
  package struct Node {
    @usableFromInline package let token: JSONToken
    @usableFromInline package let hasEscapes: Bool
    /// Whether the name is that of the ID, regardless of its spelling in the input.
    @usableFromInline package var isIDName = false
    /// Whether the format of the input defines the value as a reference, rather than as a plain
    /// value. The reference may be empty.
    @usableFromInline package var isLinkage = false
    /// Whether the value has been decoded.
    @usableFromInline package var isDecoded = false
    /// The position of the token in the input, including quotes.
    @usableFromInline package let start: Int
    @usableFromInline package var end: Int
    /// The index of the first node that follows this node and is not inside its value.
    @usableFromInline package var next: Int
    /// For an object, the index of the name after the last found name. The next lookup begins
    /// there, because members are mostly looked up in input order.
    @usableFromInline package var hint: Int

    @inlinable
    package init(
      token: JSONToken, hasEscapes: Bool, isIDName: Bool = false, isLinkage: Bool = false,
      start: Int, end: Int, next: Int, hint: Int
    ) {
      self.token = token
      self.hasEscapes = hasEscapes
      self.isIDName = isIDName
      self.isLinkage = isLinkage
      self.start = start
      self.end = end
      self.next = next
      self.hint = hint
    }
  }

  @usableFromInline package var nodes = JSONTapeNodes()
  /// The offsets of member names that repeat an earlier name of the same object.
  package private(set) var duplicates: [Int] = []
  private var open: [Int] = []

  package init() {}

  /// Reads the value that begins with a token, and replaces the previous value.
  ///
  /// In an object, each name precedes the value of its member.
  ///
  /// - Throws: A ``JSONError`` if the text is invalid.
  package mutating func read(_ first: JSONToken, from reader: inout JSONReader) throws(JSONError) {
    nodes.removeAll()
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

  /// Returns the indices of the elements of an array, or of the names in an object. Each name
  /// precedes its value.
  ///
  /// - Complexity: O(members or elements).
  package func parts(of node: Int) -> [Int] {
    let isObject = nodes[node].token == .beginObject
    var parts: [Int] = []
    var part = node + 1
    while part < nodes[node].next {
      parts.append(part)
      part = nodes[isObject ? part + 1 : part].next
    }
    return parts
  }

  /// Returns the index of a member's value, or nil if the object has no matching name.
  @inlinable
  package mutating func member(
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

  /// Records that a member was found and decoded, so that the next lookup begins after it.
  @inlinable
  @inline(__always)
  package mutating func decodeMember(_ name: Int, of object: Int) {
    nodes.decodeMember(name, of: object)
  }

  /// Finds the names of an object that repeat earlier ones.
  ///
  /// Each name sets one of 64 marks. A name is compared with the earlier names only if one of them
  /// has set the same mark.
  private mutating func findDuplicates(of object: Int, _ reader: borrowing JSONReader) {
    let end = nodes[object].next
    let known = duplicates.count
    var (marks, count): (UInt64, Int) = (0, 0)
    var name = object + 1
    while name < end {
      if count == 16 {
        duplicates.removeSubrange(known...)
        return findDuplicates(ofLarge: object, reader)
      }
      let mark = mark(of: nodes[name], reader)
      if marks & mark != 0, repeatsEarlier(name, of: object, reader) {
        duplicates.append(nodes[name].start)
      }
      marks |= mark
      count += 1
      name = nodes[name + 1].next
    }
  }

  private mutating func findDuplicates(ofLarge object: Int, _ reader: borrowing JSONReader) {
    var seen: Set<ExactString> = []
    var name = object + 1
    while name < nodes[object].next {
      if !seen.insert(ExactString(reader.text(of: nodes[name]))).inserted {
        duplicates.append(nodes[name].start)
      }
      name = nodes[name + 1].next
    }
  }

  /// Returns the mark of a name. Equal names without escapes have the same mark. A name with
  /// escapes has all marks, because it may equal any other name.
  @inline(__always)
  private func mark(of name: Node, _ reader: borrowing JSONReader) -> UInt64 {
    if name.hasEscapes { return .max }
    // The count includes the quotes, which all names have.
    let count = name.end - name.start
    let (first, last) = (reader.base[name.start + 1], reader.base[name.end - 2])
    return 1 << UInt64((count &* 7 &+ Int(first) &* 3 &+ Int(last)) & 63)
  }

  private func repeatsEarlier(
    _ name: Int, of object: Int, _ reader: borrowing JSONReader
  ) -> Bool {
    var other = object + 1
    while other < name {
      if haveSameText(nodes[other], nodes[name], reader) { return true }
      other = nodes[other + 1].next
    }
    return false
  }

  @inline(__always)
  private func haveSameText(
    _ left: Node, _ right: Node, _ reader: borrowing JSONReader
  ) -> Bool {
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
  /// Returns the content of a string or name whose bytes are still in memory.
  package func text(of node: JSONTape.Node) -> String {
    if node.isIDName { return "id" }
    guard node.hasEscapes else {
      return String(decoding: bytes(node.start + 1..<node.end - 1), as: UTF8.self)
    }
    var reader = reader(from: node.start)
    do {
      _ = try reader.next()
    } catch {
      // This token has been read before without an error.
      return ""
    }
    return reader.string()
  }
}

/// The nodes of a tape, in memory of their own.
///
/// A decoder reads several nodes for each value. An array in a property would be retained for each
/// of these reads, which takes longer than the read.
@usableFromInline
package struct JSONTapeNodes {
  @usableFromInline package typealias Node = JSONTape.Node

  @usableFromInline
  final class Memory {
    @usableFromInline let start: UnsafeMutablePointer<Node>
    @usableFromInline let capacity: Int

    /// Allocates memory for nodes, and for one after them that stands for a missing node.
    init(capacity: Int) {
      start = .allocate(capacity: capacity + 1)
      (start + capacity).initialize(
        to: Node(token: .end, hasEscapes: false, start: 0, end: 0, next: 0, hint: 0))
      self.capacity = capacity
    }

    @inlinable var missing: UnsafeMutablePointer<Node> { start + capacity }

    // A node is plain data, so there is nothing to deinitialize.
    deinit { start.deallocate() }
  }

  @usableFromInline var memory = Memory(capacity: 64)
  @usableFromInline package internal(set) var start: UnsafeMutablePointer<Node>
  @usableFromInline var count = 0

  package init() { start = memory.start }

  package init(_ nodes: [Node]) {
    self.init()
    for node in nodes { append(node) }
  }

  @inlinable package var indices: Range<Int> { 0..<count }

  /// Whether there is a node at an index. A decoder that is used after its record was read may have
  /// an invalid index.
  @inlinable
  @inline(__always)
  package func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

  /// The node at an index; for an invalid index, a node with the token `end`.
  @inlinable
  package subscript(index: Int) -> Node {
    @inline(__always)
    unsafeAddress { UnsafePointer(contains(index) ? start + index : memory.missing) }
    @inline(__always)
    unsafeMutableAddress {
      if !isKnownUniquelyReferenced(&memory) { copy(capacity: memory.capacity) }
      return contains(index) ? start + index : memory.missing
    }
  }

  /// Removes all nodes and keeps the memory.
  package mutating func removeAll() {
    if !isKnownUniquelyReferenced(&memory) { copy(capacity: memory.capacity) }
    count = 0
  }

  /// Appends a node. The list must not share its memory with another list.
  @inlinable
  @inline(__always)
  package mutating func append(_ node: Node) {
    if count == memory.capacity { copy(capacity: count * 2) }
    (start + count).initialize(to: node)
    count &+= 1
  }

  /// Marks the value of a member as decoded, and sets the hint of its object.
  @inlinable
  @inline(__always)
  package mutating func decodeMember(_ name: Int, of object: Int) {
    // The subscript makes the memory unique, so `start` may then be used for writing.
    self[name + 1].isDecoded = true
    (start + object).pointee.hint = (start + name + 1).pointee.next
  }

  @inline(never)
  @usableFromInline
  mutating func copy(capacity: Int) {
    let copy = Memory(capacity: capacity)
    copy.start.initialize(from: start, count: count)
    memory = copy
    start = copy.start
  }
}

extension JSONTapeNodes: Sequence {
  @usableFromInline package func makeIterator() -> some IteratorProtocol<Node> {
    indices.lazy.map { self[$0] }.makeIterator()
  }
}
