/// A node of the radix tree from numbers to nodes. A word is the address of a node, 0, or the next
/// free number with the lowest bit set.
@usableFromInline
final class RadixNode: ManagedBuffer<Void, UInt>, NodeKind {
  @usableFromInline typealias Header = Void
  @usableFromInline typealias Element = UInt

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

  @inlinable
  @inline(__always)
  static func index(of number: Int, shift: Int) -> Int { (number &>> shift) & (fanOut &- 1) }

  /// Returns the node to which a word refers.
  @inlinable
  @inline(__always)
  static func node(_ word: UInt) -> AnyNode {
    AnyNode(address: UnsafeMutableRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  /// Returns the node to which a word refers, or `nil` if it refers to none.
  @inlinable
  @inline(__always)
  static func node(ifAny word: UInt) -> AnyNode? {
    word == 0 || word & 1 != 0 ? nil : node(word)
  }

  /// Returns the node below a number's word, which must refer to one.
  @inlinable
  @inline(__always)
  func child(of number: Int, shift: Int) -> AnyNode {
    Self.node(elements[Self.index(of: number, shift: shift)])
  }

  /// Returns the word of a number, in a unique node.
  @inlinable
  @inline(__always)
  func word(of number: Int, shift: Int) -> UnsafeMutablePointer<UInt> {
    mutableElements + Self.index(of: number, shift: shift)
  }

  /// Creates a node whose words refer to none.
  @inlinable
  @inline(__always)
  static func make() -> Self {
    let node = make(capacity: fanOut, header: ())
    node.mutableElements.initialize(repeating: 0, count: fanOut)
    return node
  }

  /// Returns a copy without the node that the caller replaces next (-1: with all nodes).
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
    if skipped >= 0 { target[skipped] = 0 }
    // The nodes are usually not cached, so all are loaded before any is retained.
    var seen: UInt = 0
    for index in 0..<Self.fanOut { seen |= Self.node(ifAny: target[index])?.firstWord ?? 0 }
    if seen == 0 { return result }
    for index in 0..<Self.fanOut { Self.node(ifAny: target[index])?.retain() }
    return result
  }
}

extension UInt {
  /// The word that refers to a node.
  @inlinable
  @inline(__always)
  init<Kind>(_ node: NodeRef<Kind>) { self = UInt(bitPattern: node.address) }
}
