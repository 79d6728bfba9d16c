/// A node of a radix tree from numbers to nodes: from slots to pages, or from the numbers of an
/// arena to the arena's nodes. A word is the address of a node, `nil`, or the next free number of
/// an arena, which is marked by a set lowest bit.
@usableFromInline
final class RadixNode: ManagedBuffer<Void, AnyNode?>, NodeKind {
  @usableFromInline typealias Header = Void
  @usableFromInline typealias Element = AnyNode?

  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { words in
      for index in 0..<NodeRef<RadixNode>.fanOut {
        NodeRef<RadixNode>.node(ifAny: words[index])?.release()
      }
    }
  }
}

extension NodeRef where Kind == RadixNode {
  /// Log2 of the number of words. Wider nodes make reads faster, and narrower nodes make copies
  /// faster.
  @inlinable
  @inline(__always)
  static var shift: Int { 4 }

  @inlinable
  @inline(__always)
  static var fanOut: Int { 1 &<< shift }

  /// Returns the index of a number's word, in a node whose words each cover `1 << shift` numbers.
  @inlinable
  @inline(__always)
  static func index(of number: Int, shift: Int) -> Int { (number &>> shift) & (fanOut &- 1) }

  /// Returns the node of an arena's word; `nil` for an empty word or a free number.
  @inlinable
  @inline(__always)
  static func node(ifAny word: AnyNode?) -> AnyNode? {
    guard let word, UInt(bitPattern: word.address) & 1 == 0 else { return nil }
    return word
  }

  /// Returns the child that covers a number, or `nil` if there is none. The word of this child must
  /// not contain a free number of an arena, because the word would be returned as a node.
  @inlinable
  @inline(__always)
  func child(of number: Int, shift: Int) -> AnyNode? {
    elements[Self.index(of: number, shift: shift)]
  }

  /// Returns the child that covers a number. The child must exist, and must be an inner node.
  @inlinable
  @inline(__always)
  func inner(of number: Int, shift: Int) -> Self {
    child(of: number, shift: shift).unsafelyUnwrapped.cast()
  }

  /// Returns the address of the word that covers a number. This node must be unique.
  @inlinable
  @inline(__always)
  func word(of number: Int, shift: Int) -> UnsafeMutablePointer<AnyNode?> {
    mutableElements + Self.index(of: number, shift: shift)
  }

  /// The number of words that are not `nil`.
  @inlinable
  var childCount: Int {
    let children = elements
    var count = 0
    for index in 0..<Self.fanOut where children[index] != nil { count &+= 1 }
    return count
  }

  /// Creates a node whose words refer to no node.
  @inlinable
  @inline(__always)
  static func make() -> Self {
    let node = make(capacity: fanOut, header: ())
    node.mutableElements.initialize(repeating: nil, count: fanOut)
    return node
  }

  /// Returns a copy of the node without the child at the index `skipped`, where the caller stores
  /// another child next. If `skipped` is -1, the copy has all children.
  @inlinable
  @inline(__always)
  func copy(except skipped: Int) -> Self { Self(owning: duplicate(except: skipped)) }

  @inlinable
  @inline(never)
  func duplicate(except skipped: Int) -> RadixNode {
    TableWork.note(.nodeCopied)
    let result = Self.allocate(capacity: Self.fanOut, header: ())
    let target = Self(borrowing: result).mutableElements
    target.initialize(from: elements, count: Self.fanOut)
    if skipped >= 0 { target[skipped] = nil }
    // The nodes are usually not cached, so all are loaded before any is retained.
    var isWhole = true
    for index in 0..<Self.fanOut {
      if let node = Self.node(ifAny: target[index]), node.firstWord == 0 { isWhole = false }
    }
    guard isWhole else { return result }
    for index in 0..<Self.fanOut { Self.node(ifAny: target[index])?.retain() }
    return result
  }
}
