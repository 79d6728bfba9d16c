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

  /// Whether there is a node at an index. A decoder that is used after its record has no valid
  /// index.
  @inlinable
  @inline(__always)
  package func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: count) }

  /// The node at an index, or an end without a value at an invalid one.
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

  /// Appends a node to a list that shares its memory with no other.
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
    // The first access makes the memory unique.
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
